"""The forms of saying a day by its weekday: the coming one, that of another week, one with a date beside it."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.date_grammar import LINK, NO_CLOCK, OF
from orchestrator.planner.calendar.moments import Day, Days, GrammarRule, Reference, Value, Weekday
from orchestrator.turn import DateRange

NEXT_WEEK = r"(?:UWEEK NEXT|(?:the )?NEXT UWEEK)"
THIS_WEEK = r"(?:THIS UWEEK|UWEEK THIS)"
OTHER_WEEK = r"(?:(?:a )?outra UWEEK|(?:the )?UWEEK after NEXT|UWEEK (?:depois|apos) d?a (?:UWEEK )?NEXT)"

_RULED_OUT = (
    r"(?!,? (?:eu |para mim |it |i |we )?(?:ja )?"
    r"(?:nao|not|can not|does not|do not|will not|is (?:not|out|bad|no))\b)"
)
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
    return Day((day,)) if day in calendar_math.this_week(ref.today) else _weekday_in(0)(m, ref)


def _weekday_in(weeks: int) -> Callable[[_Match, Reference], Value]:
    return lambda m, ref: Day(
        (calendar_math.week_of(ref.today).first + timedelta(weeks=weeks, days=int(m["weekday"] or m["after"])),)
    )


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
    return Day(tuple(first + timedelta(weeks=week) for week in range(int(m["count"]))))


_TABLE = (
    (r"(?P<count>\d{1,2}) WD(?P<weekday>\d) from now", _weekdays_from_now),
    (r"NEXT (?P<count>[2-9]) WD(?P<weekday>\d)", _next_weekdays),
    (
        rf"WD(?P<weekday>\d){LINK}{OTHER_WEEK}|(?:\bna {OTHER_WEEK}|UWEEK after NEXT){LINK}WD(?P<after>\d){_RULED_OUT}",
        _weekday_in(2),
    ),
    (rf"WD(?P<weekday>\d){LINK}{NEXT_WEEK}|{NEXT_WEEK}{LINK}WD(?P<after>\d){_RULED_OUT}", _weekday_in(1)),
    (rf"WD(?P<weekday>\d){LINK}{THIS_WEEK}|{THIS_WEEK}{LINK}WD(?P<after>\d){_RULED_OUT}", _weekday_of_this_week),
    (
        rf"WD(?P<weekday>\d) (?:(?:d[ao] )?UWEEK LAST|(?:of |from |in )?LAST UWEEK)|LAST UWEEK{LINK}WD(?P<after>\d)",
        _weekday_in(-1),
    ),
    (r"WD(?P<weekday>\d) after NEXT(?P<after>)", _weekday_after_next),
    (r"\b(?:d?[ao]|n[ao]|the) (?:outr[ao]|other) WD(?P<weekday>\d)", _week_after_coming),
    (rf"WD(?P<weekday>\d)(?: -|,)? (?:o |the )*(?P<mark>UDAY |[#~])?(?P<day>\d{{1,2}}){NO_CLOCK}", _weekday_and_day),
    (rf"WD(?P<weekday>\d)(?= (?P<day>\d{{1,2}}){NO_CLOCK}(?!{OF}MON))", _weekday_or_day),
    (r"(?:LAST WD(?P<weekday>\d)|WD(?P<after>\d) LAST)(?P<two>2?)(?! (?:slot|opening|appointment|one))", _last_weekday),
    (r"(?:THIS )?NEXT WD(?P<weekday>\d)|WD(?P<after>\d) NEXT", _next_weekday),
    (r"THIS WD(?P<weekday>\d)|WD(?P<after>\d) THIS", _this_weekday),
    (r"WD(?P<weekday>\d)(?! of (?!course|the [A-Z#~\d])[a-z])", _weekday),
)

RULES = tuple(GrammarRule(re.compile(pattern), read, needs="WD") for pattern, read in _TABLE)  # the more specific first
