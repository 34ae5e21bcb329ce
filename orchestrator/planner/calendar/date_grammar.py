"""The forms of saying one day: by its date, its weekday or its feast; a year that is not said is the next one.

Names and rules of feasts are in the lexicon (`calendar_feasts.txt`); other calendars than the Gregorian are not known.
"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

from dateutil.easter import easter

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.moments import Day, Days, Reference, Value, Weekday, forms
from orchestrator.planner.lexicon import expression, rows, sections
from orchestrator.turn import DateRange, Language

_FAR_YEARS = 20  # a year of two digits farther ahead is in the century before: a birth, no appointment
_SOON, _FAR = timedelta(weeks=5), timedelta(days=45)
_FRIDAY_13 = (4, 13)  # a day of its own name
_LAST_HOUR = 19

_Match = re.Match[str]
OTHER_CALENDARS = "other calendars"  # words that make a feast one of these: "Orthodox Easter"
_LAST_YEAR = date.max.year - 1
_FEAST_RULE = expression("feast_rule")


def _numeric(m: _Match, ref: Reference) -> Value | None:
    # The day comes first in Portuguese; English tries both orders, the American one first.
    said = m["first"], m["second"]
    orders = [said] if ref.language is Language.PT else [said[::-1], said]
    found = (_day_and_month(day, month, m["year"], ref.today) for day, month in orders)
    dates = tuple(dict.fromkeys(day for day in found if day is not None))
    dates = tuple(day for day in dates if day >= ref.today) or dates
    return Day(dates) if dates or max(map(int, said)) <= 31 else None


def _named_month(m: _Match, ref: Reference) -> Value | None:
    return single(_day_and_month(m["day"], m["month"], m["year"], ref.today))


def _day_and_month(day: str, month: str, year: str | None, today: date) -> date | None:
    if not year:
        return calendar_math.next_date(int(day), month, today)
    return calendar_math.on_or_none(_full_year(year, today), int(month), int(day))


def _full_year(year: str, today: date) -> int:
    if not year.isdigit():
        return today.year + ("NEXT" in year)
    ahead = int(year) - today.year % 100
    return int(year) if len(year) == 4 else today.year + ahead - (100 if ahead > _FAR_YEARS else 0)


def _day_in(months: int, m: _Match, ref: Reference) -> Value:
    return single(calendar_math.in_month(int(m["day"]), calendar_math.add_months(ref.today, months)))


def _days_from_today(m: _Match, ref: Reference) -> Value:
    return Day((ref.today + timedelta(days=int(m["days"].replace("m", "-"))),))


def _next_business_day(_: _Match, ref: Reference) -> Value:
    return single(calendar_math.add_business_days(ref.today, 1))


def _either_day(m: _Match, ref: Reference) -> Value | None:
    year = m.groupdict().get("year")
    found = (_day_and_month(day, m["month"], year, ref.today) for day in re.findall(r"\d+", m["days"]))
    return Day(tuple(day for day in found if day is not None))


def ordinal(m: _Match) -> int:
    """Return the number of an ordinal, -1 for the last; Portuguese weekdays are ordinals, too ("segunda" is 2)."""
    return -1 if m["last"] else int(m["nth"]) if m["nth"] else int(m["word"]) + 2


def months_from(m: _Match, today: date) -> tuple[date, ...]:
    """Return the first days of the months that a form may mean: a named one, this one or the next, in order."""
    this = today.replace(day=1)
    if m["month"]:
        years = (_full_year(m["year"], today),) if m["year"] else (today.year, today.year + 1)
        return tuple(date(min(max(year, 1), date.max.year - 1), int(m["month"]), 1) for year in years)
    after = calendar_math.add_months(this, 1)
    return (after,) if m["next"] else (this,) if m["this"] else (this, after)


def _nth_day(m: _Match, ref: Reference) -> Value:
    said = m.groupdict()
    weekdays = (int(said["weekday"]),) if said.get("weekday") else range(5 if said["unit"] == "BIZ" else 7)
    months = months_from(m, ref.today)
    left = [month for month in months if calendar_math.month_of(month).last >= ref.today] or months
    found = [calendar_math.nth_day(ordinal(m), weekdays, month) for month in left]
    return single(found[0] if found[0] is None else calendar_math.first_from(ref.today, found) or found[0])


def single(day: date | None) -> Day:
    """Return a day as the only reading, or the day that does not exist for None."""
    return Day(() if day is None else (day,))


def _weekday(m: _Match, ref: Reference) -> Value:
    weekday = int(m["weekday"])
    ahead = calendar_math.coming(weekday, ref.today)
    if ref.beside is not None and ref.beside - ref.today >= timedelta(days=7):  # "no, Saturday", of the 4th, is the 5th
        ahead = max(calendar_math.week_of(ref.beside).first + timedelta(days=weekday), ahead)
    return Weekday(weekday, (ahead, ref.today) if weekday == ref.today.weekday() else (ahead,))


def _this_weekday(m: _Match, ref: Reference) -> Day:
    return Day((calendar_math.coming(int(m["weekday"] or m["after"]), ref.today - timedelta(days=1)),))


def _next_weekday(weeks: int, m: _Match, ref: Reference) -> Day:
    ahead = calendar_math.coming(int(m["weekday"] or m["after"]), ref.today)
    dates = (ahead, ahead + timedelta(weeks=1)) if ahead in calendar_math.week_of(ref.today) else (ahead,)
    return Day(tuple(day + timedelta(weeks=weeks) for day in dates))


def _week_after_coming(m: _Match, ref: Reference) -> Value:
    return Day((calendar_math.coming(int(m["weekday"]), ref.today) + timedelta(days=7),))


def _last_weekday(m: _Match, ref: Reference) -> Value:
    day = calendar_math.previous(int(m["weekday"] or m["after"]), ref.today) - timedelta(days=7 if m["two"] else 0)
    return Days(DateRange(day, day))


def _weekday_of_this_week(m: _Match, ref: Reference) -> Value:
    day = _this_weekday(m, ref)
    return day if day.dates[0] in calendar_math.this_week(ref.today) else _weekday_in(0, m, ref)


def _weekday_in(weeks: int, m: _Match, ref: Reference) -> Value:
    monday = calendar_math.week_of(ref.today).first
    return Day((monday + timedelta(weeks=weeks, days=int(m["weekday"] or m["after"])),))


def _weekday_and_day(reach: int, m: _Match, ref: Reference) -> Value | None:
    # "Sexta 18" is a date when such a Friday comes within `reach` days or when 18 cannot be an hour.
    day, weekday = int(m["day"]), int(m["weekday"])
    found = _next_weekday_on(day, weekday, ref.today)
    first = calendar_math.next_date(day, None, ref.today)
    if found is None or first is None:
        return Day(()) if m["mark"] else None
    if not m["mark"] and day <= _LAST_HOUR:
        return Day((found,)) if 0 < (found - ref.today).days <= reach else None
    if found == first or (found - ref.today <= _SOON and first.month == ref.today.month == found.month):
        return Day((found,))
    beside = calendar_math.coming(weekday, first - timedelta(days=4))  # the one nearest to the date
    return Day((found, first, max(beside, calendar_math.coming(weekday, ref.today))), conflict=True)


def _weekday_or_day(m: _Match, ref: Reference) -> Value | None:
    # "Sexta 8" is that day, where it is not far, or the coming Friday at 8h; the time grammar reads the number, too.
    weekday, day = int(m["weekday"]), int(m["day"])
    found, ahead = _next_weekday_on(day, weekday, ref.today), calendar_math.coming(weekday, ref.today)
    is_far = found is not None and found - ref.today > _FAR and (weekday, day) != _FRIDAY_13
    return None if found is None or is_far else Day((found, ahead))


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


@cache
def feast_symbols() -> Mapping[str, str]:
    """Return the folded names of feasts, each with the symbol that `feast_days` reads."""
    return {feast: f"FEAST{at}" for at, name in enumerate(_feasts()) for feast in rows("calendar_feasts", name)}


def feast_days(feast: int, today: date, year: int | None = None) -> tuple[DateRange, ...]:
    """Return the possible days of a feast, by the number of its symbol: in `year`, or else the next ones."""
    rules = _feasts()[feast].split(" ")
    found = ((rule, _feast_in(rule, year or today.year)) for rule in rules)
    return tuple(one if year or one.last >= today else _feast_in(rule, today.year + 1) for rule, one in found)


@cache
def _feasts() -> tuple[str, ...]:
    return tuple(name for name in sections("calendar_feasts") if name != OTHER_CALENDARS)


def _feast_in(rule: str, year: int) -> DateRange:
    year = min(max(year, date.min.year + 1), _LAST_YEAR)
    first, _, last = rule.partition("..")
    return DateRange(_feast_day(first, year), _feast_day(last or first, year))


def _feast_day(rule: str, year: int) -> date:
    match = _FEAST_RULE.fullmatch(rule)
    if match is None:
        raise ValueError(f"no rule of a feast: {rule}")
    if match["base"]:
        base = easter(year) if match["base"] == "easter" else _feast_day("11-WD3-4", year)
        return base + timedelta(days=int(match["days"]))
    month = date(year, int(match["month"]), 1)
    if match["day"]:
        return month.replace(day=int(match["day"]))
    weekday, nth = int(match["weekday"]), match["nth"]
    found = calendar_math.nth_day(-1 if nth == "last" else int(nth), (weekday,), month)
    if found is None:
        raise ValueError(f"no such day in every year: {rule}")
    return found


def _feast(m: re.Match[str], ref: Reference) -> Value:
    year = int(m["year"]) if m["year"] else ref.today.year + int(m["ahead"]) if m["ahead"] else None
    spans = feast_days(int(m["feast"]), ref.today, year)
    if any(span.first != span.last for span in spans):
        return Days(spans[0])
    return Day(tuple(sorted((span.first for span in spans), key=lambda day: day < ref.today)))


FEAST_RULES = forms("feasts", globals())
RULES = forms("dates", globals())
WEEKDAY_RULES = forms("weekdays", globals())
DAY_RULES = forms("days", globals())  # read after weekdays
ENGLISH_RULES = forms("english days", globals())  # "on the first", "on 15"
