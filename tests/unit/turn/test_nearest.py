"""The openings nearest to what was asked for: first who and where, then the day, then the hour; none that is denied."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.turn.opening_filter import (
    AllOf,
    AnyOf,
    AtTimes,
    Beside,
    DateRange,
    Filter,
    Not,
    OnDates,
    OnWeekdays,
    TimeRange,
    WithDoctors,
    WithWoman,
    fits,
)
from orchestrator.turn.session import Offer
from orchestrator.turn.wish import distance_of, nearest

MONDAY = date(2026, 11, 23)
CAIO, BIA = "Dr. Caio", "Dra. Beatriz"


def offer(day: int, at: str, doctor: str = CAIO) -> Offer:
    return Offer(0, "clinic_a", doctor, "Cardiologia", MONDAY + timedelta(days=day), time.fromisoformat(at))


def at(hour: int, minute: int = 0) -> AtTimes:
    return AtTimes((TimeRange(time(hour, minute), time(hour, minute)),))


def on(day: int) -> OnDates:
    return OnDates((DateRange(MONDAY + timedelta(days=day), MONDAY + timedelta(days=day)),))


AFTER_18 = AtTimes((TimeRange(time(18), time(23, 59)),))

CASES: dict[str, tuple[Filter, list[Offer]]] = {
    "after six, the end of the afternoon": (AFTER_18, [offer(0, "17:30"), offer(3, "17:30"), offer(0, "09:00")]),
    "about seven, the first hour": (at(7), [offer(1, "08:00"), offer(4, "08:00"), offer(0, "10:00")]),
    "friday at three, the half hour before": (
        AllOf((WithDoctors(frozenset({CAIO})), on(4), at(15))),
        [offer(4, "14:30"), offer(4, "13:00"), offer(3, "15:00"), offer(4, "15:00", BIA)],
    ),
    "a wednesday, the days around it": (
        OnWeekdays(frozenset({2})),
        [offer(1, "08:00"), offer(3, "08:00"), offer(0, "09:00")],
    ),
    "a woman at nine": (AllOf((WithWoman(woman=True), at(9))), [offer(9, "17:00", BIA), offer(0, "09:00")]),
    "either day": (AnyOf((on(1), on(8))), [offer(7, "10:00"), offer(4, "08:00")]),
    "sooner than a moment": (
        Beside(datetime.combine(MONDAY + timedelta(days=1), time(9)), later=False),
        [offer(1, "09:30"), offer(1, "16:00"), offer(2, "09:00")],
    ),
    "later than a moment": (
        Beside(datetime.combine(MONDAY + timedelta(days=4), time(9)), later=True),
        [offer(4, "08:30"), offer(2, "17:00"), offer(0, "09:00")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_nearest_come_first(case: str) -> None:
    wanted, expected = CASES[case]
    assert nearest(sorted(expected, key=lambda one: (one.date, one.time)), wanted, len(expected)) == expected


def test_what_is_excluded_is_no_neighbour() -> None:
    wanted = AllOf((Not(OnWeekdays(frozenset({2}))), at(18)))
    assert nearest([offer(2, "17:30"), offer(3, "16:00")], wanted, 5) == [offer(3, "16:00")]


SLOTS = st.builds(
    offer, st.integers(0, 13), st.sampled_from(["08:00", "09:30", "14:00", "17:30"]), st.sampled_from([CAIO, BIA])
)
CONDITIONS: st.SearchStrategy[Filter] = st.one_of(
    st.builds(on, st.integers(0, 20)),
    st.builds(at, st.integers(7, 20)),
    st.builds(OnWeekdays, st.frozensets(st.integers(0, 6), min_size=1)),
    st.builds(WithDoctors, st.frozensets(st.sampled_from([CAIO, BIA]), min_size=1)),
)
FILTERS = st.recursive(
    CONDITIONS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(tuple).map(AllOf),
        st.lists(inner, min_size=1, max_size=3).map(tuple).map(AnyOf),
        inner.map(Not),
    ),
    max_leaves=6,
)


@given(FILTERS, SLOTS)
def test_what_fits_is_at_no_distance_and_only_that(wanted: Filter, slot: Offer) -> None:
    assert (distance_of(wanted, slot) == (0, 0, 0)) == fits(wanted, slot)


@given(FILTERS, SLOTS)
def test_nothing_that_is_denied_is_near(wanted: Filter, slot: Offer) -> None:
    assert not nearest([slot], AllOf((Not(wanted), Not(Not(wanted)))), 5)
