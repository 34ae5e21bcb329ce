"""What a person wants of an opening: a filter, and what will do instead; which openings come nearest to it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TypeVar

from orchestrator.turn import opening_filter as kinds

_S = TypeVar("_S", bound=kinds.SlotLike)

Distance = tuple[int, int, int]
"""Conditions on doctor and place that fail, days away, minutes away: the first counts before the second."""

_NONE: Distance = (0, 0, 0)


def when_in(
    dates: Iterable[kinds.DateRange] = (), times: Iterable[kinds.TimeRange] = (), weekdays: Iterable[int] = ()
) -> kinds.Filter:
    """Return the filter of days, times and weekdays; what is empty does not restrict."""
    spans, hours, names = tuple(dates), tuple(times), frozenset(weekdays)
    parts: list[kinds.Filter] = [kinds.OnDates(spans)] if spans else []
    parts += [kinds.AtTimes(hours)] if hours else []
    parts += [kinds.OnWeekdays(names)] if names else []
    return kinds.all_of(parts)


def at_begin_of(slot: kinds.SlotLike) -> kinds.Filter:
    """Return the filter of the very day and time of a slot, with whomever and wherever."""
    return when_in((kinds.DateRange(slot.date, slot.date),), (kinds.TimeRange(slot.time, slot.time),))


def of_slot(slot: kinds.SlotLike) -> kinds.Filter:
    """Return the filter of a slot: its doctor, day and time."""
    return kinds.all_of((kinds.WithDoctors(frozenset({slot.doctor})), at_begin_of(slot)))


def spans_of(wanted: kinds.Filter) -> tuple[kinds.DateRange, ...]:
    """Return the spans of days that a filter names."""
    return tuple(span for one in kinds.conditions_of(wanted) if isinstance(one, kinds.OnDates) for span in one.spans)


def hours_of(wanted: kinds.Filter) -> tuple[kinds.TimeRange, ...]:
    """Return the spans of times that a filter names."""
    return tuple(span for one in kinds.conditions_of(wanted) if isinstance(one, kinds.AtTimes) for span in one.spans)


def weekdays_of(wanted: kinds.Filter) -> frozenset[int]:
    """Return the weekdays that a filter names."""
    return frozenset(
        day for one in kinds.conditions_of(wanted) if isinstance(one, kinds.OnWeekdays) for day in one.weekdays
    )


def dates_named(wanted: kinds.Filter) -> frozenset[date]:
    """Return the dates that a filter names, the ends of spans and the next of a weekday among them."""
    spans = frozenset(day for span in spans_of(wanted) for day in (span.first, span.last))
    coming = {day for one in kinds.conditions_of(wanted) if isinstance(one, kinds.OnWeekdays) for day in one.coming}
    return spans | coming | {moment.date() for moment in moments_of(wanted)}


def begins_after(span: kinds.TimeRange) -> time | None:
    """Return the full or half hour that a span begins a minute after, as in "after 15:00"; None for another begin."""
    return time(span.first.hour, span.first.minute - 1) if span.first.minute % 30 == 1 else None


def ends_before(span: kinds.TimeRange) -> time | None:
    """Return the full or half hour that a span ends a minute before, as in "before 10:00"; None for another end."""
    if span.last.minute % 30 < 29 or span.last.hour == 23:  # nothing is before midnight: the day ends
        return None
    return time(span.last.hour, 30) if span.last.minute == 29 else time(span.last.hour + 1)


def times_named(wanted: kinds.Filter) -> frozenset[time]:
    """Return the times of day that a filter names: the ends of spans, and the times that they are before or after."""
    ends = (at for span in hours_of(wanted) for at in (span.first, span.last, begins_after(span), ends_before(span)))
    return frozenset(at for at in ends if at is not None) | {moment.time() for moment in moments_of(wanted)}


def doctors_named(wanted: kinds.Filter) -> frozenset[str]:
    """Return the doctors that a filter names."""
    return frozenset(
        name for one in kinds.conditions_of(wanted) if isinstance(one, kinds.WithDoctors) for name in one.names
    )


def specialties_named(wanted: kinds.Filter) -> frozenset[str]:
    """Return the codes of the specialties that a filter wants."""
    of_specialty = (one for one in kinds.conditions_of(wanted, denied=False) if isinstance(one, kinds.OfSpecialty))
    return frozenset(one.code for one in of_specialty)


def moments_of(wanted: kinds.Filter) -> list[datetime]:
    """Return the moments that a filter wants something earlier or later than."""
    return [one.moment for one in kinds.conditions_of(wanted) if isinstance(one, kinds.Beside)]


def on_coming_days(wanted: kinds.Filter) -> kinds.Filter:
    """Return the filter with each bare weekday narrowed to the next such day, those under a `Not` left alone."""

    def narrowed(condition: kinds.Condition) -> kinds.Condition:
        coming = condition.coming if isinstance(condition, kinds.OnWeekdays) else ()
        return kinds.OnDates(tuple(kinds.DateRange(day, day) for day in coming)) if coming else condition

    return kinds.replaced(wanted, narrowed, denied=False)


@dataclass(frozen=True, slots=True)
class Wish:
    """When, with whom and where it suits: a filter, and what will do instead."""

    filter: kinds.Filter = kinds.ANY_OPENING
    otherwise: tuple[kinds.Filter, ...] = ()  # in order; the first that has openings counts

    def __bool__(self) -> bool:
        return self != ANYTHING

    def and_also(self, *conditions: kinds.Filter) -> "Wish":
        """Return the wish with more conditions on all its filters."""
        return Wish(
            kinds.all_of((self.filter, *conditions)), tuple(kinds.all_of((one, *conditions)) for one in self.otherwise)
        )

    @staticmethod
    def of_either(wishes: "Sequence[Wish]") -> "Wish":
        """Return the wish of several that are looked up together, and what will do instead where one has something."""
        instead = (kinds.any_of(one.widest for one in wishes),) if any(one.otherwise for one in wishes) else ()
        return Wish(kinds.any_of(one.filter for one in wishes), instead)

    def replaced(self, change: Callable[[kinds.Condition], kinds.Filter]) -> "Wish":
        """Return the wish with each condition changed."""
        return Wish(kinds.replaced(self.filter, change), tuple(kinds.replaced(one, change) for one in self.otherwise))

    def lifted(self, *conditions: type[kinds.Condition]) -> "Wish":
        """Return the wish without conditions of some types."""
        return self.replaced(lambda one: kinds.ANY_OPENING if isinstance(one, conditions) else one)

    @property
    def chain(self) -> tuple[kinds.Filter, ...]:
        """All filters in order, each with the coming days before any later ones."""
        links = (self.filter, *self.otherwise)
        return tuple(dict.fromkeys(step for link in links for step in (on_coming_days(link), link)))

    def narrowed_to(self, slots: Iterable[_S]) -> tuple[kinds.Filter, list[_S]]:
        """Return the first filter of the chain that has openings, with them; the first one and none where none has."""
        known = list(slots)
        for link in self.chain:
            if found := [slot for slot in known if kinds.fits(link, slot)]:
                return link, found
        return self.chain[0], []

    @property
    def widest(self) -> kinds.Filter:
        """What is accepted at all."""
        return kinds.any_of((self.filter, *self.otherwise))


ANYTHING = Wish()  # a wish that accepts every opening


def nearest(openings: Iterable[_S], wanted: kinds.Filter, most: int) -> list[_S]:
    """Return the openings nearest to a filter, nearest first and else in their order; none that it excludes."""
    far = [(distance, one) for one in openings if (distance := distance_of(wanted, one)) is not None]
    return [one for _, one in sorted(far, key=lambda pair: pair[0])[:most]]


def distance_of(wanted: kinds.Filter, slot: kinds.SlotLike) -> Distance | None:
    """Return how far an opening is from a filter; None where the filter excludes it."""
    match wanted:
        case kinds.AllOf(parts):
            every = [distance_of(part, slot) for part in parts]
            known = [one for one in every if one is not None]
            who, days, minutes = zip(_NONE, *known, strict=True)
            return None if len(known) < len(every) else (sum(who), sum(days), sum(minutes))
        case kinds.AnyOf(parts):
            return min((one for part in parts if (one := distance_of(part, slot)) is not None), default=None)
        case kinds.Not():
            return _NONE if kinds.fits(wanted, slot) else None
        case _:
            return _NONE if kinds.fits(wanted, slot) else _from_condition(wanted, slot)


def _from_condition(condition: kinds.Condition, slot: kinds.SlotLike) -> Distance:
    match condition:
        case kinds.OnDates(spans):
            return 0, min(_days(slot.date, end) for span in spans for end in (span.first, span.last)), 0
        case kinds.OnWeekdays(weekdays, coming):
            away = [_days(slot.date, day) for day in coming]
            ahead = [abs(slot.date.weekday() - day) for day in weekdays]
            return 0, min(away or [min(one, 7 - one) for one in ahead]), 0
        case kinds.AtTimes(spans):
            return 0, 0, min(_minutes(slot.time, end) for span in spans for end in (span.first, span.last))
        case kinds.Beside(moment):
            return 0, _days(slot.date, moment.date()), _minutes(slot.time, moment.time())
        case _:
            return 1, 0, 0


def _days(day: date, other: date) -> int:
    return abs((day - other).days)


def _minutes(at: time, other: time) -> int:
    return int(abs(datetime.combine(date.min, at) - datetime.combine(date.min, other)).total_seconds()) // 60
