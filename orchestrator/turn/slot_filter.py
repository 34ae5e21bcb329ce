"""What a person said about when it suits them, as a filter over openings.

A filter is a value: the planner builds it, the verifier holds the reply to it, the responder says what it hid. It
never travels to a clinic.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(frozen=True, slots=True)
class TimeRange:
    """Times of day from `first` to `last`, both included."""

    first: time
    last: time

    def __contains__(self, at: time) -> bool:
        return self.first <= at <= self.last


@dataclass(frozen=True, slots=True)
class SlotFilter:
    """Openings that a person would accept; an empty filter accepts all.

    Attributes:
        dates: The day must lie in one of these; empty means any day.
        times: The time must lie in one of these; empty means any time.
        weekdays: The weekday must be one of these (0 is Monday); empty means any.
        excluded_dates: Days that do not suit.
        excluded_weekdays: Weekdays that do not suit.
    """

    dates: tuple[DateRange, ...] = ()
    times: tuple[TimeRange, ...] = ()
    weekdays: frozenset[int] = frozenset()
    excluded_dates: tuple[DateRange, ...] = ()
    excluded_weekdays: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self != ANY_SLOT

    def admits(self, day: date, at: time) -> bool:
        """Return whether an opening at `day` and `at` is acceptable."""
        return (
            (not self.dates or any(day in span for span in self.dates))
            and (not self.times or any(at in span for span in self.times))
            and (not self.weekdays or day.weekday() in self.weekdays)
            and not any(day in span for span in self.excluded_dates)
            and day.weekday() not in self.excluded_weekdays
        )


ANY_SLOT = SlotFilter()
"""Accepts every opening."""
