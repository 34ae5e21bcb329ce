"""Beside a list that is all of one weekday, the name of another one is that day and no row."""

from datetime import date, timedelta
from itertools import permutations, product

import pytest

from orchestrator.turn import Language
from tests.unit.planner import desk as desks
from tests.unit.planner.desk import WEEKDAYS, Desk

DAYS = [date(2025, 7, 16) + timedelta(days=day) for day in range(10)]
ASKED = {Language.PT: "quero um cardiologista numa {}", Language.EN: "I want a cardiologist on a {}"}
SAID = {
    Language.PT: ("na verdade prefiro numa {}", "numa {}", "pode ser numa {}?", "e de {}?", "a de {}", "{} é melhor"),
    Language.EN: ("{} instead", "what about {}?", "a {} would be better", "only {} works"),
}


@pytest.fixture(autouse=True)
def many_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open at least six hours of every day, so that each ordinal that is a weekday is a row, too."""
    agenda = {name: tuple(f"{day} {hour:02}:00" for day in DAYS for hour in range(8, 14)) for name in desks.AGENDA}
    monkeypatch.setattr(desks, "AGENDA", agenda)


@pytest.mark.parametrize("language", Language)
def test_another_weekday_is_no_row_of_a_list_of_one_weekday(language: Language) -> None:
    wrong = []
    for said, (listed, wanted) in product(SAID[language], permutations(range(5), 2)):
        desk = Desk.open(language, consent_given=False)
        desk.say(ASKED[language].format(WEEKDAYS[language][listed]))
        plan = desk.say(said.format(WEEKDAYS[language][wanted]))
        days = {slot.date for step in plan.steps for slot in step.slots} or {one.date for one in desk.session.offers}
        if {day.weekday() for day in days} != {wanted}:
            wrong.append((WEEKDAYS[language][listed], said.format(WEEKDAYS[language][wanted])))
    assert wrong == []


BOUNDED = {
    Language.PT: ("dia 23 ou dia 24", "quarta ou quinta da semana que vem", "semana que vem"),
    Language.EN: ("the 23rd or the 24th", "Wednesday or Thursday next week", "next week"),
}
OF_THEM = {Language.PT: ("{}", "pode ser {}", "tem {}?"), Language.EN: ("{}", "{} works", "what about {}?")}


@pytest.mark.parametrize("language", Language)
def test_a_weekday_of_the_days_that_are_looked_for_is_that_one_of_them(language: Language) -> None:
    wrong = []
    for days, said, wanted in product(BOUNDED[language], OF_THEM[language], (2, 3)):
        text = said.format(WEEKDAYS[language][wanted])
        desk = Desk.open(language, consent_given=False)
        desk.say("quero um cardiologista" if language is Language.PT else "I want a cardiologist", days, text)
        if {offer.date for offer in desk.session.offers} != {date(2025, 7, 21 + wanted)}:
            wrong.append((days, text))
    assert wrong == []
