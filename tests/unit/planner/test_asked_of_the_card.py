"""A question about what a card says shows it again, whatever is said before the question."""

from itertools import product

import pytest

from orchestrator.turn import Appointment, Language
from tests.unit.planner.desk import Desk

BOOKS = {Language.PT: "quero o Dr. Fernando dia 18 às 10h", Language.EN: "book Dr. Fernando on the 18th at 10am"}
OPENERS = {
    Language.PT: ("", "espera, ", "peraí, só uma coisa: ", "antes de confirmar, ", "desculpa, ", "hmm, ", "calma! "),
    Language.EN: ("", "actually hold on, ", "before I say yes, ", "sorry, ", "hmm, ", "just to check: ", "and "),
}
QUESTIONS = {
    Language.PT: (
        *(
            "é homem?",
            "é na sexta?",
            "cai numa sexta?",
            "é sexta mesmo?",
            "o horário é 10h?",
            "a consulta fica às 10h?",
        ),
        *("é de manhã?", "quem atende é o Mendes?", "esse é com o Mendes?", "é na clínica C?", "é cardiologista?"),
    ),
    Language.EN: (
        *("is that a man?", "is it on Friday?", "does it fall on a Friday?", "10am?", "is the time 10am?"),
        *("is that in the morning?", "the doctor is Mendes?", "am I seeing Dr. Mendes?", "is that clinic C?"),
    ),
}
OTHERS = {Language.PT: "espera, tem no sábado?", Language.EN: "wait, do you have Saturday?"}


def taken(desk: Desk) -> list[Appointment | None]:
    card = desk.session.proposal
    return [] if card is None else [step.taken for step in card.plan.steps]


@pytest.mark.parametrize("language", Language)
def test_a_question_about_the_card_keeps_it(language: Language) -> None:
    lost = []
    for opener, question in product(OPENERS[language], QUESTIONS[language]):
        desk = Desk.open(language, consent_given=False)
        desk.say(BOOKS[language])
        card = taken(desk)
        desk.say(opener + question)
        if not card or taken(desk) != card:
            lost.append(opener + question)
    assert lost == []


@pytest.mark.parametrize("language", Language)
def test_what_else_is_asked_for_behind_a_moment_taken_is_shown(language: Language) -> None:
    desk = Desk.open(language, consent_given=False)
    desk.say(BOOKS[language], OTHERS[language])
    assert {offer.date.weekday() for offer in desk.session.offers} == {5}
