"""Arithmetic of days and times: the next 18th, Friday of next week, a month from today. It reads no clock."""

import calendar
from collections.abc import Container, Iterable, Iterator
from datetime import date, time, timedelta

from orchestrator.turn import DateRange, TimeRange

_LEAP_SEARCH_YEARS, _MONTH_SEARCH = 8, 14
_SUNDAY = 6


def on_or_none(year: int, month: int, day: int) -> date | None:
    """Return the date, or None when the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def days_of_month(day: int, today: date) -> Iterator[date | None]:
    """Return the `day` of this month and of the next ones, None for a month without it."""
    return (in_month(day, add_months(today.replace(day=1), ahead)) for ahead in range(_MONTH_SEARCH))


def in_month(day: int, month: date) -> date | None:
    """Return the `day` of the month that `month` lies in."""
    return on_or_none(month.year, month.month, day)


def next_date(day: int, month: str | None, today: date) -> date | None:
    """Return the first date from today on with this day of the month (1-31), and with the month where one is said."""
    if not month:
        return first_from(today, days_of_month(day, today))
    years = range(today.year, today.year + _LEAP_SEARCH_YEARS + 1)
    return first_from(today, (on_or_none(year, int(month), day) for year in years))


def first_from(today: date, days: Iterable[date | None]) -> date | None:
    """Return the first of some days that exists and is not before today."""
    return next((day for day in days if day is not None and day >= today), None)


def coming(weekday: int, today: date) -> date:
    """Return the first such weekday after today."""
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def previous(weekday: int, today: date) -> date:
    """Return the last such weekday before today."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)


def week_of(day: date) -> DateRange:
    """Return Monday to Sunday around a day."""
    monday = day - timedelta(days=day.weekday())
    return DateRange(monday, monday + min(date.max - monday, timedelta(days=6)))


def this_week(today: date) -> DateRange:
    """Return the rest of the week that people call this one: on a Sunday it is the one that begins."""
    return DateRange(today, today + timedelta(days=6) if today.weekday() == _SUNDAY else week_of(today).last)


def month_of(day: date) -> DateRange:
    """Return the whole month around a day."""
    return DateRange(day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1]))


def add_months(day: date, months: int) -> date:
    """Return the same day some months later, or the month's last day where it is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = min(index // 12, date.max.year), index % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def add_business_days(day: date, count: int) -> date:
    """Return the day after `count` days from Monday to Friday."""
    while count > 0:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day


def days_in(span: DateRange) -> Iterator[date]:
    """Return the days of a stretch, in order."""
    return (span.first + timedelta(days=ahead) for ahead in range((span.last - span.first).days + 1))


def nth_day(nth: int, weekdays: Container[int], month: date) -> date | None:
    """Return the first, second ... day of a month on one of some weekdays, the last for -1; None when it has fewer."""
    days = [day for day in days_in(month_of(month)) if day.weekday() in weekdays]
    return days[nth if nth < 0 else nth - 1] if abs(nth) <= len(days) else None


def minute_beside(at: time, minutes: int) -> time:
    """Return a time some minutes later or earlier, within its day."""
    there = min(max(at.hour * 60 + at.minute + minutes, 0), 24 * 60 - 1)
    return time(there // 60, there % 60)


def outside(free: TimeRange) -> list[TimeRange]:
    """Return the hours of a day before and behind a stretch of it."""
    before = [TimeRange(time.min, minute_beside(free.first, -1))] if free.first > time.min else []
    return [*before, *([TimeRange(minute_beside(free.last, 1), time.max)] if free.last < time(23) else [])]
