"""Filters and slots at random, for properties."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from hypothesis import strategies as st

from orchestrator.turn import (
    AllOf,
    AnyOf,
    Appointment,
    AtClinics,
    AtTimes,
    Axis,
    Beside,
    Clinic,
    ClinicFact,
    DateRange,
    Filter,
    Not,
    OfSpecialty,
    OnDates,
    OnWeekdays,
    TimeRange,
    Wish,
    WithDoctors,
    WithWoman,
)

DAYS = st.dates(date(2025, 7, 15), date(2025, 8, 20))
TIMES = st.sampled_from([time(hour, minute) for hour in range(7, 20) for minute in (0, 30)])
RANGES = st.tuples(DAYS, DAYS).map(lambda days: DateRange(min(days), max(days)))
SPANS = RANGES | st.just(DateRange(date(2025, 8, 1), date.max)) | DAYS.map(lambda day: DateRange(day, day))
HOURS = (
    st.tuples(TIMES, TIMES).map(lambda times: TimeRange(min(times), max(times)))
    | st.sampled_from((TimeRange(time(12), time(23, 59)), TimeRange(time.min, time(11, 59))))
    | TIMES.map(lambda at: TimeRange(at, at))
)
FACTS = ("pela Unimed", "até 200 reais", "perto do metrô")
MOMENTS = st.tuples(DAYS, TIMES).map(lambda moment: datetime.combine(*moment))


def conditions(clinics: Sequence[Clinic]) -> st.SearchStrategy[Filter]:
    """Conditions over some clinics."""
    doctors = [doctor for clinic in clinics for doctor in clinic.doctors]
    of_clinics = st.sampled_from([clinic.id for clinic in clinics])
    codes = st.sampled_from(sorted({clinic.specialty for clinic in clinics}))
    return st.one_of(
        st.lists(SPANS, min_size=1, max_size=2).map(lambda spans: OnDates(tuple(spans))),
        st.frozensets(st.integers(0, 6), min_size=1, max_size=3).map(OnWeekdays),
        st.lists(HOURS, min_size=1, max_size=2).map(lambda spans: AtTimes(tuple(spans))),
        st.builds(Beside, MOMENTS, st.booleans()),
        st.frozensets(st.sampled_from(doctors), min_size=1, max_size=2).map(WithDoctors),
        st.booleans().map(WithWoman),
        st.frozensets(of_clinics, min_size=1, max_size=2).map(AtClinics),
        st.builds(ClinicFact, st.sampled_from((Axis.INSURANCE, Axis.PRICE, Axis.PLACE)), st.sampled_from(FACTS)),
        codes.map(lambda code: OfSpecialty(code, frozenset(one.id for one in clinics if one.specialty == code))),
    )


def filters(clinics: Sequence[Clinic]) -> st.SearchStrategy[Filter]:
    """Filters over some clinics."""
    return st.recursive(
        conditions(clinics),
        lambda inner: st.one_of(
            inner.map(Not),
            st.lists(inner, max_size=3).map(lambda parts: AllOf(tuple(parts))),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        ),
        max_leaves=6,
    )


def wishes(clinics: Sequence[Clinic]) -> st.SearchStrategy[Wish]:
    """Wishes over some clinics, with up to two fall-backs."""
    return st.builds(Wish, filters(clinics), st.lists(filters(clinics), max_size=2).map(tuple))


def slots(clinics: Sequence[Clinic]) -> st.SearchStrategy[Appointment]:
    """Slots of some clinics."""
    places = [(clinic.id, doctor) for clinic in clinics for doctor in clinic.doctors]
    return st.builds(
        lambda place, day, at: Appointment(place[0], place[1], day, at), st.sampled_from(places), DAYS, TIMES
    )
