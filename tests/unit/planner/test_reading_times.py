"""Times of day that people name."""

from __future__ import annotations

from datetime import date, time

import pytest

from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.calendar.moments import Moment
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import TimeRange
from tests.support.sentences import rows
from tests.unit.planner.desk import NOW

PT, EN = Language.PT, Language.EN


def only(text: str, language: Language = PT) -> Moment:
    (moment,) = read_moments(normalise(text), NOW, language)
    return moment


@pytest.mark.parametrize(("text", "at"), rows("times.txt", "one time pt"))
def test_a_portuguese_time_is_one_certain_time(text: str, at: str) -> None:
    assert only(text).times == (time.fromisoformat(at),)


@pytest.mark.parametrize(("text", "at"), rows("times.txt", "one time en"))
def test_an_english_time_is_one_certain_time(text: str, at: str) -> None:
    assert only(text, EN).times == (time.fromisoformat(at),)


@pytest.mark.parametrize(("text", "language"), [("às 7", PT), ("sete e meia", PT), ("at seven thirty", EN)])
def test_seven_may_be_morning_or_evening(text: str, language: Language) -> None:
    moment = only(text, language)
    assert [at.hour for at in moment.times] == [7, 19]
    assert moment.time is None


@pytest.mark.parametrize(("text", "language", "first", "last"), rows("times.txt", "stretches"))
def test_a_stretch_of_the_day_is_a_range(text: str, language: str, first: str, last: str) -> None:
    moment = only(text, Language(language))
    assert moment.times == ()
    assert moment.hours == (TimeRange(time.fromisoformat(first), time.fromisoformat(last)),)


@pytest.mark.parametrize(("text", "language", "day", "at"), rows("times.txt", "slots"))
def test_a_day_and_a_time_name_a_slot(text: str, language: str, day: str, at: str) -> None:
    moment = only(text, Language(language))
    assert moment.slot is not None
    assert (moment.date, moment.time) == (date.fromisoformat(day), time.fromisoformat(at))


def test_a_day_and_time_said_apart_are_one_moment() -> None:
    moment = only("quero sexta com o doutor, se der às 10h")
    assert (moment.date, moment.time) == (date(2025, 7, 18), time(10))


def test_times_joined_by_or_are_alternatives() -> None:
    assert only("pode ser 9h ou 10h").times == (time(9), time(10))
