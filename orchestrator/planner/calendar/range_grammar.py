"""The forms of saying a stretch of days ("semana que vem", "18 a 20 de julho"), over the symbols of `lexemes`."""

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.date_grammar import (
    NEXT_MONTH,
    NO_CLOCK,
    OF,
    ORDINAL,
    SOME_MONTH,
    THIS_MONTH,
    YEAR,
    months_from,
    ordinal,
)
from orchestrator.planner.calendar.moments import Days, GrammarRule, Reference, Value
from orchestrator.planner.calendar.weekday_grammar import NEXT_WEEK, OTHER_WEEK, THIS_WEEK
from orchestrator.turn import DateRange

_Match = re.Match[str]

_LAST_CLINIC_HOUR = 19  # above it, "entre 18 e 20" can only mean days
_MONTHS = 12
_CLOSING = time(20)  # from then on nothing is left of a day


def _week(weeks: int) -> Callable[[_Match, Reference], Value]:
    return lambda _, ref: Days(calendar_math.week_of(ref.today + timedelta(weeks=weeks)))


def _any_other_week(_: _Match, ref: Reference) -> Value:
    monday = calendar_math.week_of(ref.today + timedelta(days=7)).first
    return Days(DateRange(monday, monday + timedelta(days=13)))


def _week_of_day(m: _Match, ref: Reference) -> Value | None:
    day = calendar_math.next_day_of_month(int(m["day"]), ref.today)
    return None if day is None else Days(calendar_math.week_of(day))


def _weekend(weeks: int) -> Callable[[_Match, Reference], Value]:
    def read(_: _Match, ref: Reference) -> Value:
        week = calendar_math.week_of(ref.today + timedelta(weeks=weeks))
        return Days(DateRange(max(week.first + timedelta(days=5), ref.today), week.last))

    return read


def _weekend_of(m: _Match, ref: Reference) -> Value | None:
    day = (
        calendar_math.next_day_and_month(int(m["day"]), int(m["month"]), ref.today)
        if m["month"]
        else calendar_math.next_day_of_month(int(m["day"]), ref.today)
    )
    if day is None:
        return None
    week = calendar_math.week_of(day)
    return Days(DateRange(week.first + timedelta(days=5), week.last))


def _coming_weekend(_: _Match, ref: Reference) -> Value:
    # Said at the weekend: what is left of it, else the next one.
    week = calendar_math.week_of(ref.today)
    first = max(week.first + timedelta(days=5), ref.today + timedelta(days=1 if ref.now.time() >= _CLOSING else 0))
    later = DateRange(week.first + timedelta(days=12), week.last + timedelta(days=7))
    if first > week.last:
        return Days(later)
    return Days(DateRange(first, week.last), later if ref.today.weekday() >= 5 else None)


def _week_part(m: _Match, ref: Reference) -> Value:
    this = calendar_math.this_week(ref.today).last if m["this"] else ref.today
    week = calendar_math.week_of(this + timedelta(weeks=2 if m["other"] else 1 if m["next"] else 0))
    first, last = _WEEK_PARTS[m["part"]]
    if week.first + timedelta(days=last) < ref.today and not m["this"]:
        week = calendar_math.week_of(ref.today + timedelta(weeks=1))
    return Days(DateRange(week.first + timedelta(days=first), week.first + timedelta(days=last)))


_WEEK_PARTS = {"BEGIN": (0, 1), "MIDDLE": (1, 3), "END": (3, 4)}  # Monday is 0


def _of_months(m: _Match, ref: Reference, part: Callable[[DateRange], DateRange]) -> Value:
    """Return a part of the first month that a form may mean in which it is not over."""
    parts = [part(calendar_math.month_of(month)) for month in months_from(m, ref.today)]
    return Days(next((one for one in parts if one.last >= ref.today), parts[-1]))


def _days_of(month: DateRange, first: int, last: int) -> DateRange:
    return DateRange(month.first + timedelta(days=first - 1), month.first + timedelta(days=last - 1))


def _last_days(month: DateRange, count: int) -> DateRange:
    return DateRange(max(month.last - timedelta(days=count - 1), month.first), month.last)


def _month_part(m: _Match, ref: Reference) -> Value:
    if m["part"] == "END":
        return _of_months(m, ref, lambda month: _last_days(month, 10))
    first = 1 if m["part"] == "BEGIN" else 11
    return _of_months(m, ref, lambda month: _days_of(month, first, first + 9))


def _nth_week(m: _Match, ref: Reference) -> Value:
    """Weeks of a month are counted from its first day; the last one is its last seven days."""
    nth = ordinal(m)
    if nth < 0 or nth > 4:
        return _of_months(m, ref, lambda month: _last_days(month, 7))
    return _of_months(m, ref, lambda month: _days_of(month, 7 * nth - 6, 7 * nth))


def _edge_of_month(m: _Match, ref: Reference) -> Value:
    count = int(m["count"]) * (7 if m["unit"] == "WEEK" else 1)
    if not m["first"]:
        return _of_months(m, ref, lambda month: _last_days(month, count))
    return _of_months(m, ref, lambda month: _days_of(month, 1, min(count, month.last.day)))


