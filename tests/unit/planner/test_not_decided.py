"""A row that is named in doubt is not taken, and whether one would be in time elsewhere is no hour that is wanted."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from orchestrator.turn import Language, PlanKind, Topic
from tests.unit.planner.desk import Desk

LISTS = ("quero cardiologista", "an orthopedist please")
ROWS = {Language.PT: ("o primeiro", "o 2", "o de sexta"), Language.EN: ("the first one", "number 2", "the Friday one")}
DOUBTED = {
    Language.PT: (
        *("{} parece bom mas não sei", "{} seria bom, deixa eu confirmar com meu marido"),
        *(
            "acho que {}, mas preciso ver",
            "{}, mas calma",
            "não sei se {} dá",
            "ainda não sei se quero {}",
            "hmm {}... deixa eu pensar",
        ),
    ),
    Language.EN: (
        *("{} looks good but I'm not sure", "I was thinking {} but maybe not"),
        *(
            "{} could work but I need to ask my wife",
            "not sure about {}",
            "I don't know if {} works",
            "hmm {}? not sure",
            "leaning to {} but don't book it yet",
        ),
    ),
}
IN_TIME = {
    Language.PT: ("se eu pegar {} dá tempo de chegar no trabalho às 10?", "se eu for n{}, consigo sair até as 11?"),
    Language.EN: ("if I take {} will I make it to work by 10?", "would I be out by noon if I took {}?"),
}
DECIDED = {
    Language.PT: ("não sei... ah, quero {}", "calma, vou ficar com {}", "deixa eu ver... {} mesmo"),
    Language.EN: ("not sure... ok I'll take {}", "hold on, let me do {}", "hmm let me see, {} please"),
}


@cache
def listed(first: str, language: Language) -> Desk:
    desk = Desk.open(language, consent_given=False)
    desk.say(first)
    return desk


@pytest.mark.parametrize(("first", "language"), [*product(LISTS, Language)])
def test_a_row_that_is_named_in_doubt_is_not_taken(first: str, language: Language) -> None:
    for frame, row in product(DOUBTED[language], ROWS[language]):
        desk = replace(listed(first, language))
        plan = desk.say(said := frame.format(row))
        assert (desk.session.proposal, plan.topic) == (None, Topic.NO_HURRY), said
        assert desk.session.offers == listed(first, language).session.offers


@pytest.mark.parametrize(("first", "language"), [*product(LISTS, Language)])
def test_whether_one_is_in_time_elsewhere_is_answered_and_takes_nothing(first: str, language: Language) -> None:
    for frame, row in product(IN_TIME[language], ROWS[language]):
        desk = replace(listed(first, language))
        plan = desk.say(said := frame.format(row))
        assert (desk.session.proposal, plan.topic) == (None, Topic.LENGTH_BY_SLOT), said


@pytest.mark.parametrize("language", Language)
def test_a_row_that_is_taken_after_a_doubt_is_proposed(language: Language) -> None:
    for frame, row in product(DECIDED[language], ROWS[language][:2]):
        desk = replace(listed(LISTS[0], language))
        assert desk.say(said := frame.format(row)).kind is PlanKind.STEPS, said
        assert desk.session.proposal is not None, said
