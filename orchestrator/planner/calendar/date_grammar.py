"""The forms of saying one day by its date; a year that is not said is the next one."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.calendar_forms import forms
from orchestrator.planner.calendar.moments import Day, Reference, Value
from orchestrator.turn import Language

_FAR_YEARS = 20  # a year of two digits farther ahead is in the century before: a birth, no appointment

_Match = re.Match[str]


def _iso_date(m: _Match, _: Reference) -> Value:
    return single(calendar_math.on_or_none(int(m["year"]), int(m["month"] or m["named"]), int(m["day"])))


def _numeric(m: _Match, ref: Reference) -> Value | None:
    # The day comes first in Portuguese; English tries both orders, the American one first.
    first, second = int(m["first"]), int(m["second"])
    orders = [(first, second)] if ref.language is Language.PT else [(second, first), (first, second)]
    found = (_day_and_month(day, month, m["year"], ref.today) for day, month in orders)
    dates = tuple(dict.fromkeys(day for day in found if day is not None))
    dates = tuple(day for day in dates if day >= ref.today) or dates
    return Day(dates) if dates or (first <= 31 and second <= 31) else None


def _named_month(m: _Match, ref: Reference) -> Value | None:
    return single(_day_and_month(int(m["day"]), int(m["month"]), m["year"], ref.today))


def _day_and_month(day: int, month: int, year: str | None, today: date) -> date | None:
    if not year:
        return calendar_math.next_day_and_month(day, month, today)
    return calendar_math.on_or_none(_full_year(year, today), month, day)


def _full_year(year: str, today: date) -> int:
    if not year.isdigit():
        return today.year + ("NEXT" in year)
    ahead = int(year) - today.year % 100
    return int(year) if len(year) == 4 else today.year + ahead - (100 if ahead > _FAR_YEARS else 0)


def _day_of_month(m: _Match, ref: Reference) -> Value | None:
    return single(calendar_math.next_day_of_month(int(m["day"]), ref.today))


def _day_in(months: int, m: _Match, ref: Reference) -> Value:
    return single(calendar_math.in_month(int(m["day"]), calendar_math.add_months(ref.today, months)))


def _days_from_today(m: _Match, ref: Reference) -> Value:
    return Day((ref.today + timedelta(days=int(m["days"].replace("m", "-"))),))


def _next_business_day(_: _Match, ref: Reference) -> Value:
    return single(calendar_math.add_business_days(ref.today, 1))


def _either_day(m: _Match, ref: Reference) -> Value | None:
    said = (int(day) for day in re.findall(r"\d+", m["days"]))
    if m["month"]:
        found = [_day_and_month(day, int(m["month"]), m["year"], ref.today) for day in said]
    else:
        found = [calendar_math.next_day_of_month(day, ref.today) for day in said]
    return Day(tuple(day for day in found if day is not None))


def ordinal(m: _Match) -> int:
    """Return the number of an ordinal, -1 for the last; Portuguese weekdays are ordinals, too ("segunda" is 2)."""
    if m["last"]:
        return -1
    return int(m["nth"]) if m["nth"] else int(m["word"]) + 2


def months_from(m: _Match, today: date) -> tuple[date, ...]:
    """Return the first days of the months that a form may mean: a named one, this one or the next, in order."""
    this = today.replace(day=1)
    if m["month"]:
        years = (_full_year(m["year"], today),) if m["year"] else (today.year, today.year + 1)
        return tuple(date(min(max(year, 1), date.max.year - 1), int(m["month"]), 1) for year in years)
    after = calendar_math.add_months(this, 1)
    if m["next"]:
        return (after,)
    return (this,) if m["this"] else (this, after)


def _months_left(m: _Match, today: date) -> Sequence[date]:
    months = months_from(m, today)
    return [month for month in months if calendar_math.month_of(month).last >= today] or months


def _nth_weekday(m: _Match, ref: Reference) -> Value | None:
    found = [calendar_math.nth_weekday(ordinal(m), int(m["weekday"]), month) for month in _months_left(m, ref.today)]
    return single(found[0] if found[0] is None else calendar_math.first_from(ref.today, found) or found[0])


def _nth_day(m: _Match, ref: Reference) -> Value | None:
    found = [_day_of(month, ordinal(m), business=m["unit"] == "BIZ") for month in months_from(m, ref.today)]
    return single(calendar_math.first_from(ref.today, found) or next(iter(found)))


def _day_of(month: date, nth: int, *, business: bool) -> date:
    span = calendar_math.month_of(month)
    days = [span.first + timedelta(days=ahead) for ahead in range((span.last - span.first).days + 1)]
    open_days = [day for day in days if day.weekday() < 5] if business else days
    return open_days[nth if nth < 0 else nth - 1]


def single(day: date | None) -> Day:
    """Return a day as the only reading, or the day that does not exist for None."""
    return Day(() if day is None else (day,))


RULES = forms("dates", globals())
DAY_RULES = forms("days", globals())  # read after weekdays
ENGLISH_RULES = forms("english days", globals())  # "on the first", "on 15"
