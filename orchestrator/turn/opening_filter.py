"""Which openings a person would accept: conditions joined by all, any and not.

A filter is a value. `fits` is its whole meaning; everything else here rewrites filters.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum
from operator import attrgetter
from typing import ClassVar

from orchestrator.turn.step_actions import SlotLike

# What a condition is about; MOMENT is day and time together. The values are the names in small letters.
Axis = StrEnum("Axis", "DAY TIME MOMENT DOCTOR GENDER CLINIC SPECIALTY INSURANCE PRICE PLACE LANGUAGE")


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

    axis: ClassVar[Axis] = Axis.DAY
    spans: tuple[DateRange, ...]


@dataclass(frozen=True, slots=True)
class OnWeekdays:
    """The day is one of some weekdays; 0 is Monday."""

    axis: ClassVar[Axis] = Axis.DAY
    weekdays: frozenset[int]
    coming: tuple[date, ...] = ()  # the next such days, which are meant first; empty where any is meant alike


@dataclass(frozen=True, slots=True)
class AtTimes:
    """The time lies in one of some spans."""

    axis: ClassVar[Axis] = Axis.TIME
    spans: tuple[TimeRange, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """The opening begins before a moment, or after it with `later`."""

    axis: ClassVar[Axis] = Axis.MOMENT
    moment: datetime
    later: bool


@dataclass(frozen=True, slots=True)
class WithDoctors:
    """The doctor is one of some, by full names with title."""

    axis: ClassVar[Axis] = Axis.DOCTOR
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class WithWoman:
    """The doctor is a woman, by her title; a man with `woman` False."""

    axis: ClassVar[Axis] = Axis.GENDER
    woman: bool


@dataclass(frozen=True, slots=True)
class AtClinics:
    """The clinic is one of some, by id."""

    axis: ClassVar[Axis] = Axis.CLINIC
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class OfSpecialty:
    """The clinic is one of a specialty."""

    axis: ClassVar[Axis] = Axis.SPECIALTY
    code: str
    clinics: frozenset[str]  # ids of all clinics of the specialty


@dataclass(frozen=True, slots=True)
class ClinicFact:
    """The clinic takes an insurance, has a price, lies in a place or speaks a language."""

    axis: Axis
    said: str  # as typed: "pela Unimed", "perto do metrô"
    # an insurance or a language by its name, a price in hundredths of a real; empty: the lowest price, any place
    value: str = ""
    clinics: frozenset[str] | None = None  # ids of those that state it; None: no clinic's data can tell


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; without parts, every opening fits."""

    parts: "tuple[Filter, ...]" = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: "tuple[Filter, ...]"


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Condition = OnDates | OnWeekdays | AtTimes | Beside | WithDoctors | WithWoman | AtClinics | OfSpecialty | ClinicFact
Filter = Condition | AllOf | AnyOf | Not

ANY_OPENING = AllOf()  # a filter that accepts every opening


def fits(wanted: Filter, slot: SlotLike) -> bool:
    """Return whether an opening may be what the filter asks for: all but what is certain not to be."""
    return verdict(wanted, slot.clinic, slot.doctor, datetime.combine(slot.date, slot.time)) is not False


def verdict(wanted: Filter, clinic: str, doctor: str, begin: datetime | None = None) -> bool | None:
    """Return whether an opening is what the filter asks for; None where that is not known.

    Without its `begin`, whatever depends on day and time is not known; "" is a doctor of whom no name is known.
    """
    found: bool | None = None
    match wanted:
        case AllOf(parts) | AnyOf(parts):
            decisive = isinstance(wanted, AnyOf)
            verdicts = {verdict(part, clinic, doctor, begin) for part in parts}
            found = decisive if decisive in verdicts else None if None in verdicts else not decisive
        case Not(part):
            denied = verdict(part, clinic, doctor, begin)
            found = None if denied is None else not denied
        case WithDoctors(names):
            found = doctor in names
        case WithWoman(woman) if doctor:
            found = is_woman(doctor) == woman
        case AtClinics(ids):
            found = clinic in ids
        case OfSpecialty(clinics=clinics):
            found = clinic in clinics
        case ClinicFact(clinics=ids):
            found = None if ids is None else clinic in ids
        case OnDates() | OnWeekdays() | AtTimes() | Beside() if begin is not None:
            found = _fits_moment(wanted, begin)
    return found


def _fits_moment(wanted: OnDates | OnWeekdays | AtTimes | Beside, begin: datetime) -> bool:
    match wanted:
        case OnDates(spans):
            return any(begin.date() in span for span in spans)
        case OnWeekdays(weekdays):
            return begin.weekday() in weekdays
        case AtTimes(times):
            return any(begin.time() in span for span in times)
        case Beside(moment, later):
            return begin > moment if later else begin < moment


def is_woman(doctor: str) -> bool:
    """Return whether a doctor's title is a woman's."""
    return doctor.casefold().startswith(("dra", "doutora"))


def axes_of(wanted: Filter) -> frozenset[Axis]:
    """Return what a filter's conditions are about."""
    return frozenset(map(attrgetter("axis"), conditions_of(wanted)))


def conditions_of(wanted: Filter, *, denied: bool = True) -> tuple[Condition, ...]:
    """Return the conditions of a filter, in their order; those under a `Not` only with `denied`."""
    match wanted:
        case AllOf(parts) | AnyOf(parts):
            return tuple(condition for part in parts for condition in conditions_of(part, denied=denied))
        case Not(part):
            return conditions_of(part) if denied else ()
        case _:
            return (wanted,)


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


def either_of(one: Filter, other: Filter) -> Filter:
    """Return what one of two filters accepts; what both ask for is said once."""
    both = [part for part in conjuncts(one) if part in conjuncts(other)]
    apart = (all_of(part for part in conjuncts(each) if part not in both) for each in (one, other))
    return all_of([*both, any_of(apart)])


def conjuncts(wanted: Filter) -> tuple[Filter, ...]:
    """Return the parts that must all hold."""
    return wanted.parts if isinstance(wanted, AllOf) else (wanted,)


def without(wanted: Filter, axes: frozenset[Axis]) -> Filter:
    """Return the filter with its conditions on some axes lifted."""
    return replaced(wanted, lambda condition: None if condition.axis in axes else condition)


def replaced(wanted: Filter, change: Callable[[Condition], Filter | None], *, denied: bool = True) -> Filter:
    """Return a filter with each condition changed, or lifted for None; `ANY_OPENING` when nothing is left.

    Those under a `Not` are changed only with `denied`.
    """
    return _replaced(wanted, change, denied=denied) or ANY_OPENING


def _replaced(wanted: Filter, change: Callable[[Condition], Filter | None], *, denied: bool) -> Filter | None:
    match wanted:
        case Not(part):
            rest = _replaced(part, change, denied=denied) if denied else part
            # "Not on Friday at 8" without its hour would refuse the whole Friday.
            lifts = isinstance(part, AllOf) and denied
            lifts = lifts and not {None, ANY_OPENING}.isdisjoint(map(change, conditions_of(part)))
            lifts = lifts or (rest == ANY_OPENING and conditions_of(part) != ())  # what accepts all is no refusal
            return None if rest is None or lifts else Not(rest)
        case AllOf(parts) | AnyOf(parts):
            kept = [rest for part in parts if (rest := _replaced(part, change, denied=denied)) is not None]
            if isinstance(wanted, AllOf):
                return all_of(kept) if kept or not parts else None
            # An alternative without a condition left accepts all.
            return any_of(kept) if len(kept) == len(parts) else None
        case _:
            return change(wanted)
