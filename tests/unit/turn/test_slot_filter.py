from dataclasses import replace
from datetime import date, time

from hypothesis import assume, given
from hypothesis import strategies as st

from orchestrator.turn.plan import ANY_SLOT, DateRange, SlotFilter, TimeRange

DAYS = st.dates(date(2025, 7, 1), date(2025, 8, 31))
TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
DATE_RANGES = st.tuples(DAYS, DAYS).map(lambda pair: DateRange(min(pair), max(pair)))
TIME_RANGES = st.tuples(TIMES, TIMES).map(lambda pair: TimeRange(min(pair), max(pair)))
WEEKDAYS = st.frozensets(st.integers(0, 6), max_size=6)
FILTERS = st.builds(
    SlotFilter,
    dates=st.lists(DATE_RANGES, max_size=2).map(tuple),
    times=st.lists(TIME_RANGES, max_size=2).map(tuple),
    weekdays=WEEKDAYS,
    excluded_dates=st.lists(DATE_RANGES, max_size=2).map(tuple),
    excluded_weekdays=WEEKDAYS,
)


@given(DAYS, TIMES)
def test_an_empty_filter_admits_everything_and_is_false(day: date, at: time) -> None:
    assert ANY_SLOT.admits(day, at)
    assert not ANY_SLOT
    assert SlotFilter() == ANY_SLOT


@given(FILTERS)
def test_a_filter_that_says_anything_is_true(filters: SlotFilter) -> None:
    assume(filters != ANY_SLOT)
    assert filters


@given(DATE_RANGES, TIMES)
def test_both_ends_of_a_range_of_days_belong_to_it(days: DateRange, at: time) -> None:
    wanted = SlotFilter(dates=(days,))
    assert wanted.admits(days.first, at)
    assert wanted.admits(days.last, at)
    assert not wanted.admits(date.fromordinal(days.first.toordinal() - 1), at)
    assert not wanted.admits(date.fromordinal(days.last.toordinal() + 1), at)


@given(TIME_RANGES, DAYS)
def test_both_ends_of_a_range_of_times_belong_to_it(times: TimeRange, day: date) -> None:
    wanted = SlotFilter(times=(times,))
    assert wanted.admits(day, times.first)
    assert wanted.admits(day, times.last)


@given(FILTERS, DATE_RANGES, DATE_RANGES, DAYS, TIMES)
def test_a_range_more_never_takes_an_opening_away(
    filters: SlotFilter, days: DateRange, more: DateRange, day: date, at: time
) -> None:
    narrow, wide = replace(filters, dates=(days,)), replace(filters, dates=(days, more))
    assert wide.admits(day, at) == (narrow.admits(day, at) or replace(filters, dates=(more,)).admits(day, at))


@given(FILTERS, DAYS, TIMES)
def test_an_excluded_day_is_never_admitted(filters: SlotFilter, day: date, at: time) -> None:
    assert not replace(filters, excluded_dates=(DateRange(day, day),)).admits(day, at)
    assert not replace(filters, excluded_weekdays=frozenset({day.weekday()})).admits(day, at)


@given(FILTERS, DAYS, TIMES)
def test_a_filter_admits_what_each_of_its_conditions_admits(filters: SlotFilter, day: date, at: time) -> None:
    conditions = (
        SlotFilter(dates=filters.dates),
        SlotFilter(times=filters.times),
        SlotFilter(weekdays=filters.weekdays),
        SlotFilter(excluded_dates=filters.excluded_dates),
        SlotFilter(excluded_weekdays=filters.excluded_weekdays),
    )
    assert filters.admits(day, at) == all(condition.admits(day, at) for condition in conditions)
