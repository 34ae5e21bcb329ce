"""What the words around a value make of it: a stretch ("depois das 15h"), one end of a move."""

from dataclasses import dataclass
from datetime import date, time, timedelta

from orchestrator.planner.calendar import calendar_math, time_grammar
from orchestrator.planner.calendar.calendar_forms import pattern
from orchestrator.planner.calendar.moments import Clock, Day, Days, Hours, MomentRole, Value, Weekday
from orchestrator.turn import DateRange, Language, TimeRange

_AFTER_LUNCH, _BEFORE_LUNCH = TimeRange(time(13), time.max), TimeRange(time.min, time(11, 59))
_AFTER, _NEXT_DAY_ON, _FROM, _ONWARDS = pattern("after"), pattern("next_day_on"), pattern("from"), pattern("onwards")
_BEFORE, _UNTIL, _AT_LATEST = pattern("before"), pattern("until"), pattern("at_latest")
_AT_EARLIEST, _EARLIEST_LEAD = pattern("at_earliest"), pattern("earliest_lead")
_SOURCE, _TARGET = {language: pattern(f"source_{language}") for language in Language}, pattern("target")


def role_of(lead: str, language: Language) -> MomentRole:
    """Return which end of a move follows: "do dia 18", "para o dia 19"."""
    if _SOURCE[language].search(lead):
        return MomentRole.SOURCE
    return MomentRole.TARGET if _TARGET.search(lead) else MomentRole.UNSAID


@dataclass(frozen=True, slots=True)
class Bound:
    """An end of an open stretch."""

    starts: bool  # the stretch begins there
    within: bool  # the end itself belongs to the stretch, for days
    lead: int | None = None  # where its words begin in what stands before the value
    rest: int = 0  # where its words end in what stands behind the value


def bounded(value: Value, bound: Bound | None, today: date) -> Value:
    """Return a value, or the open stretch that the words around it make of it."""
    if bound is None:
        return value
    match value:
        case Day(dates=dates) | Weekday(dates=dates) if dates:
            return Days(_open_days(DateRange(dates[0], dates[0]), bound, today))
        case Days(span=span):
            return Days(_open_days(span, bound, today))
        case Hours(part="lunch"):
            return Hours(_AFTER_LUNCH if bound.starts else _BEFORE_LUNCH)
        case Clock(exists=True):
            return Hours(_open_hours(time_grammar.likeliest(value), bound))
        case _:
            return value


def bound_around(lead: str, rest: str) -> Bound | None:
    """Return the bound that the words before a value (`lead`) and behind it (`rest`) say.

    A bound that is denied is the other one with its end in it: "não antes das 10" is from 10 on.
    """
    if said := _BEFORE.search(lead):
        denied = said["no"] is not None
        return Bound(denied, denied, said.start())
    if said := _AFTER.search(lead):
        denied = said["no"] is not None
        return Bound(not denied, denied or _NEXT_DAY_ON.search(lead) is None, said.start())
    if said := _UNTIL.search(lead):  # "not until Wednesday" is from Wednesday on
        return Bound(said["no"] is not None, within=True, lead=said.start())
    if said := _AT_EARLIEST.match(rest):
        return Bound(starts=True, within=True, rest=said.end())
    if (said := _EARLIEST_LEAD.search(lead)) or ((said := _FROM.search(lead)) and _ONWARDS.match(rest)):
        onwards = _ONWARDS.match(rest)
        return Bound(starts=True, within=True, lead=said.start(), rest=onwards.end() if onwards else 0)
    said = _AT_LATEST.match(rest)
    return Bound(starts=False, within=True, rest=said.end()) if said else None


def _open_days(span: DateRange, bound: Bound, today: date) -> DateRange:
    if bound.starts:
        return DateRange(span.first if bound.within else min(span.last, _LAST_DAY) + timedelta(days=1), date.max)
    last = span.last if bound.within else span.first - timedelta(days=1)
    return DateRange(min(today, last), last)


_LAST_DAY = date.max - timedelta(days=1)


def _open_hours(at: time, bound: Bound) -> TimeRange:
    if bound.starts:
        return TimeRange(at, time.max)
    return TimeRange(time.min, at if bound.within else calendar_math.minute_beside(at, -1))
