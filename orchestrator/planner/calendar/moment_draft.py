"""A moment in the making: gathers the values that an utterance says of one point or stretch of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import assert_never

from orchestrator.planner.calendar import time_grammar
from orchestrator.planner.calendar.moments import Clock, Day, Days, Hours, Instant, Moment, MomentRole, Value, Weekday
from orchestrator.turn import DateRange


@dataclass(slots=True)
class MomentDraft:
    """A moment in the making."""

    start: int
    end: int
    role: MomentRole
    dates: list[date] = field(default_factory=list)
    days: list[DateRange] = field(default_factory=list)
    clocks: list[Clock] = field(default_factory=list)
    hours: list[Hours] = field(default_factory=list)
    weekday: int | None = None
    exists: bool = True  # the day does
    conflict: bool = False

    @property
    def has_day(self) -> bool:
        """Whether a day or stretch of days was said."""
        return bool(self.dates or self.days) or not self.exists

    def add(self, value: Value) -> None:
        """Take a value into the moment."""
        match value:
            case Day(dates=dates, conflict=conflict):
                self.dates += dates
                self.conflict = self.conflict or conflict
                self.exists = self.exists and bool(dates)
                self.weekday = None
            case Weekday(weekday=weekday, dates=dates):
                self.dates += dates
                self.weekday = weekday
            case Days(span=span, otherwise=otherwise):
                self.days += (span,) if otherwise is None else (span, otherwise)
            case Clock():
                self.clocks.append(value)
            case Hours():
                self.hours.append(value)
            case Instant(date=day, time=at):
                self.dates.append(day)
                self.clocks.append(Clock(at.hour, at.minute, open=False))
            case _:
                assert_never(value)

    def moment(self) -> Moment:
        """Return the finished moment; a part of the day settles an open time."""
        parts = [hours.part for hours in self.hours if hours.part is not None]
        clocks = [time_grammar.in_part(clock, parts[0]) for clock in self.clocks] if parts else self.clocks
        times = tuple(dict.fromkeys(reading for clock in clocks for reading in time_grammar.readings(clock)))
        return Moment(
            self.start,
            self.end,
            dates=tuple(dict.fromkeys(self.dates)),
            times=times,
            days=() if self.dates else tuple(self.days),
            hours=() if times else tuple(hours.span for hours in self.hours),
            role=self.role,
            weekday=self.weekday,
            exists=self.exists and all(clock.exists for clock in self.clocks),
            conflict=self.conflict,
        )
