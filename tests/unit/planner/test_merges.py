"""A limit that is said first and another one that is said next both hold, whichever came first."""

from collections.abc import Iterator
from datetime import date, time
from functools import cache
from itertools import permutations, product

import pytest

from orchestrator import turn
from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import correct, normalise
from orchestrator.planner.wishes import Wishes, doctors_of, name_words
from orchestrator.turn import Language
from orchestrator.turn.opening_filter import (
    AtClinics,
    AtTimes,
    DateRange,
    Not,
    OnDates,
    OnWeekdays,
    TimeRange,
    WithDoctors,
    WithWoman,
)
from tests.support.repository_clinics import CLINICS
from tests.support.wish_grammar import NOW
from tests.support.wish_measure import openings

NAMES = {word for doctor in doctors_of(CLINICS) for word in name_words(doctor.name)}


def _days(first: date, last: date) -> turn.Filter:
    return OnDates((DateRange(first, last),))


def _december(first: int, last: int) -> turn.Filter:
    return _days(date(2026, 12, first), date(2026, 12, last))


def _hours(first: time, last: time) -> turn.Filter:
    return AtTimes((TimeRange(first, last),))


BEATRIZ = "Dra. Beatriz Camargo"
# Each kind of limit: what it means, and how it is said in English and in Portuguese.
LIMITS: dict[str, tuple[turn.Filter, tuple[str, ...], tuple[str, ...]]] = {
    "weekdays": (
        OnWeekdays(frozenset({1, 3})),
        ("only on tuesdays or thursdays", "tuesdays or thursdays", "it has to be tuesday or thursday"),
        ("só às terças ou quintas", "às terças ou quintas", "só posso terça ou quinta"),
    ),
    "until": (
        _days(date.min, date(2026, 12, 9)),
        ("before the 10th", "b4 the 10th", "by december 9", "no later than the 9th", "until the 9th at most"),
        ("antes do dia 10", "até dia 9", "até o dia 9 no máximo"),
    ),
    "from": (
        _days(date(2026, 12, 4), date.max),
        ("from december 4 on", "not before the 4th", "starting december 4th"),
        ("a partir do dia 4", "não antes do dia 4", "do dia 4 em diante"),
    ),
    "not a day": (
        Not(_december(8, 8)),
        ("not the 8th", "the 8th is my mum's birthday", "i can't do the 8th", "the 8th is out"),
        ("dia 8 não", "dia 8 é aniversário da minha mãe", "não posso dia 8", "menos dia 8"),
    ),
    "hours": (
        _hours(time(6), time(11, 59)),
        ("in the morning", "mornings please", "only mornings"),
        ("de manhã", "só de manhã", "pela manhã"),
    ),
    "not before": (
        _hours(time(9), time.max),
        ("not before 9", "9 or later", "no earlier than 9am"),
        ("não antes das 9", "a partir das 9h", "das 9h em diante"),
    ),
    "doctor": (
        WithDoctors(frozenset({BEATRIZ})),
        ("with dr beatriz", "Beatriz Camargo please"),
        ("com a dra beatriz", "com a Beatriz Camargo"),
    ),
    "woman": (
        WithWoman(woman=True),
        ("with a woman", "a lady would be better", "i'd rather a female doctor"),
        ("com mulher", "com uma médica", "prefiro uma médica mulher"),
    ),
    "clinic": (AtClinics(frozenset({"clinic_c"})), ("at clinic c", "in clinic C"), ("na clínica C", "na unidade C")),
}
# Kinds of which the narrower takes the place of the wider.
_NESTED = ({"hours", "not before"}, {"doctor", "woman"}, {"doctor", "clinic"})


def _pairs() -> Iterator[tuple[Language, str, str]]:
    for first, second in permutations(LIMITS, 2):
        if {first, second} not in _NESTED or (first, second) in {("woman", "doctor"), ("clinic", "doctor")}:
            yield from ((language, first, second) for language in (Language.EN, Language.PT))


@cache
def _read(said: str, language: Language, before: turn.Wish | None = None) -> turn.Wish:
    text = correct(normalise(said), NAMES)
    return Wishes.scanned(text, Reference(NOW, language), CLINICS).requests(before)[0].wish


def _worded(limit: str, language: Language) -> tuple[str, ...]:
    _, english, portuguese = LIMITS[limit]
    return english if language is Language.EN else portuguese


@pytest.mark.parametrize(("language", "first", "second"), list(_pairs()))
def test_what_is_said_next_holds_beside_what_was_said_first(language: Language, first: str, second: str) -> None:
    topic = "cardiology" if language is Language.EN else "cardiologista"
    meant = openings(turn.all_of((_read(topic, language).filter, LIMITS[first][0], LIMITS[second][0])))
    lost = []
    for one, other in product(_worded(first, language), _worded(second, language)):
        both = _read(other, language, _read(f"{topic} {one}", language))
        if openings(both.filter) != meant:
            lost.append(f"{one} / {other}")
    assert lost == []
