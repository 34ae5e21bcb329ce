"""Which openings come nearest to what was asked for, where none is as it was asked for."""

from collections.abc import Iterable
from datetime import date, datetime, time
from typing import TypeVar

from orchestrator.turn.opening_filter import (
    AllOf,
    AnyOf,
    AtTimes,
    Beside,
    Condition,
    Filter,
    Not,
    OnDates,
    OnWeekdays,
    SlotLike,
    fits,
)

_S = TypeVar("_S", bound=SlotLike)

Distance = tuple[int, int, int]
"""Conditions on doctor and place that fail, days away, minutes away: the first counts before the second."""

_NONE: Distance = (0, 0, 0)


def nearest(openings: Iterable[_S], wanted: Filter, most: int) -> list[_S]:
    """Return the openings nearest to a filter, nearest first and else in their order; none that it excludes."""
    far = [(distance, one) for one in openings if (distance := distance_of(wanted, one)) is not None]
    return [one for _, one in sorted(far, key=lambda pair: pair[0])[:most]]


def distance_of(wanted: Filter, slot: SlotLike) -> Distance | None:
    """Return how far an opening is from a filter; None where the filter excludes it."""
    match wanted:
        case AllOf(parts):
            every = [distance_of(part, slot) for part in parts]
            known = [one for one in every if one is not None]
            return None if len(known) < len(every) else _sum(known)
        case AnyOf(parts):
            return min((one for part in parts if (one := distance_of(part, slot)) is not None), default=None)
        case Not():
            return _NONE if fits(wanted, slot) else None
        case _:
            return _NONE if fits(wanted, slot) else _from_condition(wanted, slot)


def _sum(distances: Iterable[Distance]) -> Distance:
    who, days, minutes = zip(_NONE, *distances, strict=True)
    return sum(who), sum(days), sum(minutes)


def _from_condition(condition: Condition, slot: SlotLike) -> Distance:
    match condition:
        case OnDates(spans):
            return 0, min(_days(slot.date, end) for span in spans for end in (span.first, span.last)), 0
        case OnWeekdays(weekdays, coming):
            away = [_days(slot.date, day) for day in coming]
            ahead = [abs(slot.date.weekday() - day) for day in weekdays]
            return 0, min(away or [min(one, 7 - one) for one in ahead]), 0
        case AtTimes(spans):
            return 0, 0, min(_minutes(slot.time, end) for span in spans for end in (span.first, span.last))
        case Beside(moment):
            return 0, _days(slot.date, moment.date()), _minutes(slot.time, moment.time())
        case _:
            return 1, 0, 0


def _days(day: date, other: date) -> int:
    return abs((day - other).days)


def _minutes(at: time, other: time) -> int:
    return int(abs(datetime.combine(date.min, at) - datetime.combine(date.min, other)).total_seconds()) // 60
