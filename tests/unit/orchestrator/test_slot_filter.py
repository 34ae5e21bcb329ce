from datetime import date, time

from hypothesis import assume, given
from hypothesis import strategies as st

from orchestrator.slot_filter import ANY_SLOT, DateRange, SlotFilter, TimeRange

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


@given(FILTERS, DATE_RANGES, DAYS, TIMES)
def test_another_accepted_range_never_takes_an_opening_away(
    filters: SlotFilter, more: DateRange, day: date, at: time
) -> None:
    assume(filters.dates and filters.admits(day, at))
    wider = SlotFilter(
        (*filters.dates, more), filters.times, filters.weekdays, filters.excluded_dates, filters.excluded_weekdays
    )
    assert wider.admits(day, at)


@given(FILTERS, DAYS, TIMES)
def test_an_excluded_day_is_never_admitted(filters: SlotFilter, day: date, at: time) -> None:
    rest = (filters.dates, filters.times, filters.weekdays)
    assert not SlotFilter(*rest, excluded_dates=(DateRange(day, day),)).admits(day, at)
    assert not SlotFilter(*rest, excluded_weekdays=frozenset({day.weekday()})).admits(day, at)


@given(FILTERS, DAYS, TIMES)
def test_what_is_admitted_meets_every_condition_by_itself(filters: SlotFilter, day: date, at: time) -> None:
    assume(filters.admits(day, at))
    assert SlotFilter(dates=filters.dates).admits(day, at)
    assert SlotFilter(times=filters.times).admits(day, at)
    assert SlotFilter(weekdays=filters.weekdays).admits(day, at)
    assert SlotFilter(excluded_dates=filters.excluded_dates).admits(day, at)
    assert SlotFilter(excluded_weekdays=filters.excluded_weekdays).admits(day, at)
