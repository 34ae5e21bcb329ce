"""Read one clause as a statement of the speaker: when, with whom and where it suits, whom they dislike, who they are.

A clause counts when all of its words are accounted for, or it begins as a statement about nobody else and no health.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache

from orchestrator.planner.about_self.clauses import Clause, after_leads, is_filler
from orchestrator.planner.calendar import Habit, Reference, read_habit
from orchestrator.planner.lexicon import phrases, rows, table
from orchestrator.planner.text import Text, blanked, normalise
from orchestrator.planner.wishes import Wishes, clinics_at, doctors_at
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
    any_of,
    when_in,
)


@dataclass(frozen=True, slots=True)
class SelfStatement:
    """One thing that somebody states of themselves."""

    start: int  # where it begins in the folded text
    end: int
    clause: tuple[int, int]  # where its clauses begin and end, with their leads
    kind: MemoryKind
    habitual: bool = True  # the words alone make it a habit; otherwise what is being talked of might be meant
    suits: Filter = ANY_OPENING  # the openings that are as it says
    picks: bool = False  # it speaks well of doctors or clinics, which might only choose one of them
    dislikes: bool = False  # it speaks ill of doctors, clinics or something else
    expires_on: date | None = None  # the last day on which it holds; None for no end
    tells_when: bool = True  # it says what suits; a vacation may suit or not


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause is read against."""

    text: Text  # the utterance
    now: datetime
    language: Language
    clinics: Sequence[Clinic]


def read_statement(clause: Clause, reading: Reading, *, follows: bool) -> SelfStatement | None:
    """Return what a clause states; what `follows` from a lasting fact is a habit."""
    if table("memories", "health_words").search(clause.folded) or clause.has_exception:
        return None
    return (
        _of_absence(clause, reading)
        or _of_taste(clause, reading)
        or _of_fit(clause, reading, follows=follows)
        or _of_oneself(clause, reading)
    )


def _of_taste(clause: Clause, reading: Reading) -> SelfStatement | None:
    """Return whom or what a clause likes or dislikes; a dislike may be of anything, the rest is of whom it names."""
    named, start = _named(clause, reading), after_leads(clause.folded)
    calls_somebody = named.spans or table("memories", "visited").search(clause.folded)
    for name in ("dislike", "refusal", "liking", "verdict") if calls_somebody else ("dislike",):
        # The point of a title would end a phrase.
        said = clause.folded.replace(".", " ")
        read = table("memories", name)
        head = read.search(said, start) if name == "verdict" else read.match(said, start)
        if head is None or not _is_short(clause.reasoned[head.end() :]):
            continue
        if table("memories", "these").search(clause.folded, start):
            return None
        likes = name == "liking"
        return SelfStatement(
            *clause.own_span,
            (clause.start, clause.end),
            MemoryKind.PREFERENCE if likes else MemoryKind.RESTRICTION,
            suits=named.any if likes else named.none,
            picks=likes,
            dislikes=not likes,
        )
    return None


def _of_fit(clause: Clause, reading: Reading, *, follows: bool) -> SelfStatement | None:
    """Return what a clause says of when and with whom it suits."""
    phrase = next((name for name in FIT if table("memories", name).search(clause.folded)), None)
    if phrase is None:
        return None
    named = _named(clause, reading)
    always = follows or table("memories", "always").search(clause.folded) is not None
    remainder = _without(clause.reasoned, table("memories", phrase), *named.spans)
    habit = read_habit(remainder, reading.now, reading.language, always=always)
    says_month = phrase != "prefer" and _months().search(clause.folded) is not None
    momentary = habit.one_day or habit.one_time or (habit.dates and not says_month)
    says_when = habit.weekdays or habit.times or habit.dates
    if momentary or not is_filler(habit.rest) or not (says_when or named.spans or follows):
        return None
    if named.spans and phrase != "prefer":
        return None
    habitual = always or bool(habit.weekdays)
    speakers = ("speaker", *_IMPERSONAL[habitual])
    if not follows and not any(table("memories", who).search(clause.folded) for who in speakers):
        return None
    return SelfStatement(
        *clause.own_span,
        (clause.start, clause.end),
        MemoryKind.AVAILABILITY if habit.dates else FIT[phrase],
        habitual=habitual,
        suits=all_of((_suiting(clause, habit, phrase, reading), named.any)),
        picks=bool(named.spans),
        expires_on=_end_of(habit.dates),
    )


def _suiting(clause: Clause, habit: Habit, phrase: str, reading: Reading) -> Filter:
    if len(habit.weekdays) > 1 and len(habit.times) > 1:  # pairs stay pairs
        scanned = Wishes.scanned(normalise(clause.reasoned), Reference(reading.now, reading.language), reading.clinics)
        return scanned.requests()[0].wish.filter
    when = when_in(habit.dates, habit.times, habit.weekdays)
    only = table("memories", phrase).search(clause.folded)
    if phrase == "only" and habit.weekdays and habit.times and only and habit.speaks_of_days(only.start()):
        return any_of((Not(when_in(weekdays=habit.weekdays)), when_in(habit.dates, habit.times)))
    return Not(when) if phrase == "never" else when