def _half_month(m: _Match, ref: Reference) -> Value:
    if ordinal(m) == 1:
        return _of_months(m, ref, lambda month: _days_of(month, 1, 15))
    return _of_months(m, ref, lambda month: _days_of(month, 16, month.last.day))


def _year(m: _Match, ref: Reference) -> Value:
    said = m.groupdict().get("year")
    year = int(said) if said else ref.today.year + (1 if m["next"] else -1 if m["last"] else 0)
    first, last = _YEAR_PARTS[m["part"]] if m["part"] else (1, 12)
    start = date(year, first, 1)
    end = calendar_math.month_of(date(year, last, 1)).last
    if m["part"] and end < ref.today and not (m["last"] or said):
        start, end = date(year + 1, first, 1), calendar_math.month_of(date(year + 1, last, 1)).last
    return Days(DateRange(max(start, ref.today) if end >= ref.today else start, end))


def _whole_year(m: _Match, ref: Reference) -> Value:
    year = int(m["year"])
    first = ref.today if year == ref.today.year else date(year, 1, 1)
    return Days(DateRange(first, date(year, 12, 31)))


_YEAR_PARTS = {"BEGIN": (1, 1), "MIDDLE": (6, 7), "END": (12, 12)}


def _named_month(m: _Match, ref: Reference) -> Value:
    months = [calendar_math.month_of(month) for month in months_from(m, ref.today)]
    span = next((month for month in months if month.last >= ref.today), months[0])
    return Days(DateRange(max(span.first, ref.today), span.last) if span.last >= ref.today else span)


def _between_months(m: _Match, ref: Reference) -> Value:
    first = calendar_math.next_day_and_month(1, int(m["first"]), ref.today.replace(day=1)) or ref.today
    last = calendar_math.next_day_and_month(1, int(m["end"]), first) or first
    return Days(DateRange(max(first, ref.today), calendar_math.month_of(last).last))


def _next_days(m: _Match, ref: Reference) -> Value:
    days = int(m["count"]) * (7 if m["unit"] == "WEEK" else 1)
    return Days(DateRange(ref.today, ref.today + timedelta(days=days)))


def _between_days(m: _Match, ref: Reference) -> Value | None:
    first, last = int(m["first"]), int(m["end"])
    month = m["month"] or m["digits"] or m["before"] or None
    says_days = "UDAY" in m.group() or "#" in m.group() or month is not None
    if month is None and m["joint"] == "-" and last < first and last <= _MONTHS:
        return None  # "dia 25-11" is a date
    if not says_days and (last <= _LAST_CLINIC_HOUR or not m["lead"]):
        return None
    opening = m.groupdict().get("opening") or month
    if opening is not None:
        start = calendar_math.next_day_and_month(first, int(opening), ref.today) if 1 <= int(opening) <= 12 else None
    else:
        start = calendar_math.next_day_of_month(first, ref.today)
    if start is None:
        return None
    end = calendar_math.next_day_of_month(last, start)
    return None if end is None or end < start else Days(DateRange(start, end))


_TO = r"(?:a|ao|ate|to|through|thru|until|till|-)"
_DAYS = (
    r"(?P<lead>(?:\b(?:entre|between|from|de|do|dos)\b(?: [oa]s?| the| UDAY)* |UDAY ))"
    r"#?(?P<first>\d{1,2})(?:(?: (?:of|de) MON|/)(?P<opening>\d{1,2})(?![\d/]))? ?"
    rf"(?P<joint>e|and|{_TO})(?: o| the| UDAY)* ?#?(?P<end>\d{{1,2}})"
    rf"(?:(?: de| of)? ?MON(?P<month>\d{{1,2}})|/(?P<digits>\d{{1,2}}))?(?P<before>){NO_CLOCK}"
)
_BOTH_DAYS = rf"#?(?P<first>\d{{1,2}}) ?(?P<joint>{_TO}) ?#?(?P<end>\d{{1,2}})"
_MONTH_FIRST = rf"\bMON(?P<before>\d{{1,2}}) (?P<lead>){_BOTH_DAYS}(?P<month>)(?P<digits>){NO_CLOCK}"
_MONTH_BETWEEN = rf"\b(?:between|entre) {_MONTH_FIRST.replace(_TO, '(?:and|e)')}"
_MONTH_LAST = rf"(?<![\d:/])(?P<lead>){_BOTH_DAYS}{OF}MON(?P<month>\d{{1,2}})(?P<digits>)(?P<before>)"
_DAY_OF_MONTH = rf"(?:the |UDAY )*#?(?P<day>\d{{1,2}})(?:{OF}MON(?P<month>\d{{1,2}}))?(?![\d/:])"
_PART = r"(?P<part>BEGIN|MIDDLE|END)[ -](?:d[aeo]s? |of |in )?(?:the )?"
_IN_MONTH = r"(?:\b(?:em|in|de|para|for|of|by|ate|until|UMONTH de|THIS|NEXT)|^(?=MON\d+[.?! ]*(?:\d{4})?$))"
_SOME_YEAR = r"UYEAR NEXT|NEXT UYEAR"
_HALF = r"(?:quinzena|HALF)"

