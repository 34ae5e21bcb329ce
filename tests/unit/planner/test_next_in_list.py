"""The one behind or before the slot on the table, said in any plain way."""

from itertools import product

import pytest

from orchestrator.turn import Appointment, Language, Offer
from tests.unit.planner.desk import Desk

LISTS = {Language.PT: ("quero cardiologista", "um dermatologista"), Language.EN: ("an orthopedist please",)}
ALONE = {Language.PT: "cardiologista na sexta", Language.EN: "a cardiologist on Friday"}
NEXT = {
    Language.PT: (
        *("o próximo", "não, o próximo", "esse não, o seguinte", "qual o próximo?", "e depois desse?", "próximo"),
        *("tem outro depois desse?", "me mostra o próximo", "a próxima vaga", "o horário seguinte", "pula esse"),
        *("não gostei, o próximo", "esse não serve, tem o seguinte?", "pode ser o próximo", "o de baixo"),
    ),
    Language.EN: (
        *("the next one", "next one please", "no not that one, the one after", "what about the next one?", "next"),
        *("is there one after that?", "what comes after that?", "show me the next one", "the next slot"),
        *(
            "skip that one",
            "the next one would be better",
            "what's the next available after that?",
            "nah, next",
            "the one below",
        ),
    ),
}
PREVIOUS = {
    Language.PT: ("o anterior", "o de cima", "não, o de antes", "prefiro o anterior"),
    Language.EN: ("the previous one", "the one above", "no, the one before that"),
}
OF_SOMETHING_ELSE = {
    Language.PT: ("na próxima semana", "qual o próximo com outro médico?", "próxima segunda", "fica pra próxima"),
    Language.EN: ("next week", "next Monday", "the next one with a woman", "see you next time"),
}


def _of_card(desk: Desk) -> Appointment | None:
    return desk.session.proposal.plan.steps[0].taken if desk.session.proposal else None


def _with_card(language: Language, first: str, row: int) -> tuple[Desk, tuple[Offer, ...]]:
    desk = Desk.open(language, consent_given=False)
    desk.say(first)
    listed = desk.session.offers
    desk.say(str(listed[row].number))
    assert _of_card(desk) == listed[row].slot
    return desk, listed


CASES = [(language, first, said) for language in Language for first, said in product(LISTS[language], NEXT[language])]


@pytest.mark.parametrize(("language", "first", "said"), CASES)
def test_the_next_one_is_the_row_behind_the_one_on_the_card(language: Language, first: str, said: str) -> None:
    for row in (0, 1):
        desk, listed = _with_card(language, first, row)
        desk.say(said)
        shown = [one.slot for one in desk.session.offers] if "?" in said or "mostra" in said else []
        assert _of_card(desk) == listed[row + 1].slot or shown == [listed[row + 1].slot]


@pytest.mark.parametrize(("language", "said"), [(one, said) for one in Language for said in PREVIOUS[one]])
def test_the_previous_one_is_the_row_before_the_one_on_the_card(language: Language, said: str) -> None:
    desk, listed = _with_card(language, LISTS[language][0], 2)
    desk.say(said)
    assert _of_card(desk) == listed[1].slot


@pytest.mark.parametrize(("language", "said"), [(one, said) for one in Language for said in NEXT[one]])
def test_behind_the_only_one_are_those_that_are_later(language: Language, said: str) -> None:
    for on_card in (False, True):
        desk = Desk.open(language, consent_given=False)
        desk.say(ALONE[language])
        [only] = desk.session.offers
        if on_card:
            desk.say("1")
        desk.say(said)
        assert _of_card(desk) is None
        assert desk.session.offers
        assert all(one.slot.begin > only.slot.begin for one in desk.session.offers)


@pytest.mark.parametrize(("language", "said"), [(one, said) for one in Language for said in OF_SOMETHING_ELSE[one]])
def test_next_said_of_something_else_is_no_row(language: Language, said: str) -> None:
    desk, listed = _with_card(language, LISTS[language][0], 0)
    desk.say(said)
    assert _of_card(desk) != listed[1].slot
