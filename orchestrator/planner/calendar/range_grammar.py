"""The forms of saying a stretch of days ("semana que vem", "18 a 20 de julho"), over the symbols of `moment_parser`.

And those of counting to a day: "daqui a duas semanas", "a week from Monday", "five days before Christmas".
"""

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from orchestrator.planner.calendar import calendar_math, date_grammar
from orchestrator.planner.calendar.date_grammar import months_from, ordinal
from orchestrator.planner.calendar.moments import Day, Days, Instant, Reference, Value, Weekday, claim, forms
from orchestrator.turn import DateRange

_Match = re.Match[str]
_LAST_CLINIC_HOUR = 19  # above it, "entre 18 e 20" can only mean days
_MONTHS = 12
_AND, _BETWEEN = frozenset({"e", "and"}), ("between", "entre")
_CLOSING = time(20)  # from then on nothing is left of a day
_WEEK_PARTS = {"BEGIN": (0, 1), "MIDDLE": (1, 3), "END": (3, 4)}  # Monday is 0
_MONTH_PARTS = {"BEGIN": (1, 10), "MIDDLE": (11, 20), "END": (-10, -1)}
_YEAR_PARTS = {None: (1, 12), "": (1, 12), "BEGIN": (1, 1), "MIDDLE": (6, 7), "END": (12, 12)}
_GLUED = re.compile(r"^(\d{1,2})UHOUR( ?\d{2})?$")
_HALF_HOUR = re.compile(r"(?:a )?HALF (?:an? )?UHOUR")
_HALF_OF = {"UHOUR": " 30 UMIN", "UMONTH": " 15 UDAY", "UYEAR": " 6 UMONTH"}
_BASE_RULES = date_grammar.FEAST_RULES + date_grammar.RULES + date_grammar.WEEKDAY_RULES + date_grammar.DAY_RULES


def _week(weeks: int, _: _Match, ref: Reference) -> Value:
    return Days(calendar_math.week_of(ref.today + timedelta(weeks=weeks)))


def _this_week(_: _Match, ref: Reference) -> Value:
    return Days(calendar_math.this_week(ref.today))


def _month(months: int, _: _Match, ref: Reference) -> Value:
    return _left_of(calendar_math.month_of(calendar_math.add_months(ref.today, months)), ref)


def _any_other_week(_: _Match, ref: Reference) -> Value:
    monday = calendar_math.week_of(ref.today + timedelta(days=7)).first
    return Days(DateRange(monday, monday + timedelta(days=13)))


def _weekend(weeks: int, _: _Match, ref: Reference) -> Value:
    week = calendar_math.week_of(ref.today + timedelta(weeks=weeks))
    return Days(DateRange(max(week.first + timedelta(days=5), ref.today), week.last))


def _week_of(first: int, m: _Match, ref: Reference) -> Value | None:
    """The week of a day, from its weekday `first` on: 5 for the weekend."""
    found = calendar_math.next_date(int(m["day"]), m.groupdict().get("month"), ref.today)
    if found is None:
        return None
    week = calendar_math.week_of(found)
    return Days(DateRange(week.first + timedelta(days=first), week.last))


def _coming_weekend(_: _Match, ref: Reference) -> Value:
    week = calendar_math.week_of(ref.today)  # said at the weekend: what is left of it, else the next one
    first = max(week.first + timedelta(days=5), ref.today + timedelta(days=1 if ref.now.time() >= _CLOSING else 0))
    later = DateRange(week.first + timedelta(days=12), week.last + timedelta(days=7))
    if first > week.last:
        return Days(later, any_weekend=True)
    return Days(DateRange(first, week.last), later if ref.today.weekday() >= 5 else None, any_weekend=True)


def _week_part(m: _Match, ref: Reference) -> Value:
    this = calendar_math.this_week(ref.today).last if m["this"] else ref.today
    week = calendar_math.week_of(this + timedelta(weeks=2 if m["other"] else 1 if m["next"] else 0))
    first, last = _WEEK_PARTS[m["part"]]
    if week.first + timedelta(days=last) < ref.today and not m["this"]:
        week = calendar_math.week_of(ref.today + timedelta(weeks=1))
    return Days(DateRange(week.first + timedelta(days=first), week.first + timedelta(days=last)))


