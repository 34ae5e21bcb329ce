"""Times of day that people name."""

from __future__ import annotations

from datetime import date, time

import pytest

from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.calendar.moments import Moment
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import TimeRange
from tests.unit.planner.desk import NOW

PT, EN = Language.PT, Language.EN


def only(text: str, language: Language = PT) -> Moment:
    (moment,) = read_moments(normalise(text), NOW, language).found
    return moment


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("10h", 10, 0),
        ("às 9", 9, 0),
        ("9hs", 9, 0),
        ("14h30", 14, 30),
        ("14:00", 14, 0),
        ("15.30 horas", 15, 30),
        ("duas da tarde", 14, 0),
        ("às duas", 14, 0),
        ("às 3", 15, 0),
        ("dez e meia", 10, 30),
        ("onze e meia da manhã", 11, 30),
        ("três e quinze da tarde", 15, 15),
        ("meio-dia", 12, 0),
        ("meio dia e meia", 12, 30),
        ("quinze para as dez", 9, 45),
        ("10 pras 9", 8, 50),
        ("às 07:00", 7, 0),
        ("7 da noite", 19, 0),
        ("sete da manhã", 7, 0),
        ("de manhã, às 7", 7, 0),
        ("8 horas da manhã", 8, 0),
    ],
)
def test_a_portuguese_time_is_one_certain_time(text: str, hour: int, minute: int) -> None:
    assert only(text).times == (time(hour, minute),)


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("at 9 AM", 9, 0),
        ("9am", 9, 0),
        ("2:00 pm", 14, 0),
        ("half past two", 14, 30),
        ("quarter to ten", 9, 45),
        ("at ten", 10, 0),
        ("at 1030", 10, 30),
        ("340pm", 15, 40),
        ("noon", 12, 0),
        ("morning 9", 9, 0),
        ("4 in the afternoon", 16, 0),
        ("9 o'clock", 9, 0),
        ("the 9 o'clock one", 9, 0),
    ],
)
def test_an_english_time_is_one_certain_time(text: str, hour: int, minute: int) -> None:
    assert only(text, EN).times == (time(hour, minute),)


@pytest.mark.parametrize(("text", "language"), [("às 7", PT), ("sete e meia", PT), ("at seven thirty", EN)])
def test_seven_may_be_morning_or_evening(text: str, language: Language) -> None:
    moment = only(text, language)
    assert [at.hour for at in moment.times] == [7, 19]
    assert moment.time is None


@pytest.mark.parametrize(
    ("text", "language", "first", "last"),
    [
        ("de manhã", PT, time(6), time(11, 59)),
        ("à tarde", PT, time(12), time(17, 59)),
        ("pela manhã", PT, time(6), time(11, 59)),
        ("no fim da tarde", PT, time(16), time(18, 59)),
        ("depois das 15h", PT, time(15), time.max),
        ("a partir das duas", PT, time(14), time.max),
        ("antes das 10", PT, time.min, time(9, 59)),
        ("até as 11h", PT, time.min, time(11)),
        ("entre 14 e 16h", PT, time(14), time(16)),
        ("das 14 às 16", PT, time(14), time(16)),
        ("in the morning", EN, time(6), time(11, 59)),
        ("after 3pm", EN, time(15), time.max),
        ("between 2 and 4 pm", EN, time(14), time(16)),
    ],
)
def test_a_stretch_of_the_day_is_a_range(text: str, language: Language, first: time, last: time) -> None:
    moment = only(text, language)
    assert moment.times == ()
    assert moment.hours == (TimeRange(first, last),)


@pytest.mark.parametrize(
    ("text", "language", "day", "at"),
    [
        ("dia 18 às 10h", PT, date(2025, 7, 18), time(10)),
        ("às 10h do dia 18 de julho", PT, date(2025, 7, 18), time(10)),
        ("segunda da semana que vem 9 da manhã", PT, date(2025, 7, 21), time(9)),
        ("amanhã pela manhã às 7", PT, date(2025, 7, 16), time(7)),
        ("sábado 19 14h", PT, date(2025, 7, 19), time(14)),
        ("July 21 at 9 AM", EN, date(2025, 7, 21), time(9)),
        ("2:00 pm on the 19th of July", EN, date(2025, 7, 19), time(14)),
        ("half past 10 in the morning on Monday next week", EN, date(2025, 7, 21), time(10, 30)),
    ],
)
def test_a_day_and_a_time_name_a_slot(text: str, language: Language, day: date, at: time) -> None:
    moment = only(text, language)
    assert moment.is_slot
    assert (moment.date, moment.time) == (day, at)


def test_a_day_and_time_said_apart_are_one_moment() -> None:
    moment = only("quero sexta com o doutor, se der às 10h")
    assert (moment.date, moment.time) == (date(2025, 7, 18), time(10))


def test_times_joined_by_or_are_alternatives() -> None:
    assert only("pode ser 9h ou 10h").times == (time(9), time(10))
