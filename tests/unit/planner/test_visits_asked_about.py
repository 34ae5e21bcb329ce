"""A question about a visit that is held is answered whatever is open, and picks and changes nothing."""

from collections.abc import Iterator
from itertools import product

import pytest

from orchestrator import turn
from orchestrator.turn import Language
from tests.unit.planner.desk import Desk
from tests.unit.planner.test_visits_given_up import HELD, NAMED

ASKED = {
    Language.PT: (
        "quando é {}?",
        "cancelaram {}?",
        "alguém cancelou {}?",
        "mudaram {}?",
        "ainda dá pra cancelar {}?",
        "posso desmarcar {} ainda?",
        "posso cancelar {} até quando?",
        "eu já cancelei {}?",
        "{} é com qual médico?",
    ),
    Language.EN: (
        "when is {}?",
        "did someone cancel {}?",
        "did I cancel {}?",
        "was {} cancelled?",
        "has {} been moved?",
        "can I still cancel {}?",
        "is {} still on?",
        "which doctor is {} with?",
        "who cancelled {}?",
        "did you guys change {}?",
    ),
}
PLAIN = {
    Language.PT: (
        *("qual consulta eu tenho?", "quando eu tenho que chegar?", "vocês cancelaram alguma consulta minha?"),
        *("minha consulta é hoje?", "e minha consulta é na sexta?", "minha consulta era essa semana?"),
    ),
    Language.EN: (
        "when do I have to be there?",
        "did anything get cancelled?",
        "is everything ok with my appointment?",
        *("is my appointment today?", "so is my visit on Friday?", "was my appointment this week?"),
    ),
}
OPEN = {
    "nothing": None,
    "what is held": turn.Question(turn.Topic.MY_APPOINTMENTS, choices=("1", "2", "3")),
    "which to cancel": turn.Question(turn.Topic.ASK_WHICH_APPOINTMENT, turn.CANCEL),
}


def questions(language: Language) -> Iterator[str]:
    """Yield each frame with one name of each visit in turn, and what is asked of no visit in particular."""
    yield from PLAIN[language]
    for place, (frame, names) in enumerate(product(ASKED[language], NAMED[language].values())):
        yield frame.format(names[place % 3])


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("asked", list(OPEN))
def test_what_is_asked_of_a_visit_picks_and_changes_nothing(language: Language, asked: str) -> None:
    wrong = []
    for text in questions(language):
        desk = Desk.holding(language, *HELD, question=OPEN[asked])
        plan = desk.say(text)
        if plan.steps or plan.topic not in {turn.Topic.MY_APPOINTMENTS, turn.Topic.CLINIC_FACTS}:
            wrong.append(text)
    assert wrong == []