_IMPERSONAL = {True: ("impersonal",), False: ()}  # who speaks may be left out where the words make a habit of it
FIT = {"never": MemoryKind.RESTRICTION, "only": MemoryKind.RESTRICTION, "prefer": MemoryKind.PREFERENCE}


@cache
def _months() -> re.Pattern[str]:
    return phrases([row for n in range(1, 13) for lang in Language for row in rows("calendar", f"{lang}.MON{n}")])


def _end_of(dates: Sequence[DateRange]) -> date | None:
    ends = [span.first if span.last == date.max else span.last for span in dates]
    return max(ends, default=None)


def _of_absence(clause: Clause, reading: Reading) -> SelfStatement | None:
    phrase = next((name for name in ("away", "vacation") if table("memories", name).search(clause.folded)), None)
    if phrase is None:
        return None
    remainder = _without(clause.reasoned, table("memories", phrase))
    habit = read_habit(remainder, reading.now, reading.language, always=False)
    until = _end_of(habit.dates)
    ended = until is None or until < reading.now.date()
    if habit.one_day or habit.one_time or ended or not is_filler(_without_now(habit.rest)):
        return None
    return SelfStatement(
        *clause.own_span,
        (clause.start, clause.end),
        MemoryKind.AVAILABILITY,
        suits=Not(when_in(habit.dates)) if phrase == "away" else when_in(habit.dates),
        tells_when=phrase == "away",
        expires_on=until,
    )


def _without_now(rest: str) -> str:
    return _NOW_OR_THERE.sub(" ", rest)


_NOW_OR_THERE = re.compile(
    r"\b(?:agora|now|currently|(?:para|to|in|em|no|na) (?:[ao]s? |the )?[a-z]+(?: (?:d[aeo]s? )?[a-z]+)?)\b"
)


def _of_oneself(clause: Clause, reading: Reading) -> SelfStatement | None:
    start = after_leads(clause.folded)
    for name, kind in _ONESELF.items():
        head = table("memories", name).match(clause.folded, start)
        if head is None:
            continue
        tail = clause.reasoned[head.end() :]
        if name in _CLOSED and not is_filler(tail) and (name == "tastes" or _DETAIL.match(tail) is None):
            return None
        habit = read_habit(clause.reasoned[start:], reading.now, reading.language, always=False)
        strangers = any(table("memories", other).search(tail) for other in ("others", "passing", "street"))
        # A time on the clock is part of a working day.
        if (
            strangers
            or habit.one_day
            or habit.dates
            or not _is_short(tail)
            or (name in _OPEN and not _names(head, tail))
        ):
            return None
        return SelfStatement(*clause.own_span, (clause.start, clause.end), kind)
    return None


_ONESELF = {
    "home": MemoryKind.PERSONAL,
    "work": MemoryKind.PERSONAL,
    "family": MemoryKind.PERSONAL,
    "standing": MemoryKind.PERSONAL,
    "tastes": MemoryKind.PREFERENCE,
    "leanings": MemoryKind.PREFERENCE,
}
_CLOSED = frozenset({"family", "standing", "tastes"})  # statements that are said by their first words alone
_OPEN = frozenset({"home"})
_DETAIL = re.compile(r" (?:d[eao]s?|n[ao]s?|em|a|at|of|in|for) [a-z]")
_LONGEST_TAIL = 12


def _is_short(tail: str) -> bool:
    return len(tail.split()) <= _LONGEST_TAIL


def _names(head: re.Match[str], tail: str) -> bool:
    return re.search(r"[a-z]{2}", tail) is not None or head.group().split()[-1].startswith(("sozinh", "alone"))


@dataclass(frozen=True, slots=True)
class _Named:
    """The doctors and clinics of a clause."""

    any: Filter  # what is with one of them
    none: Filter  # what is with none of them
    spans: tuple[tuple[int, int], ...]  # where they are named in the clause


def _named(clause: Clause, reading: Reading) -> _Named:
    inside = range(clause.start, clause.end)
    doctors = [found for found in doctors_at(reading.text, reading.clinics) if found[0] in inside]
    places = [found for found in clinics_at(reading.text, reading.clinics) if found[0] in inside]
    certain = all(len(group) == 1 for _, _, group in doctors)
    names = frozenset(doctor.name for _, _, group in doctors for doctor in group)
    ids = frozenset(place for _, _, place in places)
    found = ((AtClinics(ids),) if ids else ()) + ((WithDoctors(names),) if names and certain else ())
    spans = tuple((start - clause.start, end - clause.start) for start, end, _ in (*doctors, *places))
    return _Named(all_of(found), all_of(map(Not, found)), spans)


def _without(folded: str, phrase: re.Pattern[str], *spans: tuple[int, int]) -> str:
    first = phrase.search(folded)
    return blanked(folded, (*spans, *([first.span()] if first else [])))
