"""Which openings a person would accept: conditions joined by all, any and not.

A filter is a value. `fits` is its whole meaning; everything else here rewrites filters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from typing import Protocol, TypeVar, assert_never


class Slot(Protocol):
    """An opening or an appointment, as far as a filter looks at it."""

    @property
    def clinic(self) -> str:
        """The clinic's id."""
        ...

    @property
    def doctor(self) -> str:
        """The doctor's full name with title."""
        ...

    @property
    def date(self) -> date:
        """The day."""
        ...

    @property
    def time(self) -> time:
        """The time of day."""
        ...


_S = TypeVar("_S", bound=Slot)


class Axis(StrEnum):
    """What a condition is about."""

    DAY = "day"
    TIME = "time"
    MOMENT = "moment"  # day and time together
    DOCTOR = "doctor"
    GENDER = "gender"
    CLINIC = "clinic"
    SPECIALTY = "specialty"


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
class OnDates:
    """The day lies in one of some spans."""

    spans: tuple[DateRange, ...]


@dataclass(frozen=True, slots=True)
class OnWeekdays:
    """The day is one of some weekdays; 0 is Monday."""

    weekdays: frozenset[int]
    coming: tuple[date, ...] = ()  # the next such days, which are meant first; empty where any is meant alike


@dataclass(frozen=True, slots=True)
class AtTimes:
    """The time lies in one of some spans."""

    spans: tuple[TimeRange, ...]


@dataclass(frozen=True, slots=True)
class SoonerThan:
    """The opening begins before a moment."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class LaterThan:
    """The opening begins after a moment."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class WithDoctors:
    """The doctor is one of some, by full names with title."""

    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class WithWoman:
    """The doctor is a woman, by her title; a man with `woman` False."""

    woman: bool


@dataclass(frozen=True, slots=True)
class AtClinics:
    """The clinic is one of some, by id."""

    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class OfSpecialty:
    """The clinic is one of a specialty."""

    code: str
    clinics: frozenset[str]  # ids of all clinics of the specialty


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; without parts, every opening fits."""

    parts: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Filter


Condition = OnDates | OnWeekdays | AtTimes | SoonerThan | LaterThan | WithDoctors | WithWoman | AtClinics | OfSpecialty
Filter = Condition | AllOf | AnyOf | Not

ANY_OPENING = AllOf()
"""A filter that accepts every opening."""


def fits(wanted: Filter, slot: Slot) -> bool:
    """Return whether an opening is what the filter asks for."""
    match wanted:
        case AllOf(parts):
            verdict = all(fits(part, slot) for part in parts)
        case AnyOf(parts):
            verdict = any(fits(part, slot) for part in parts)
        case Not(part):
            verdict = not fits(part, slot)
        case OnDates(spans):
            verdict = any(slot.date in span for span in spans)
        case OnWeekdays(weekdays):
            verdict = slot.date.weekday() in weekdays
        case AtTimes(spans):
            verdict = any(slot.time in span for span in spans)
        case SoonerThan(moment):
            verdict = datetime.combine(slot.date, slot.time) < moment
        case LaterThan(moment):
            verdict = datetime.combine(slot.date, slot.time) > moment
        case _:
            verdict = _fits_place(wanted, slot.clinic, slot.doctor)
    return verdict


def may_fit(wanted: Filter, clinic: str, doctor: str) -> bool | None:
    """Return whether openings of a doctor fit: True for all, False for none, None where day and time decide."""
    match wanted:
        case AllOf(parts):
            verdicts = [may_fit(part, clinic, doctor) for part in parts]
            return False if False in verdicts else None if None in verdicts else True
        case AnyOf(parts):
            verdicts = [may_fit(part, clinic, doctor) for part in parts]
            return True if True in verdicts else None if None in verdicts else False
        case Not(part):
            verdict = may_fit(part, clinic, doctor)
            return None if verdict is None else not verdict
        case OnDates() | OnWeekdays() | AtTimes() | SoonerThan() | LaterThan():
            return None
        case _:
            return _fits_place(wanted, clinic, doctor)


def _fits_place(condition: WithDoctors | WithWoman | AtClinics | OfSpecialty, clinic: str, doctor: str) -> bool:
    match condition:
        case WithDoctors(names):
            return doctor in names
        case WithWoman(woman):
            return is_woman(doctor) == woman
        case AtClinics(ids):
            return clinic in ids
        case OfSpecialty(clinics=clinics):
            return clinic in clinics
        case _:
            assert_never(condition)


def is_woman(doctor: str) -> bool:
    """Return whether a doctor's title is a woman's."""
    return doctor.casefold().startswith(("dra", "doutora"))


_AXES: dict[type, Axis] = {
    OnDates: Axis.DAY,
    OnWeekdays: Axis.DAY,
    AtTimes: Axis.TIME,
    SoonerThan: Axis.MOMENT,
    LaterThan: Axis.MOMENT,
    WithDoctors: Axis.DOCTOR,
    WithWoman: Axis.GENDER,
    AtClinics: Axis.CLINIC,
    OfSpecialty: Axis.SPECIALTY,
}


def axes_of(wanted: Filter) -> frozenset[Axis]:
    """Return what a filter's conditions are about."""
    return frozenset(_AXES[type(condition)] for condition in conditions_of(wanted))


