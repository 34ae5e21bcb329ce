"""The forms of saying one day; years that are not said are the next ones, feasts and holidays are not known."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.moments import Day, GrammarRule, Instant, Reference, Value, Weekday
from orchestrator.turn import Language

NEXT_WEEK = r"(?:UWEEK NEXT|(?:the )?NEXT UWEEK)(?:'s)?"
THIS_WEEK = r"(?:THIS UWEEK|UWEEK THIS)"
NEXT_MONTH = r"(?:UMONTH NEXT|(?:the )?NEXT UMONTH)"
THIS_MONTH = r"(?:THIS UMONTH|UMONTH THIS)"
NO_TIME = r"(?![\d:]| ?(?:UHOUR|AM|PM|p\b|min|%|[.,/]\d)| (?:e|and) HALF)"
NO_CLOCK = NO_TIME + r"(?! (?:e|and) \d| ?(?:da |de |na |a |pela |in the )?(?:POD|NOON))"

_LINK = r"(?:,| |d?[aeo]s?\b|n[ao]\b|in\b|on\b|of\b|the\b)*"
_OF = r"(?: ?(?:de|do|of|in|/|-|UDAY of) ?| )(?:the )?"
_YEAR = r"(?:(?: ?(?:de|do|of|in|,|/|-) ?| )(?:UYEAR )?(?P<year>\d{4}))?(?![\d:])"
_NUMBER = r"(?<![\d$])(?<!\d[.,:/])(?<!\$ )[#~]?(?P<day>\d{1,2})"
_MONTH = r"MON(?P<month>\d{1,2})(?!\d)\.?"
_COUNT = r"(?:\d{1,3}|an?)"
_COUNTED = rf"{_COUNT} U(?:DAY|BIZ|WEEK|FORTNIGHT|MONTH|YEAR|HOUR|MIN)"
_COUNTS = rf"{_COUNTED}(?:(?:,? (?:e|and)?) ?{_COUNTED})*"

_NEAR = timedelta(weeks=5)

_Match = re.Match[str]


def _numeric(m: _Match, ref: Reference) -> Value | None:
    # The day comes first in Portuguese; English tries both orders, the American one first.
    first, second = int(m["first"]), int(m["second"])
    orders = [(first, second)] if ref.language is Language.PT else [(second, first), (first, second)]
    found = (_day_and_month(day, month, m["year"], ref.today) for day, month in orders)
    dates = tuple(dict.fromkeys(day for day in found if day is not None))
    return Day(dates) if dates or (first <= 31 and second <= 31) else None


def _named_month(m: _Match, ref: Reference) -> Value | None:
    return _single(_day_and_month(int(m["day"]), int(m["month"]), m["year"], ref.today))


def _day_and_month(day: int, month: int, year: str | None, today: date) -> date | None:
    if year is None:
        return calendar_math.next_day_and_month(day, month, today)
    return calendar_math.on_or_none(int(year) + (2000 if len(year) == 2 else 0), month, day)


def _day_of_month(m: _Match, ref: Reference) -> Value | None:
    return _single(calendar_math.next_day_of_month(int(m["day"]), ref.today))


def _day_in(months: int) -> Callable[[_Match, Reference], Value | None]:
    return lambda m, ref: _single(calendar_math.in_month(int(m["day"]), calendar_math.add_months(ref.today, months)))


def _either_day(m: _Match, ref: Reference) -> Value | None:
    found = (calendar_math.next_day_of_month(int(m[name]), ref.today) for name in ("day", "other"))
    dates = tuple(day for day in found if day is not None)
    return Day(dates) if dates else None


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


def _weekday_in(weeks: int) -> Callable[[_Match, Reference], Value]:
    return lambda m, ref: Day(
        (calendar_math.week_of(ref.today).first + timedelta(weeks=weeks, days=int(m["weekday"] or m["after"])),)
    )


def _weekday_and_day(m: _Match, ref: Reference) -> Value | None:
    # "Sexta 18" is the next Friday that is an 18th when it is near or 18 cannot be an hour.
    found = _next_weekday_on(int(m["day"]), int(m["weekday"]), ref.today)
    if found is None or (found - ref.today > _NEAR and 7 <= int(m["day"]) <= 19 and not m["mark"]):
        return None
    return Day((found,))


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


def _nth_weekday(m: _Match, ref: Reference) -> Value | None:
    nth, weekday = int(m["nth"]), int(m["weekday"])
    if m["month"] is None:
        return _single(calendar_math.nth_weekday(nth, weekday, calendar_math.add_months(ref.today, 1)))
    candidates = (
        calendar_math.nth_weekday(nth, weekday, date(ref.today.year + later, int(m["month"]), 1)) for later in (0, 1)
    )
    return _single(calendar_math.first_from(ref.today, candidates))


def _counted(m: _Match, ref: Reference) -> Value:
    day, clock = ref.today, ref.now
    counts_time = False
    for count, unit in re.findall(rf"({_COUNT}) U([A-Z]+)", m["counts"]):
        number = int(count) if count.isdigit() else 1
        match unit:
            case "HOUR" | "MIN":
                clock += timedelta(hours=number) if unit == "HOUR" else timedelta(minutes=number)
                counts_time = True
            case "BIZ":
                day = calendar_math.add_business_days(day, number)
            case "MONTH" | "YEAR":
                day = calendar_math.add_months(day, number * (12 if unit == "YEAR" else 1))
            case _:
                day += timedelta(days=number * {"DAY": 1, "WEEK": 7, "FORTNIGHT": 14}[unit])
    if counts_time:
        return Instant(clock.date() + (day - ref.today), clock.time().replace(second=0, microsecond=0))
    from_day = int(m["base"]) if m["base"] else 0
    return Day((day + timedelta(days=from_day),), counted=True)


def _single(day: date | None) -> Day:
    return Day(() if day is None else (day,))


_TABLE = (
    (rf"(?:daqui (?:a )?|dentro de |em |in |within )(?P<counts>{_COUNTS})(?P<base>)(?! POD)", _counted),
    (rf"(?P<counts>{_COUNTS}) (?:(?:after|from|depois de|a partir de) REL(?P<base>\d)|from now|hence|later)", _counted),
    (
        r"(?<!\d)(?P<year>\d{4})[/.-](?:MON(?P<named>\d{1,2})|(?P<month>\d{1,2}))[/.-](?P<day>\d{1,2})(?!\d)",
        lambda m, _: _single(calendar_math.on_or_none(int(m["year"]), int(m["month"] or m["named"]), int(m["day"]))),
    ),
    (r"(?<![\d.,:/$-])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?(?![\d/%]|[.,]\d)", _numeric),
    (r"(?<![\d.,:/$-])(?P<first>\d{1,2})([.-])(?P<second>\d{1,2})\2(?P<year>\d{4}|\d{2})(?![\d/]|[.,]\d)", _numeric),
    (rf"[#~]?(?P<nth>[1-5]) WD(?P<weekday>\d){_OF}(?:{_MONTH}|{NEXT_MONTH})", _nth_weekday),
    (rf"{_NUMBER}{_OF}{_MONTH}{_YEAR}", _named_month),
    (rf"{_MONTH}(?:[/ -]|,|(?: the))* ?[#~]?(?P<day>\d{{1,2}})(?!\d){NO_TIME}{_YEAR}", _named_month),
    (rf"(?:UDAY )?{_NUMBER}{_OF}{NEXT_MONTH}", _day_in(1)),
    (rf"(?:UDAY )?{_NUMBER}{_OF}{THIS_MONTH}", _day_in(0)),
    (rf"UDAYS? (?P<day>\d{{1,2}})(?: ou| e|,| or| and)(?: o| UDAY)* (?P<other>\d{{1,2}}){NO_TIME}", _either_day),
    (r"(?P<count>\d{1,2}) WD(?P<weekday>\d) from now", _weekdays_from_now),
    (rf"WD(?P<weekday>\d){_LINK}{NEXT_WEEK}|{NEXT_WEEK}{_LINK}WD(?P<after>\d)", _weekday_in(1)),
    (rf"WD(?P<weekday>\d){_LINK}{THIS_WEEK}|{THIS_WEEK}{_LINK}WD(?P<after>\d)", _weekday_in(0)),
    (rf"WD(?P<weekday>\d)(?: -|,)? (?:o |the )*(?P<mark>UDAY |[#~])?(?P<day>\d{{1,2}}){NO_CLOCK}", _weekday_and_day),
    (rf"WD(?P<weekday>\d)(?= (?P<day>\d{{1,2}}){NO_CLOCK}(?!{_OF}MON))", _weekday_or_day),
    (r"NEXT WD(?P<weekday>\d)|WD(?P<after>\d) NEXT", _next_weekday),
    (r"THIS WD(?P<weekday>\d)|WD(?P<after>\d) THIS", _this_weekday),
    (r"WD(?P<weekday>\d)", _weekday),
    (
        r"(?:UDAY )?REL(?P<days>m?\d)",
        lambda m, ref: Day((ref.today + timedelta(days=int(m["days"].replace("m", "-"))),)),
    ),
    (rf"(?:THIS )?UDAY [#~]?(?P<day>\d{{1,2}}){NO_TIME}", _day_of_month),
    (rf"(?:on |at )?(?:the )?#(?P<day>\d{{1,2}}){NO_TIME}(?! (?:one|option|slot|opcao|vaga))", _day_of_month),
)

_ENGLISH = (
    (rf"\bon (?:the )?~?(?P<day>\d{{1,2}})(?!\d){NO_CLOCK}(?! (?:one|option|slot))", _day_of_month),
    (r"^the (?P<day>\d{1,2})$", _day_of_month),
)

RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _TABLE)  # the more specific first
ENGLISH_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _ENGLISH)  # "on the first", "on 15"
