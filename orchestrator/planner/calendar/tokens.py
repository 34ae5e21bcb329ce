"""The pieces that the date and time grammars recognise, before they are joined into moments."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time

from orchestrator.turn import DateRange, Language, TimeRange


@dataclass(frozen=True, slots=True)
class Day:
    """One day.

    Attributes:
        dates: Its possible dates, the likeliest first; none for a day that does not exist ("31/02").
        counted: Reached by counting ("daqui a duas semanas"), so that a weekday beside it picks a day of that week.
    """

    dates: tuple[date, ...]
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Weekday:
    """A bare weekday ("sexta"): its next dates, and the weekday itself, for "menos sexta" and "sexta dia 18"."""

    weekday: int
    dates: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of days ("semana que vem")."""

    span: DateRange


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as said, on a dial that may not tell morning from evening.

    Attributes:
        hour: 0 to 23, as said.
        minute: 0 to 59.
        open: Whether twelve hours later may be meant as well.
    """

    hour: int
    minute: int
    open: bool


@dataclass(frozen=True, slots=True)
class Hours:
    """A stretch of the day.

    Attributes:
        span: Its times.
        part: Its name when it is a part of the day ("morning"), which can settle a `Clock`.
    """

    span: TimeRange
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Instant:
    """A day, and a time when hours were counted ("daqui a duas horas")."""

    date: date
    time: time


Value = Day | Weekday | Days | Clock | Hours | Instant


@dataclass(frozen=True, slots=True)
class Atom:
    """A value and the part of the rewritten text that said it."""

    start: int
    end: int
    value: Value


@dataclass(frozen=True, slots=True)
class Reference:
    """What phrases are resolved against: the current instant in the clinics' time zone, and the language's habits."""

    now: datetime
    language: Language

    @property
    def today(self) -> date:
        """The current day."""
        return self.now.date()


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """One form of saying a value.

    Attributes:
        pattern: The form, over rewritten text.
        read: Resolves a match; None when it is no such value after all ("dia 45").
    """

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Reference], Value | None]


def claim(
    rules: tuple[GrammarRule, ...], symbols: str, reference: Reference, taken: list[tuple[int, int]]
) -> list[Atom]:
    """Applies rules in their order; what one has read, a later one cannot read again.

    Args:
        rules: The forms, the more specific first.
        symbols: The rewritten text.
        reference: What to resolve against.
        taken: Parts that are spoken for; extended by what is found.

    Returns:
        The atoms found, in no particular order.
    """
    found: list[Atom] = []
    for rule in rules:
        for match in rule.pattern.finditer(symbols):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            value = rule.read(match, reference)
            if value is not None:
                found.append(Atom(match.start(), match.end(), value))
                taken.append(match.span())
    return found
