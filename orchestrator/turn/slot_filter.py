"""Which openings suit a person: as asked for in this turn, and as said in earlier conversations."""

from __future__ import annotations

from dataclasses import dataclass, field
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
    """Openings that a person would accept; an empty filter accepts all."""

    dates: tuple[DateRange, ...] = ()  # the day must lie in one of these; empty means any day
    times: tuple[TimeRange, ...] = ()  # the time must lie in one of these; empty means any time
    weekdays: frozenset[int] = frozenset()  # the weekday must be one of these (0 is Monday); empty means any
    excluded_dates: tuple[DateRange, ...] = ()  # days that do not suit
    excluded_weekdays: frozenset[int] = frozenset()  # weekdays that do not suit

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


@dataclass(frozen=True, slots=True)
class SlotPreference:
    """One such sentence, and which openings it means."""

    said: str = field(repr=False)  # the sentence as it is remembered
    when: SlotFilter = ANY_SLOT  # days and times that it speaks of
    doctors: tuple[str, ...] = ()  # doctors that it speaks of, full names with title; empty means any
    clinics: tuple[str, ...] = ()  # ids of the clinics that it speaks of; empty means any
    excludes: bool = False  # what it speaks of does not suit; otherwise only that suits
    binding: bool = True  # whether openings against it are marked; a preference is told only

    def suits(self, clinic: str, doctor: str, day: date, at: time) -> bool:
        """Return whether an opening is as the person said."""
        spoken_of = (
            self.when.admits(day, at)
            and (not self.doctors or doctor in self.doctors)
            and (not self.clinics or clinic in self.clinics)
        )
        return spoken_of != self.excludes
