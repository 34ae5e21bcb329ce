"""The forms of saying a stretch of days ("semana que vem", "18 a 20 de julho"), over the symbols of `lexemes`."""

from __future__ import annotations

import re
from datetime import timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.date_grammar import NEXT_MONTH, NEXT_WEEK, NO_CLOCK, THIS_MONTH, THIS_WEEK
from orchestrator.planner.calendar.moments import Days, GrammarRule, Reference, Value
from orchestrator.turn import DateRange

_Match = re.Match[str]

_LAST_CLINIC_HOUR = 19  # above it, "entre 18 e 20" can only mean days
_WEEKEND = r"(?:fim|final|finais) de UWEEK|weekend"


def _other_week(_: _Match, ref: Reference) -> Value:
    monday = calendar_math.week_of(ref.today + timedelta(days=7)).first
    return Days(DateRange(monday, monday + timedelta(days=13)))


def _week_of_day(m: _Match, ref: Reference) -> Value | None:
    day = calendar_math.next_day_of_month(int(m["day"]), ref.today)
    return None if day is None else Days(calendar_math.week_of(day))


def _weekend(weeks: int, ref: Reference) -> Value:
    week = calendar_math.week_of(ref.today + timedelta(weeks=weeks))
    return Days(DateRange(max(week.first + timedelta(days=5), ref.today), week.last))


def _month_part(m: _Match, ref: Reference) -> Value:
    month = calendar_math.month_of(calendar_math.add_months(ref.today, 1 if m["next"] else 0))
    if m["end"]:
        return Days(DateRange(month.last - timedelta(days=9), month.last))
    first = DateRange(month.first, month.first + timedelta(days=9))
    if first.last >= ref.today:
        return Days(first)
    month = calendar_math.month_of(calendar_math.add_months(ref.today, 1))
    return Days(DateRange(month.first, month.first + timedelta(days=9)))


def _named_month(m: _Match, ref: Reference) -> Value:
    month = int(m["month"])
    first = calendar_math.next_day_and_month(1, month, ref.today.replace(day=1))
    span = calendar_math.month_of(first or ref.today)
    return Days(DateRange(max(span.first, ref.today), span.last))


def _next_days(m: _Match, ref: Reference) -> Value:
    days = int(m["count"]) * (7 if m["unit"] == "WEEK" else 1)
    return Days(DateRange(ref.today, ref.today + timedelta(days=days)))


def _between_days(m: _Match, ref: Reference) -> Value | None:
    first, last = int(m["first"]), int(m["last"])
    month = m["month"] or m["digits"]
    says_days = "UDAY" in m.group() or "#" in m.group() or month is not None
    if not says_days and last <= _LAST_CLINIC_HOUR:
        return None
    if month is not None:
        start = calendar_math.next_day_and_month(first, int(month), ref.today) if 1 <= int(month) <= 12 else None
    else:
        start = calendar_math.next_day_of_month(first, ref.today)
    if start is None:
        return None
    end = calendar_math.next_day_of_month(last, start)
    return None if end is None or end < start else Days(DateRange(start, end))


_BETWEEN = (
    r"(?:\b(?:entre|between|from|de|do|dos)\b(?: [oa]s?| the| UDAY)* |UDAY )#?(?P<first>\d{1,2})(?: of MON\d+)? ?"
    r"(?:e|a|ao|ate|and|to|through|-)(?: o| the| UDAY)* ?#?(?P<last>\d{1,2})"
    rf"(?:(?: de| of)? ?MON(?P<month>\d{{1,2}})|/(?P<digits>\d{{1,2}}))?{NO_CLOCK}"
)
_MONTH_PART = (
    r"(?:(?P<end>fim|final|end)|comeco|inicio|beginning|start) (?:do|de|of)(?: the)? "
    rf"(?:(?P<next>{NEXT_MONTH})|(?:THIS )?UMONTH)"
)

_FIRST = (
    (
        rf"(?:{NEXT_WEEK} )?(?:{_WEEKEND})(?: NEXT|(?: d[ae])? {NEXT_WEEK})|NEXT (?:{_WEEKEND})",
        lambda _, ref: _weekend(1, ref),
    ),
    (rf"(?:THIS )?(?:{_WEEKEND})", lambda _, ref: _weekend(0, ref)),
    (_BETWEEN, _between_days),
    (r"UWEEK (?:do|de|of)(?: the)?(?: UDAY)? #?(?P<day>\d{1,2})(?!\d| ?[/:])", _week_of_day),
    (_MONTH_PART, _month_part),
    (r"NEXT (?P<count>\d{1,2}) U(?P<unit>DAY|WEEK)", _next_days),
)

_LAST = (
    (r"\b(?:outra|another|a different|some other) UWEEK", _other_week),
    (NEXT_WEEK, lambda _, ref: Days(calendar_math.week_of(ref.today + timedelta(days=7)))),
    (THIS_WEEK, lambda _, ref: Days(DateRange(ref.today, calendar_math.week_of(ref.today).last))),
    (NEXT_MONTH, lambda _, ref: Days(calendar_math.month_of(calendar_math.add_months(ref.today, 1)))),
    (THIS_MONTH, lambda _, ref: Days(DateRange(ref.today, calendar_math.month_of(ref.today).last))),
    (r"\b(?:em|in|de|para|for|UMONTH de) MON(?P<month>\d{1,2})(?! ?[#~]?\d)", _named_month),
)

FIRST_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _FIRST)  # read before single days
LAST_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _LAST)  # read after single days
