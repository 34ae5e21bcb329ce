"""The forms of saying a day by its weekday: the coming one, that of another week, one with a date beside it."""

import re
from datetime import date, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.calendar_forms import forms
from orchestrator.planner.calendar.moments import Day, Days, Reference, Value, Weekday
from orchestrator.turn import DateRange

_SOON = timedelta(weeks=5)
_LAST_HOUR = 19

_Match = re.Match[str]


def _weekday(m: _Match, ref: Reference) -> Value:
    weekday = int(m["weekday"])
    ahead = calendar_math.coming(weekday, ref.today)
    return Weekday(weekday, (ahead, ref.today) if weekday == ref.today.weekday() else (ahead,))


def _this_weekday(m: _Match, ref: Reference) -> Value:
    weekday = int(m["weekday"] or m["after"])
    return Day((ref.today if weekday == ref.today.weekday() else calendar_math.coming(weekday, ref.today),))


def _next_weekday(m: _Match, ref: Reference) -> Value:
    ahead = calendar_math.coming(int(m["weekday"] or m["after"]), ref.today)
    if ahead in calendar_math.week_of(ref.today):
        return Day((ahead, ahead + timedelta(days=7)))
    return Day((ahead,))


def _weekday_after_next(m: _Match, ref: Reference) -> Value:
    found = _next_weekday(m, ref)
    return Day(tuple(day + timedelta(days=7) for day in found.dates)) if isinstance(found, Day) else found


def _week_after_coming(m: _Match, ref: Reference) -> Value:
    return Day((calendar_math.coming(int(m["weekday"]), ref.today) + timedelta(days=7),))


def _last_weekday(m: _Match, ref: Reference) -> Value:
    day = calendar_math.previous(int(m["weekday"] or m["after"]), ref.today) - timedelta(days=7 if m["two"] else 0)
    return Days(DateRange(day, day))


def _weekday_of_this_week(m: _Match, ref: Reference) -> Value:
    day = calendar_math.coming(int(m["weekday"] or m["after"]), ref.today - timedelta(days=1))
    return Day((day,)) if day in calendar_math.this_week(ref.today) else _weekday_in(0, m, ref)


def _weekday_in(weeks: int, m: _Match, ref: Reference) -> Value:
    monday = calendar_math.week_of(ref.today).first
    return Day((monday + timedelta(weeks=weeks, days=int(m["weekday"] or m["after"])),))


def _weekday_and_day(m: _Match, ref: Reference) -> Value | None:
    # "Sexta 18" is a date when it comes soon or when 18 cannot be an hour.
    day, weekday = int(m["day"]), int(m["weekday"])
    found = _next_weekday_on(day, weekday, ref.today)
    first = calendar_math.next_day_of_month(day, ref.today)
    if found is None or first is None:
        return Day(()) if m["mark"] else None
    if not m["mark"] and day <= _LAST_HOUR and found != calendar_math.coming(weekday, ref.today):
        return None
    if found == first or (found - ref.today <= _SOON and first.month == ref.today.month == found.month):
        return Day((found,)) if found - ref.today <= _SOON or m["mark"] or day > _LAST_HOUR else None
    if not m["mark"] and day <= _LAST_HOUR:
        return None
    return Day((found, first, calendar_math.coming(weekday, ref.today)), conflict=True)


def _weekday_or_day(m: _Match, ref: Reference) -> Value | None:
    # "Sexta 13" is that far day or the coming Friday at 13h; the time grammar reads the number, too.
    found = _next_weekday_on(int(m["day"]), int(m["weekday"]), ref.today)
    ahead = calendar_math.coming(int(m["weekday"]), ref.today)
    return None if found is None else Day((found, ahead))


def _next_weekday_on(day: int, weekday: int, today: date) -> date | None:
    days = calendar_math.days_of_month(day, today)
    return calendar_math.first_from(today, (d for d in days if d is not None and d.weekday() == weekday))


def _weekdays_from_now(m: _Match, ref: Reference) -> Value:
    # "Three Fridays from now": some people skip this week's.
    weekday, weeks = int(m["weekday"]), timedelta(weeks=int(m["count"]))
    later = calendar_math.coming(weekday, ref.today + weeks - timedelta(days=1))
    counted = calendar_math.coming(weekday, ref.today) + weeks - timedelta(days=7)
    return Day((later,) if later == counted else (later, counted))


def _next_weekdays(m: _Match, ref: Reference) -> Value:
    first = calendar_math.coming(int(m["weekday"]), ref.today)
    return Day(tuple(first + timedelta(weeks=week) for week in range(int(m["count"] or 2))))


RULES = forms("weekdays", globals(), needs="WD")