def conditions_of(wanted: Filter) -> tuple[Condition, ...]:
    """Return the conditions of a filter, in their order, those under a `Not` too."""
    match wanted:
        case AllOf(parts) | AnyOf(parts):
            return tuple(condition for part in parts for condition in conditions_of(part))
        case Not(part):
            return conditions_of(part)
        case _:
            return (wanted,)


def wanted_of(wanted: Filter) -> tuple[Condition, ...]:
    """Return the conditions of a filter, in their order, those under a `Not` left out."""
    match wanted:
        case AllOf(parts) | AnyOf(parts):
            return tuple(condition for part in parts for condition in wanted_of(part))
        case Not():
            return ()
        case _:
            return (wanted,)


def replaced(wanted: Filter, change: Callable[[Condition], Filter]) -> Filter:
    """Return a filter with each condition changed."""
    match wanted:
        case AllOf(parts):
            return all_of(replaced(part, change) for part in parts)
        case AnyOf(parts):
            return any_of(replaced(part, change) for part in parts)
        case Not(part):
            return Not(replaced(part, change))
        case _:
            return change(wanted)


def all_of(parts: Iterable[Filter]) -> Filter:
    """Join filters so that all must hold."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, AllOf) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else AllOf(once)


def any_of(parts: Iterable[Filter]) -> Filter:
    """Join filters so that one is enough; at least one part is needed."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, AnyOf) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else AnyOf(once)


def conjuncts(wanted: Filter) -> tuple[Filter, ...]:
    """Return the parts that must all hold."""
    return wanted.parts if isinstance(wanted, AllOf) else (wanted,)


def without(wanted: Filter, axes: frozenset[Axis]) -> Filter:
    """Return the filter with its conditions on some axes lifted; `ANY_OPENING` when nothing is left."""
    return _without(wanted, axes) or ANY_OPENING


def _without(wanted: Filter, axes: frozenset[Axis]) -> Filter | None:
    match wanted:
        case Not(part):
            rest = _without(part, axes)
            return None if rest is None else Not(rest)
        case AllOf(parts):
            kept = [rest for part in parts if (rest := _without(part, axes)) is not None]
            return all_of(kept) if kept or not parts else None
        case AnyOf(parts):
            kept = [rest for part in parts if (rest := _without(part, axes)) is not None]
            # An alternative without a condition left accepts all.
            return any_of(kept) if len(kept) == len(parts) else None
        case _:
            return None if _AXES[type(wanted)] in axes else wanted


