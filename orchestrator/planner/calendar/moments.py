"""What a person said about when: typed dates, times and ranges, and the forms of the lexicon that say them.

A value with several readings stays open until the listed openings, or a question, settle it (`Moment.matches`).
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from functools import partial
from typing import Any

from orchestrator.planner import lexicon
from orchestrator.turn import DateRange, Filter, Language, TimeRange, verdict, when_in

_FILE = "calendar_forms"
pattern = partial(lexicon.pattern, _FILE)

MomentRole = StrEnum("MomentRole", "SOURCE TARGET UNSAID")  # which end of a move it is: "do dia 18 para o dia 19"


@dataclass(frozen=True, slots=True)
class Moment:
    """One point or stretch of time that was mentioned."""

    start: int  # where it begins in `Text.folded`
    end: int  # where it ends there (exclusive)
    dates: tuple[dt.date, ...] = ()  # possible days, the likeliest first; empty when no single day was said
    times: tuple[dt.time, ...] = ()  # possible times of day, likewise
    days: tuple[DateRange, ...] = ()  # stretches of days ("semana que vem"); any of them will do
    hours: tuple[TimeRange, ...] = ()  # stretches of the day ("de manhã", "depois das 15h"); any of them will do
    role: MomentRole = MomentRole.UNSAID
    weekday: int | None = None  # the weekday when it was said bare ("quarta"), 0 is Monday
    exists: bool = True  # False for a day or time that nothing shows ("31/02", "25h")
    conflict: bool = False  # its weekday does not fit its date: `dates` has those of both, and a question settles it

    @property
    def date(self) -> dt.date | None:
        """The day, when only one is possible."""
        return self.dates[0] if len(self.dates) == 1 else None

    @property
    def time(self) -> dt.time | None:
        """The time of day, when only one is possible."""
        return self.times[0] if len(self.times) == 1 else None

    @property
    def slot(self) -> tuple[dt.date, dt.time] | None:
        """The day and time, when it is certain of both."""
        return (self.date, self.time) if self.exists and self.date is not None and self.time is not None else None

    def matches(self, day: dt.date, at: dt.time) -> bool:
        """Return whether an opening fits some reading."""
        return self.exists and verdict(self.filter, "", "", datetime.combine(day, at)) is True

    @property
    def filter(self) -> Filter:
        """The moment as a filter over openings."""
        days = tuple(DateRange(day, day) for day in self.dates) + self.days
        return when_in(days, tuple(TimeRange(at, at) for at in self.times) + self.hours)


@dataclass(frozen=True, slots=True)
class Day:
    """One day."""

    dates: tuple[date, ...]  # its possible dates, the likeliest first; none for a day that does not exist ("31/02")
    counted: bool = False  # it was counted ("daqui a duas semanas"): a weekday beside it picks a day of that week
    conflict: bool = False  # a weekday was said that does not fit ("terça, dia 25"): `dates` has what either may mean


@dataclass(frozen=True, slots=True)
class Weekday:
    """A bare weekday ("sexta") and its next dates."""

    weekday: int
    dates: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of days ("semana que vem")."""

    span: DateRange
    otherwise: DateRange | None = None  # the stretch that is meant when nothing is left in the first: the next weekend
    any_weekend: bool = False  # the coming weekend first, and any other alike


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as said; `open` when twelve hours later may be meant as well."""

    hour: int
    minute: int
    open: bool
    exists: bool = True  # False for what no clock shows ("25h")


@dataclass(frozen=True, slots=True)
class Hours:
    """A stretch of the day; `part` is its name when it is a part of the day ("morning"), which can settle a `Clock`."""

    span: TimeRange
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Instant:
    """A day and a time, from counted hours ("daqui a duas horas")."""

    date: date
    time: time

    @property
    def dates(self) -> tuple[dt.date, ...]:
        """Its day, as the other values have theirs."""
        return (self.date,)


Value = Day | Weekday | Days | Clock | Hours | Instant


@dataclass(frozen=True, slots=True)
class Atom:
    """A value and where the rewritten text says it."""

    start: int
    end: int
    value: Value


@dataclass(frozen=True, slots=True)
class Reference:
    """What phrases are resolved against: the current instant in the clinics' time zone, and the language."""

    now: datetime
    language: Language
    beside: date | None = None  # the day on the table, in whose week a bare weekday is where that is a later one
    first_listed: date | None = None  # of the openings on the screen, so that today's weekday may as well be today

    @property
    def today(self) -> date:
        """The current day."""
        return self.now.date()


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """One form of saying a value."""

    pattern: re.Pattern[str]  # the form, over rewritten text
    needs: frozenset[str]  # pieces of which a text holds one where the form is in it
    read: Callable[[re.Match[str], Reference], Value | None]  # None for what is no value after all ("dia 45")


def forms(section: str, readers: Mapping[str, Any]) -> tuple[GrammarRule, ...]:
    """Return the forms of a section of the lexicon; `readers` is the namespace of the functions that they name."""
    return tuple(_rule(row, readers) for row in lexicon.rows(_FILE, section))


def _rule(row: str, readers: Mapping[str, Any]) -> GrammarRule:
    said, _, form = row.partition(" = ")
    name, *ahead = said.split()
    return GrammarRule(lexicon.compiled(form), lexicon.needed(form), partial(readers[f"_{name}"], *map(int, ahead)))


def claim(
    rules: tuple[GrammarRule, ...], symbols: str, reference: Reference, taken: list[tuple[int, int]]
) -> list[Atom]:
    """Return the atoms that rules find, in no order; a rule reads only what is not yet in `taken`, and extends it."""
    found, pieces = list[Atom](), lexicon.pieces_in(symbols)
    for rule in rules:
        if rule.needs.isdisjoint(pieces):
            continue
        for match in rule.pattern.finditer(symbols):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            value = rule.read(match, reference)
            if value is not None:
                found.append(Atom(match.start(), match.end(), value))
                taken.append(match.span())
    return found
