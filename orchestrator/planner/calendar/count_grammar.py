"""The forms of counting to a day: "daqui a duas semanas", "a week from Monday", "five days before Christmas"."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from orchestrator.planner.calendar import calendar_math, date_grammar
from orchestrator.planner.calendar.moments import Day, Days, Instant, Reference, Value, Weekday, claim, forms
from orchestrator.turn import DateRange

_BASE_RULES = date_grammar.FEAST_RULES + date_grammar.RULES + date_grammar.WEEKDAY_RULES + date_grammar.DAY_RULES

_Match = re.Match[str]
_GLUED = re.compile(r"^(\d{1,2})UHOUR( ?\d{2})?$")
_HALF_HOUR = re.compile(r"(?:a )?HALF (?:an? )?UHOUR")
_HALF_OF = {"UHOUR": " 30 UMIN", "UMONTH": " 15 UDAY", "UYEAR": " 6 UMONTH"}


def _counted(m: _Match, ref: Reference) -> Value | None:
    groups = m.groupdict()
    earlier = groups.get("before") is not None
    day = ref.today if groups.get("base") is None else _base(m["base"], ref, earlier=earlier)
    if day is None:
        return None
    counts = "1 UDAY" if m["counts"] == "UDAY" else _GLUED.sub(r"\1 UHOUR\2 UMIN", m["counts"])
    if groups.get("half"):
        counts += _HALF_OF.get(counts[counts.rindex(" ") + 1 :], "")
    return _moved(day, _HALF_HOUR.sub("30 UMIN", counts), ref, earlier=earlier)


def _base(symbols: str, ref: Reference, *, earlier: bool = False) -> date | None:
    # A feast of several days is counted from its end, or back from its beginning.
    found = claim(_BASE_RULES, symbols, ref, [])
    match found[0].value if found else None:
        case Day(dates=dates) | Weekday(dates=dates) if dates:
            return dates[0]
        case Days(span=span):
            return span.first if earlier else span.last
        case _:
            return None


def _after_tomorrow(m: _Match, ref: Reference) -> Value | None:
    # "Três dias depois de amanhã" holds the words of the day after tomorrow.
    return _moved(ref.today + timedelta(days=1), m["counts"], ref, earlier=False)


def _from_base(read: Callable[[_Match, date], Value]) -> Callable[[_Match, Reference], Value | None]:
    """Return the reader of what is counted from a day; the beginning of a feast where it is counted back."""

    def found(m: _Match, ref: Reference) -> Value | None:
        groups = m.groupdict()
        day = _base(groups.get("base") or groups["of"], ref, earlier=_is_before(m))
        return None if day is None else read(m, day)

    return found


def _is_before(m: _Match) -> bool:
    return (m.groupdict().get("side") or "").startswith(("before", "antes"))


@_from_base
def _weekday_beside(m: _Match, day: date) -> Value:
    weekday, weeks = int(m["weekday"]), timedelta(weeks=int(m["nth"] or 1) - 1)
    if _is_before(m):
        return Day((calendar_math.previous(weekday, day) - weeks,))
    return Day((calendar_math.coming(weekday, day) + weeks,))


@_from_base
def _week_beside(m: _Match, day: date) -> Value:
    weeks = -1 if _is_before(m) else 1 if m["side"].startswith(("after", "depois")) else 0
    return Days(calendar_math.week_of(day + timedelta(weeks=weeks)))


@_from_base
def _weekend_beside(_: _Match, day: date) -> Value:
    week = calendar_math.week_of(day)
    saturday = week.first + timedelta(days=-2 if day == week.first else 5)
    return Days(DateRange(min(saturday, day), max(saturday + timedelta(days=1), day)))


def _days_after(days: int, m: _Match, ref: Reference) -> Value | None:
    day = _base(m["base"], ref)
    return None if day is None else Day((day + timedelta(days=days),))


def _moved(day: date, counts: str, ref: Reference, *, earlier: bool) -> Value | None:
    sign = -1 if earlier else 1
    start, clock = day, ref.now
    counts_time = False
    try:
        for count, unit in re.findall(r"(\d{1,3}|an?) U([A-Z]+)", counts):
            number = int(count) if count.isdigit() else 1
            match unit:
                case "HOUR" | "MIN":
                    clock += timedelta(hours=number) if unit == "HOUR" else timedelta(minutes=number)
                    counts_time = True
                case "BIZ" if sign > 0:
                    day = calendar_math.add_business_days(day, number)
                case "MONTH" | "YEAR":
                    day = calendar_math.add_months(day, sign * number * (12 if unit == "YEAR" else 1))
                case _:
                    day += timedelta(days=sign * number * {"DAY": 1, "BIZ": 1, "WEEK": 7, "FORTNIGHT": 14}[unit])
    except (OverflowError, ValueError):
        return None
    if counts_time:
        return Instant(clock.date() + (day - start), clock.time().replace(second=0, microsecond=0))
    return Day((day,), counted=True)


RULES = forms("counted", globals())  # counted from a day that is named, and read before that day
FROM_TODAY_RULES = forms("counted from today", globals())  # read after feasts ("Christmas in two years")
