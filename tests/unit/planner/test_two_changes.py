"""Two changes in one message: the first is made without anything of the other, and that one is left is said."""

from collections.abc import Iterator, Mapping
from datetime import date, time

import pytest

from orchestrator import turn
from orchestrator.turn import Appointment, Language, Topic
from tests.unit.planner.desk import FERNANDO, GUSTAVO, MARINA_TELES, Desk

HEART = Appointment("clinic_c", FERNANDO, date(2025, 7, 18), time(10))
SKIN = Appointment("clinic_b", MARINA_TELES, date(2025, 7, 22), time(9))
BONE = Appointment("clinic_d", GUSTAVO, date(2025, 7, 23), time(16))

NAMED: Mapping[Language, Mapping[Appointment, tuple[str, ...]]] = {
    Language.PT: {
        HEART: ("a de sexta", "a do Dr. Mendes", "a de cardio", "a próxima"),
        SKIN: ("a do dia 22", "a consulta com a Marina Teles", "a de pele", "a das 9h"),
        BONE: ("a consulta de quarta", "a do Gustavo", "a de ortopedia", "a última"),
    },
    Language.EN: {
        HEART: ("the Friday one", "the one with Dr. Mendes", "the heart one", "the next one"),
        SKIN: ("my appointment on the 22nd", "my visit with Marina Teles", "the skin one", "the 9am one"),
        BONE: ("the Wednesday one", "Dr. Rezende's appointment", "my orthopedist appointment", "the last one"),
    },
}
CANCELS_FIRST: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("cancela {one} e passa {two} pra quinta", "quero desmarcar {one} e mudar {two} pra quinta"),
    Language.EN: ("cancel {one} and move {two} to Thursday", "cancel {one}, and reschedule {two} for Thursday"),
}
MOVES_FIRST: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("muda {one} pra segunda e cancela {two}", "passa {one} pra segunda e {two} pra quinta"),
    Language.EN: ("move {one} to Monday and cancel {two}", "move {one} to Monday and {two} to Thursday"),
}
ANEW: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("desmarca {one} e agenda outra semana que vem", "cancela {one} e coloca outra na semana que vem"),
    Language.EN: ("cancel {one} and make another one for next week", "cancel {one} and book a new one next week"),
}


def told(
    language: Language, frames: Mapping[Language, tuple[str, ...]]
) -> Iterator[tuple[str, Appointment, turn.Plan]]:
    """Say each frame of each visit, beside a name of each of the others."""
    for number, frame in enumerate(frames[language]):
        for one, names in NAMED[language].items():
            for place, other in enumerate(visit for visit in NAMED[language] if visit is not one):
                said = names[(number + place) % 4], NAMED[language][other][(number * 2 + place + 1) % 4]
                desk = Desk.holding(language, HEART, SKIN, BONE)
                text = frame.format(one=said[0], two=said[1])
                yield text, one, desk.say(text)


@pytest.mark.parametrize("language", Language)
def test_the_visit_that_is_cancelled_first_is_given_back_and_the_move_is_told_to_be_left(language: Language) -> None:
    wrong = [
        text
        for text, one, plan in told(language, CANCELS_FIRST)
        if [step.given_back for step in plan.steps] != [one] or plan.note is not Topic.CHANGED_ONE_BY_ONE
    ]
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_the_visit_that_is_moved_first_is_moved_to_its_own_day(language: Language) -> None:
    wrong = []
    for text, one, plan in told(language, MOVES_FIRST):
        known = plan.question.known if plan.question is not None else {}
        days = {span.first.weekday() for span in turn.spans_of(plan.wish.widest)}
        right = (known.get("doctor"), days, plan.note) == (one.doctor, {0}, Topic.CHANGED_ONE_BY_ONE)
        wrong += [] if right and not plan.writes else [text]
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_another_visit_waits_behind_the_one_that_is_cancelled_for_it(language: Language) -> None:
    plans = [(text, one, plan, plan.question) for text, one, plan in told(language, ANEW)]
    wrong = [
        text
        for text, one, plan, question in plans
        if [step.given_back for step in plan.steps] != [one] or question is None or not question.waiting
    ]
    assert wrong == []
