"""Days that people name, on Tuesday, 15 July 2025."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.calendar.moments import Moment, MomentRole
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import DateRange
from tests.support.sentences import rows
from tests.unit.planner.desk import NOW

PT, EN = Language.PT, Language.EN
TODAY = NOW.date()


def july(day: int) -> date:
    return date(2025, 7, day)


def read(text: str, language: Language = PT, *, moving: bool = False) -> tuple[Moment, ...]:
    return read_moments(normalise(text), NOW, language, moving=moving)


def only(text: str, language: Language = PT) -> Moment:
    (moment,) = read(text, language)
    return moment


@pytest.mark.parametrize(("text", "day"), rows("days.txt", "one day pt"))
def test_a_portuguese_day_is_one_certain_date(text: str, day: str) -> None:
    assert only(text).dates == (date.fromisoformat(day),)


@pytest.mark.parametrize(("text", "day"), rows("days.txt", "one day en"))
def test_an_english_day_is_one_certain_date(text: str, day: str) -> None:
    assert only(text, EN).dates == (date.fromisoformat(day),)


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("terça", PT, {july(22), july(15)}),
        ("próxima sexta", PT, {july(18), july(25)}),
        ("quinta que vem", PT, {july(17), july(24)}),
        ("next friday", EN, {july(18), july(25)}),
        ("05/08", EN, {date(2026, 5, 8), date(2025, 8, 5)}),
        ("sexta 19/07", PT, {july(19), july(18)}),
        ("sexta 8", PT, {date(2025, 8, 8), july(18)}),
        ("sexta 13", PT, {date(2026, 2, 13), july(18)}),
    ],
)
def test_an_ambiguous_day_keeps_every_reading(text: str, language: Language, days: set[date]) -> None:
    moment = only(text, language)
    assert set(moment.dates) == days
    assert moment.date is None


@pytest.mark.parametrize(
    ("text", "language", "first", "last"),
    [
        ("semana que vem", PT, july(21), july(27)),
        ("próxima semana", PT, july(21), july(27)),
        ("essa semana", PT, july(15), july(20)),
        ("fim de semana", PT, july(19), july(20)),
        ("mês que vem", PT, date(2025, 8, 1), date(2025, 8, 31)),
        ("em agosto", PT, date(2025, 8, 1), date(2025, 8, 31)),
        ("em outubro", PT, date(2025, 10, 1), date(2025, 10, 31)),
        ("em dezembro", PT, date(2025, 12, 1), date(2025, 12, 31)),
        ("in November", EN, date(2025, 11, 1), date(2025, 11, 30)),
        ("no fim do mês", PT, july(22), july(31)),
        ("entre os dias 18 e 20", PT, july(18), july(20)),
        ("entre 18 e 20", PT, july(18), july(20)),
        ("de 18 a 20 de julho", PT, july(18), july(20)),
        ("de segunda a quarta", PT, july(21), july(23)),
        ("próximos 3 dias", PT, july(15), july(18)),
        ("até sexta", PT, july(15), july(18)),
        ("a partir do dia 18", PT, july(18), date.max),
        ("depois do dia 18", PT, july(19), date.max),
        ("next week", EN, july(21), july(27)),
        ("this weekend", EN, july(19), july(20)),
        ("by Friday", EN, july(15), july(18)),
        ("between Monday and Wednesday", EN, july(21), july(23)),
    ],
)
def test_a_stretch_of_days_is_a_range(text: str, language: Language, first: date, last: date) -> None:
    assert only(text, language).days == (DateRange(first, last),)


def test_days_joined_by_or_are_alternatives() -> None:
    assert only("dia 21 ou 22 de manhã").dates == (july(21), july(22))
    assert only("quinta ou sexta").dates == (july(17), july(18))


def test_a_day_that_no_calendar_has_fits_no_opening() -> None:
    moment = only("31/02 às 10h")
    assert not moment.exists
    assert moment.slot is None
    assert not any(moment.matches(TODAY + timedelta(days=ahead), moment.times[0]) for ahead in range(400))


def test_the_two_ends_of_a_move_are_told_apart() -> None:
    source, target = read("muda do dia 18 às 10h para o dia 19 às 14h", moving=True)
    assert (source.date, source.role) == (july(18), MomentRole.SOURCE)
    assert (target.date, target.role) == (july(19), MomentRole.TARGET)
    source, target = read("move it from Friday to Monday at 9", EN, moving=True)
    assert (source.date, target.date) == (july(18), july(21))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("bom dia", PT),
        ("boa tarde, tudo bem?", PT),
        ("good morning", EN),
        ("quanto custa? R$ 5,00", PT),
        ("minha pressão está 17 por 10", PT),
        ("são 3 opções", PT),
        ("it may have to be changed", EN),
        ("CARD-001", PT),
        ("529.982.247-25", PT),
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str, language: Language) -> None:
    assert read(text, language) == ()
