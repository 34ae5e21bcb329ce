"""Compare conditions by the openings that they could accept."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time, timedelta
from itertools import product

from orchestrator.planner.wishes.named_entities import doctors_of
from orchestrator.turn import (
    AnyOf,
    Appointment,
    AtTimes,
    Axis,
    Clinic,
    Filter,
    OnDates,
    all_of,
    axes_of,
    conjuncts,
    fits,
    hours_of,
    spans_of,
)

_AHEAD = 60  # days that are compared besides those that conditions name
_QUARTERS = (0, 15, 20, 30, 45)
_LONG = timedelta(days=20)
_ENDLESS = time(23)


_OF_DOCTORS = frozenset({Axis.GENDER, Axis.CLINIC, Axis.SPECIALTY})


def domains_of(wanted: Filter) -> frozenset[Axis]:
    """Return the domains that a filter restricts: its axes, those of doctors and where they work as `Axis.DOCTOR`."""
    return frozenset(Axis.DOCTOR if axis in _OF_DOCTORS else axis for axis in axes_of(wanted))


def members(wanted: Filter) -> tuple[Filter, ...]:
    """Return the alternatives of a list of conditions; a single one is its own."""
    return wanted.parts if isinstance(wanted, AnyOf) else (wanted,)


def axis_of(wanted: Filter) -> Axis:
    """Return the axis of a condition or of a list of them; a doctor's gender counts as a doctor."""
    axes = axes_of(members(wanted)[0])
    axis = next(iter(axes))
    return Axis.DOCTOR if axis is Axis.GENDER else axis


class Universe:
    """The openings that are thinkable: every doctor, the days and times around those that are spoken of."""

    def __init__(self, spoken_of: Iterable[Filter], clinics: Sequence[Clinic], today: date) -> None:
        self.today = today
        self._spoken_of = tuple(spoken_of)
        self._clinics = clinics
        # Most utterances compare nothing, so that a domain's openings are made when they are first asked for.
        self._probes: dict[Axis, tuple[Appointment, ...]] = {}

    def accepted(self, wanted: Filter, domain: Axis) -> frozenset[int]:
        """Return which openings of a domain a filter accepts."""
        if domain not in self._probes:
            self._probes[domain] = tuple(self._openings(domain))
        return frozenset(n for n, probe in enumerate(self._probes[domain]) if fits(wanted, probe))

    def _openings(self, domain: Axis) -> Iterator[Appointment]:
        spoken_of = all_of(self._spoken_of)
        tomorrow, noon = self.today + timedelta(days=1), time(12)
        match domain:
            case Axis.TIME:
                ends = {at for span in hours_of(spoken_of) for at in (span.first, span.last)}
                times = ends.union(time(*at) for at in product(range(24), _QUARTERS))
                yield from (Appointment("", "", tomorrow, at) for at in sorted(times))
            case Axis.DAY | Axis.MOMENT:
                ends_of_days = {day for span in spans_of(spoken_of) for day in (span.first, span.last)}
                days = ends_of_days.union(self.today + timedelta(days=n) for n in range(1, _AHEAD))
                yield from (Appointment("", "", day, noon) for day in sorted(days - {date.min, date.max}))
            case _:
                yield from (Appointment(one.clinic, one.name, tomorrow, noon) for one in doctors_of(self._clinics))

    def overlap(self, one: Filter, other: Filter, domain: Axis) -> bool:
        """Return whether two filters of a domain can both hold."""
        return bool(self.accepted(one, domain) & self.accepted(other, domain))

    def narrows(self, one: Filter, other: Filter) -> bool:
        """Return whether `other` narrows `one` and is no alternative to it: an hour and its part of the day."""
        if isinstance(one, AnyOf):
            return False
        return all(self._narrows(one, member) for member in members(other))

    def _narrows(self, one: Filter, other: Filter) -> bool:
        axis = axis_of(one)
        if axis != axis_of(other) or axis not in {Axis.DAY, Axis.TIME}:
            return False
        if not (_is_stretch(one) or _is_stretch(other)):
            return False
        (domain,) = domains_of(one)
        first, second = self.accepted(one, domain), self.accepted(other, domain)
        if not first & second:
            return False
        days = axis is Axis.DAY and _is_stretch(one) != _is_stretch(other)
        return self._is_open(one) or self._is_open(other) or days or second < first

    def _is_open(self, wanted: Filter) -> bool:
        match wanted:
            case AtTimes((span,)) if span.first < span.last:
                return span.first == time.min or span.last >= _ENDLESS
            case OnDates((span,)) if span.first < span.last:
                return span.last == date.max or span.last - span.first > _LONG or span.first <= self.today
            case _:
                return False

    def agrees(self, alternative: Filter, wanted: Filter) -> bool:
        """Return whether an alternative can hold together with a condition."""
        domains = domains_of(wanted)
        parts = [part for part in conjuncts(alternative) if domains_of(part) == domains]
        if not parts or len(domains) > 1:
            return True
        return self.overlap(all_of(parts), wanted, *domains)


def _is_stretch(wanted: Filter) -> bool:
    return isinstance(wanted, AtTimes | OnDates) and any(span.first < span.last for span in wanted.spans)  # type: ignore[operator]