def _of_months(m: _Match, ref: Reference, first: int, last: int) -> Value:
    """Return days of the first month that a form may mean in which they are not over; negative ones from its end."""
    parts = [DateRange(_day_of(month, first), _day_of(month, last)) for month in months_from(m, ref.today)]
    return Days(next((one for one in parts if one.last >= ref.today), parts[-1]))


def _day_of(month: date, nth: int) -> date:
    days = [*calendar_math.days_in(calendar_math.month_of(month))]
    return days[:nth][-1] if nth > 0 else days[nth:][0]


def _month_part(m: _Match, ref: Reference) -> Value:
    return _of_months(m, ref, *_MONTH_PARTS[m["part"]])


def _nth_week(m: _Match, ref: Reference) -> Value:
    """Weeks of a month are counted from its first day; the last one is its last seven days."""
    nth = ordinal(m)
    return _of_months(m, ref, *((-7, -1) if nth < 0 or nth > 4 else (7 * nth - 6, 7 * nth)))


def _edge_of_month(m: _Match, ref: Reference) -> Value:
    count = int(m["count"]) * (7 if m["unit"] == "WEEK" else 1)
    return _of_months(m, ref, *((1, count) if m["first"] else (-count, -1)))


def _half_month(m: _Match, ref: Reference) -> Value:
    return _of_months(m, ref, *((1, 15) if ordinal(m) == 1 else (16, -1)))


def _year(m: _Match, ref: Reference) -> Value:
    said = m.groupdict().get("year")
    year = int(said) if said else ref.today.year + (1 if m["next"] else -1 if m["last"] else 0)
    span = _months_of(year, *_YEAR_PARTS[m["part"]])
    if m["part"] and span.last < ref.today and not (m["last"] or said):
        span = _months_of(year + 1, *_YEAR_PARTS[m["part"]])
    return _left_of(span, ref)


def _months_of(year: int, first: int, last: int) -> DateRange:
    return DateRange(date(year, first, 1), calendar_math.month_of(date(year, last, 1)).last)


def _left_of(span: DateRange, ref: Reference) -> Value:
    return Days(DateRange(max(span.first, ref.today), span.last) if span.last >= ref.today else span)


def _named_month(m: _Match, ref: Reference) -> Value:
    months = [calendar_math.month_of(month) for month in months_from(m, ref.today)]
    return _left_of(next((month for month in months if month.last >= ref.today), months[0]), ref)


def _between_months(m: _Match, ref: Reference) -> Value:
    first = calendar_math.next_date(1, m["first"], ref.today.replace(day=1)) or ref.today
    last = calendar_math.next_date(1, m["end"], first) or first
    return _left_of(DateRange(first, calendar_math.month_of(last).last), ref)


def _next_days(m: _Match, ref: Reference) -> Value:
    count = int(m["count"]) if m["count"].isdigit() else 1
    months, days = (count, 0) if m["unit"] == "MONTH" else (0, count * (7 if m["unit"] == "WEEK" else 1))
    return Days(DateRange(ref.today, calendar_math.add_months(ref.today, months) + timedelta(days=days)))


def _between_days(m: _Match, ref: Reference) -> Value | None:
    first, last = int(m["first"]), int(m["end"])
    month = m["month"] or m["digits"] or m["before"] or None
    says_days = "UDAY" in m.group() or "#" in m.group() or month is not None
    if month is None and m["joint"] == "-" and last < first and last <= _MONTHS:
        return None  # "dia 25-11" is a date
    if not says_days and (last <= _LAST_CLINIC_HOUR or not m["lead"]):
        return None
    if m["joint"] in _AND and not m.group().startswith(_BETWEEN):
        return None  # "dias 21 e 23" are two days
    start = calendar_math.next_date(first, month, ref.today)
    if start is None:
        return None
    end = calendar_math.next_date(last, None, start)
    return None if end is None or end < start else Days(DateRange(start, end))


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


FIRST_RULES = forms("first ranges", globals())  # read before single days
LAST_RULES = forms("last ranges", globals())  # read after single days
COUNTED_RULES = forms("counted", globals())  # counted from a day that is named, and read before that day
FROM_TODAY_RULES = forms("counted from today", globals())  # read after feasts ("Christmas in two years")
