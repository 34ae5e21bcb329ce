"""Find what people state of themselves as a habit or a lasting fact: when it suits, by whom, where they live.

A clause counts when all of its words are accounted for, or it begins as a statement about nobody else and no health.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache

from orchestrator.planner.about_self.clauses import (
    Clause,
    after_leads,
    clauses,
    end_without_reason,
    is_filler,
    is_reported,
)
from orchestrator.planner.calendar import read_habit
from orchestrator.planner.lexicon import phrases, rows, table
from orchestrator.planner.text import Text, blanked
from orchestrator.planner.wishes import find_clinics, find_doctors
from orchestrator.turn import (
    ANY_OPENING,
    AtClinics,
    Clinic,
    DateRange,
    Filter,
    Language,
    MemoryKind,
    Not,
    WithDoctors,
    all_of,
    when_in,
)


@dataclass(frozen=True, slots=True)
class SelfStatement:
    """One thing that somebody states of themselves."""

    start: int  # where it begins in the folded text
    end: int
    clause: tuple[int, int]  # where its clause begins and ends, with lead and reasons
    kind: MemoryKind
    habitual: bool = True  # the words alone make it a habit; otherwise what is being talked of might be meant
    when: Filter = ANY_OPENING  # days and times that it speaks of
    doctors: tuple[str, ...] = ()  # full names of the doctors that it speaks of
    clinics: tuple[str, ...] = ()  # ids of the clinics that it speaks of
    excludes: bool = False  # what it speaks of does not suit
    expires_on: date | None = None  # the last day on which it holds; None for no end
    tells_when: bool = True  # it says when, with whom or where it suits, and not only who somebody is

    @property
    def suits(self) -> Filter:
        """The openings that are as it says."""
        doctors = (WithDoctors(frozenset(self.doctors)),) if self.doctors else ()
        clinics = (AtClinics(frozenset(self.clinics)),) if self.clinics else ()
        spoken_of = all_of((self.when, *doctors, *clinics))
        return Not(spoken_of) if self.excludes else spoken_of


def find_statements(
    text: Text, now: datetime, language: Language, clinics: Sequence[Clinic]
) -> tuple[SelfStatement, ...]:
    """Return the statements of an utterance, or of what was remembered of one; `now` is when it was said."""
    if is_reported(text.folded) or not table("memories", "marks_of_statements").search(text.folded):
        return ()
    found = (_statement(clause, text, now, language, clinics) for clause in clauses(text.folded) if not clause.asked)
    return tuple(statement for statement in found if statement is not None)


def tells_of_health(text: Text) -> bool:
    """Return whether a clause states a condition or a treatment of the speaker."""
    for clause in clauses(text.folded):
        match = table("memories", "health").match(clause.folded, after_leads(clause.folded))
        if match is not None and not clause.asked and not table("memories", "others").search(clause.folded):
            return True
    return False


def _statement(
    clause: Clause, text: Text, now: datetime, language: Language, clinics: Sequence[Clinic]
) -> SelfStatement | None:
    if table("memories", "health_words").search(clause.folded) or clause.has_exception:
        return None
    return (
        _of_absence(clause, now, language)
        or _of_fit(clause, text, now, language, clinics)
        or _of_oneself(clause, now, language)
    )


def _of_fit(
    clause: Clause, text: Text, now: datetime, language: Language, clinics: Sequence[Clinic]
) -> SelfStatement | None:
    phrase = next((name for name in _FIT if table("memories", name).search(clause.folded)), None)
    if phrase is None:
        return None
    about = _named(clause, text, clinics)
    remainder = _without(clause.folded, table("memories", phrase), *about.spans)
    always = table("memories", "always").search(clause.folded) is not None
    habit = read_habit(remainder, now, language, always=always)
    momentary = habit.one_day or habit.one_time or (habit.dates and not _names_month(clause.folded, phrase))
    if (
        momentary
        or not is_filler(habit.rest)
        or not (habit.weekdays or habit.times or habit.dates or about.doctors or about.clinics)
    ):
        return None
    if (about.doctors or about.clinics) and phrase != "prefer":
        return None
    habitual = always or bool(habit.weekdays)
    if not any(table("memories", who).search(clause.folded) for who in ("speaker", *_IMPERSONAL[habitual])):
        return None
    until = _end_of(habit.dates)
    return SelfStatement(
        *clause.own_span,
        (clause.start, clause.end),
        MemoryKind.AVAILABILITY if habit.dates else _FIT[phrase],
        habitual=habitual,
        when=when_in(habit.dates, habit.times, habit.weekdays),
        doctors=about.doctors,
        clinics=about.clinics,
        excludes=phrase == "never",
        expires_on=until,
    )


_IMPERSONAL = {True: ("impersonal",), False: ()}  # who speaks may be left out where the words make a habit of it
_FIT = {"never": MemoryKind.RESTRICTION, "only": MemoryKind.RESTRICTION, "prefer": MemoryKind.PREFERENCE}


def _names_month(folded: str, phrase: str) -> bool:
    return phrase == "only" and _months().search(folded) is not None


@cache
def _months() -> re.Pattern[str]:
    return phrases([row for n in range(1, 13) for lang in Language for row in rows("calendar", f"{lang}.MON{n}")])


def _end_of(dates: Sequence[DateRange]) -> date | None:
    ends = [span.first if span.last == date.max else span.last for span in dates]
    return max(ends, default=None)


def _of_absence(clause: Clause, now: datetime, language: Language) -> SelfStatement | None:
    phrase = next((name for name in ("away", "vacation") if table("memories", name).search(clause.folded)), None)
    if phrase is None:
        return None
    habit = read_habit(_without(clause.folded, table("memories", phrase)), now, language, always=False)
    until = _end_of(habit.dates)
    if (
        habit.one_day
        or habit.one_time
        or until is None
        or until < now.date()
        or not is_filler(_without_now(habit.rest))
    ):
        return None
    away = phrase == "away"
    return SelfStatement(
        *clause.own_span,
        (clause.start, clause.end),
        MemoryKind.AVAILABILITY,
        when=when_in(habit.dates),
        excludes=away,
        expires_on=until,
        tells_when=away,
    )


def _without_now(rest: str) -> str:
    return re.sub(r"\bagora\b|\bnow\b|\bcurrently\b", " ", rest)


def _of_oneself(clause: Clause, now: datetime, language: Language) -> SelfStatement | None:
    start = after_leads(clause.folded)
    for name, kind in _ONESELF.items():
        head = table("memories", name).match(clause.folded, start)
        if head is None:
            continue
        end = end_without_reason(clause.folded, head.end())
        tail = clause.folded[head.end() : end]
        if name in _CLOSED and not is_filler(tail):
            return None
        habit = read_habit(clause.folded[start:end], now, language, always=False)
        strangers = any(table("memories", other).search(tail) for other in ("others", "passing", "street"))
        # A time on the clock is part of a working day.
        if (
            strangers
            or habit.one_day
            or habit.dates
            or len(tail.split()) > _LONGEST_TAIL
            or (name in _OPEN and not _names(head, tail))
        ):
            return None
        whole = (clause.start, clause.end)
        return SelfStatement(clause.start + start, clause.start + end, whole, kind, tells_when=False)
    return None


_ONESELF = {
    "home": MemoryKind.PERSONAL,
    "work": MemoryKind.PERSONAL,
    "family": MemoryKind.PERSONAL,
    "standing": MemoryKind.PERSONAL,
    "tastes": MemoryKind.PREFERENCE,
}
_CLOSED = frozenset({"family", "standing", "tastes"})  # statements that are said by their first words alone
_OPEN = frozenset({"home"})
_LONGEST_TAIL = 8


def _names(head: re.Match[str], tail: str) -> bool:
    return re.search(r"[a-z]{2}", tail) is not None or head.group().split()[-1].startswith(("sozinh", "alone"))


@dataclass(frozen=True, slots=True)
class _Named:
    doctors: tuple[str, ...]
    clinics: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def _named(clause: Clause, text: Text, clinics: Sequence[Clinic]) -> _Named:
    doctors = find_doctors(text, clinics)
    found, _ = find_clinics(text, clinics)
    places = [match.span() for match in _CLINIC.finditer(text.folded)] if found else []
    spans = (*doctors.spans, *places)
    if not all(clause.start <= start < clause.end for start, _ in spans):
        return _Named((), (), ())
    is_one = len(doctors.found) == len(doctors.spans) and not doctors.excluded
    inside = tuple((start - clause.start, end - clause.start) for start, end in spans)
    return _Named(tuple(doctor.name for doctor in doctors.found) if is_one else (), found, inside)


_CLINIC = re.compile(r"(?<![a-z])(?:clinica|clinic) [a-z](?![a-z])")


def _without(folded: str, phrase: re.Pattern[str], *spans: tuple[int, int]) -> str:
    first = phrase.search(folded)
    return blanked(folded, (*spans, *([first.span()] if first else [])))