def when_in(dates: Iterable[DateRange] = (), times: Iterable[TimeRange] = (), weekdays: Iterable[int] = ()) -> Filter:
    """Return the filter of days, times and weekdays; what is empty does not restrict."""
    spans, hours, names = tuple(dates), tuple(times), frozenset(weekdays)
    return all_of(
        (
            *((OnDates(spans),) if spans else ()),
            *((AtTimes(hours),) if hours else ()),
            *((OnWeekdays(names),) if names else ()),
        )
    )


def spans_of(wanted: Filter) -> tuple[DateRange, ...]:
    """Return the spans of days that a filter names."""
    return tuple(span for one in conditions_of(wanted) if isinstance(one, OnDates) for span in one.spans)


def hours_of(wanted: Filter) -> tuple[TimeRange, ...]:
    """Return the spans of times that a filter names."""
    return tuple(span for one in conditions_of(wanted) if isinstance(one, AtTimes) for span in one.spans)


def weekdays_of(wanted: Filter) -> frozenset[int]:
    """Return the weekdays that a filter names."""
    return frozenset(day for one in conditions_of(wanted) if isinstance(one, OnWeekdays) for day in one.weekdays)


def dates_named(wanted: Filter) -> frozenset[date]:
    """Return the dates that a filter names, the ends of spans among them."""
    spans = frozenset(day for span in spans_of(wanted) for day in (span.first, span.last))
    return spans | {moment.date() for moment in _moments(wanted)}


def times_named(wanted: Filter) -> frozenset[time]:
    """Return the times of day that a filter names, the ends of spans among them."""
    spans = frozenset(at for span in hours_of(wanted) for at in (span.first, span.last))
    return spans | {moment.time() for moment in _moments(wanted)}


def doctors_named(wanted: Filter) -> frozenset[str]:
    """Return the doctors that a filter names."""
    return frozenset(name for one in conditions_of(wanted) if isinstance(one, WithDoctors) for name in one.names)


def _moments(wanted: Filter) -> list[datetime]:
    return [one.moment for one in conditions_of(wanted) if isinstance(one, SoonerThan | LaterThan)]


def on_coming_days(wanted: Filter) -> Filter:
    """Return the filter with each bare weekday narrowed to the next such day."""
    match wanted:
        case AllOf(parts):
            return all_of(on_coming_days(part) for part in parts)
        case AnyOf(parts):
            return any_of(on_coming_days(part) for part in parts)
        case OnWeekdays(coming=coming) if coming:
            return OnDates(tuple(DateRange(day, day) for day in coming))
        case _:
            return wanted


@dataclass(frozen=True, slots=True)
class Wish:
    """When, with whom and where it suits: a filter, and what will do instead."""

    filter: Filter = ANY_OPENING
    otherwise: tuple[Filter, ...] = ()  # in order; the first that has openings counts

    def __bool__(self) -> bool:
        return self != ANYTHING

    def and_also(self, *conditions: Filter) -> Wish:
        """Return the wish with more conditions on all its filters."""
        return Wish(all_of((self.filter, *conditions)), tuple(all_of((one, *conditions)) for one in self.otherwise))

    def replaced(self, change: Callable[[Condition], Filter]) -> Wish:
        """Return the wish with each condition changed."""
        return Wish(replaced(self.filter, change), tuple(replaced(one, change) for one in self.otherwise))

    @property
    def chain(self) -> tuple[Filter, ...]:
        """All filters in order, each with the coming days before any later ones."""
        links = (self.filter, *self.otherwise)
        return tuple(dict.fromkeys(step for link in links for step in (on_coming_days(link), link)))

    def narrowed_to(self, slots: Iterable[_S]) -> tuple[Filter, list[_S]]:
        """Return the first filter of the chain that has openings, with them; the first one and none where none has."""
        known = list(slots)
        for link in self.chain:
            found = [slot for slot in known if fits(link, slot)]
            if found:
                return link, found
        return self.chain[0], []

    @property
    def widest(self) -> Filter:
        """What is accepted at all."""
        return any_of((self.filter, *self.otherwise))


ANYTHING = Wish()
"""A wish that accepts every opening."""