_FIRST = (
    (rf"(?:{NEXT_WEEK} )?WKND(?: NEXT|(?: d[ae])? {NEXT_WEEK})|NEXT WKND|\b(?:o|no) outro WKND", _weekend(1)),
    (r"WKND after NEXT", _weekend(2)),
    (rf"WKND (?:of|d[aeo]s?) {_DAY_OF_MONTH}", _weekend_of),
    (r"THIS WKND", _weekend(0)),
    (r"LAST WKND|WKND LAST", _weekend(-1)),
    (r"(?<!FEAST\d )(?<!FEAST\d\d )WKND(?! (?:of|d[aeo]) FEAST)", _coming_weekend),
    (rf"{ORDINAL} UWEEK{OF}{SOME_MONTH}", _nth_week),
    (rf"(?:[#~](?P<first>1)|LAST) (?P<count>\d{{1,2}}) U(?P<unit>DAY|WEEK){OF}{SOME_MONTH}", _edge_of_month),
    (rf"{ORDINAL} {_HALF}{OF}{SOME_MONTH}", _half_month),
    (rf"{_PART}(?:(?P<other>{OTHER_WEEK})|(?P<next>{NEXT_WEEK})|(?P<this>{THIS_WEEK})|UWEEK)(?! of)", _week_part),
    (rf"{_PART}{SOME_MONTH}", _month_part),
    (
        rf"{_PART}(?:(?P<next>NEXT UYEAR|UYEAR NEXT)|(?:UYEAR de )?(?P<year>20\d\d)(?!\d)|(?:THIS )?UYEAR)(?P<last>)",
        _year,
    ),
    (rf"(?P<year>{_SOME_YEAR}),? (?:em|in) MON(?P<month>\d{{1,2}})(?!\d)(?P<next>)(?P<this>)", _named_month),
    (_MONTH_BETWEEN, _between_days),
    (_MONTH_FIRST, _between_days),
    (_DAYS, _between_days),
    (_MONTH_LAST, _between_days),
    (rf"(?<![\d:/$A-Z-])(?P<lead>){_BOTH_DAYS}/(?P<digits>\d{{1,2}})(?P<month>)(?P<before>)(?![\d/])", _between_days),
    (
        r"(?:\b(?:de|from|between|entre) )MON(?P<first>\d{1,2}) (?:e|and|a|ate|to|through) MON(?P<end>\d{1,2})",
        _between_months,
    ),
    (r"UWEEK (?:do|de|of)(?: the)?(?: UDAY)? #?(?P<day>\d{1,2})(?!\d| ?[/:])", _week_of_day),
    (r"NEXT (?P<count>\d{1,2}) U(?P<unit>DAY|WEEK)", _next_days),
)

_LAST = (
    (r"(?:the )?UWEEK after NEXT|UWEEK (?:depois|apos) d?a (?:UWEEK )?NEXT", _week(2)),
    (r"\b(?:outra|another|a different|some other) UWEEK", _any_other_week),
    (NEXT_WEEK, _week(1)),
    (THIS_WEEK, lambda _, ref: Days(calendar_math.this_week(ref.today))),
    (r"LAST UWEEK|UWEEK LAST(?!2)", _week(-1)),
    (NEXT_MONTH, lambda _, ref: Days(calendar_math.month_of(calendar_math.add_months(ref.today, 1)))),
    (
        r"(?:the )?UMONTH after NEXT",
        lambda _, ref: Days(calendar_math.month_of(calendar_math.add_months(ref.today, 2))),
    ),
    (THIS_MONTH, lambda _, ref: Days(DateRange(ref.today, calendar_math.month_of(ref.today).last))),
    (
        r"LAST UMONTH|UMONTH LAST(?!2)",
        lambda _, ref: Days(calendar_math.month_of(calendar_math.add_months(ref.today, -1))),
    ),
    (rf"{_IN_MONTH} ?MON(?P<month>\d{{1,2}})(?! ?[#~]?\d{{1,2}}(?!\d)){YEAR}(?P<next>)(?P<this>)", _named_month),
    (r"\b(?:em|in|durante) (?:UYEAR de )?(?P<year>(?:19|20)\d\d)(?![\d:/-]| ?(?:UHOUR|AM|PM))", _whole_year),
    (
        rf"\bMON(?P<month>\d{{1,2}})(?: ?(?:/|d[eo]|of|,) ?| )(?P<year>20\d\d|{_SOME_YEAR})(?!\d)(?P<next>)(?P<this>)",
        _named_month,
    ),
    (r"(?P<next>NEXT UYEAR|UYEAR NEXT)|(?P<last>LAST UYEAR|UYEAR LAST)|THIS UYEAR(?P<part>)", _year),
)

FIRST_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _FIRST)  # read before single days
LAST_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _LAST)  # read after single days
