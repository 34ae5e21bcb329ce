"""What stands around a value makes it a stretch ("depois das 15h"), one end of a move, one day with its neighbour.

"Quarta, dia 25" is one day, "de segunda a quarta" a stretch, "a terça da semana do Natal" a day of it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta

from orchestrator.planner.calendar import calendar_math, time_grammar
from orchestrator.planner.calendar.moments import Atom, Clock, Day, Days, Hours, MomentRole, Value, Weekday, pattern
from orchestrator.turn import DateRange, Language, TimeRange

_APART, _DAY_ALONE = pattern("apart"), pattern("day_alone")
_CORE, _NAMED_WEEK = re.compile(r"[A-Z#~0-9]"), re.compile("UWEEK|NEXT")
_AFTER_LUNCH, _BEFORE_LUNCH = TimeRange(time(13), time.max), TimeRange(time.min, time(11, 59))
# What says a bound before a value, with whether the stretch starts there and has it; and behind a value.
_LEADS = ((pattern("before"), False, False), (pattern("after"), True, True), (pattern("until"), False, True))
_RESTS = ((pattern("at_earliest"), True), (pattern("at_latest"), False))
_LAST_DAY = date.max - timedelta(days=1)


def join_days(atoms: Sequence[Atom], symbols: str, *, moving: bool) -> list[Atom]:
    """Return the atoms, with those joined that say one day or, unless `moving`, the two ends of a stretch."""
    joined: list[Atom] = []
    for atom in _in_that_week(_in_that_month(_in_that_part(atoms, symbols), symbols), symbols):
        before = joined[-1] if joined else None
        match [one.value for one in (*joined[-2:], atom)]:
            case [Weekday(weekday=weekday), Clock() | Hours(), Day(dates=dates)] if weekday in {
                day.weekday() for day in dates
            } and pattern("beside_it").match(symbols[joined[-1].end : atom.start]):  # "sábado 9h, dia 5"
                joined[-2:] = [replace(joined[-2], value=atom.value), replace(joined[-1], end=atom.end)]
                continue
        value: Day | Days | Hours | None = None
        if before is not None:
            gap = symbols[before.end : atom.start]
            lead = symbols[joined[-2].end if len(joined) > 1 else 0 : core_of(before, symbols)]
            value = _same_day(before, atom, gap) or _day_of_week(before, atom, gap, symbols)
            if isinstance(value, Day) and value.conflict and pattern("let_go").search(lead):
                value = None  # "forget tomorrow, Monday": two days, of which one is wanted
            if value is None and not moving and _joins(lead, gap, before, atom):
                value = _stretch(before, atom)
        if before is not None and value is not None:
            joined[-1] = Atom(before.start, atom.end, value)
        else:
            joined.append(atom)
    return joined


def _in_that_month(atoms: list[Atom], symbols: str) -> list[Atom]:
    month: Days | None = None  # "Em janeiro depois do dia 5": a day without a month is of the month said before
    placed: list[Atom] = []
    for atom in atoms:
        said = symbols[atom.start : atom.end]
        if isinstance(atom.value, Days):
            month = atom.value if "MO" in said else None
        elif month is not None and isinstance(atom.value, Day) and _DAY_ALONE.fullmatch(said) and atom.value.dates:
            day = calendar_math.in_month(atom.value.dates[0].day, month.span.last)
            placed.append(replace(atom, value=Day(() if day is None else (day,))))
            continue
        placed.append(atom)
    return placed


def _in_that_week(atoms: list[Atom], symbols: str) -> list[Atom]:
    # "Segunda ou terça da semana que vem": both weekdays are of that week; in "quinta ou segunda da ..." only one is.
    runs: list[list[Atom]] = []
    for atom in atoms:
        gap = symbols[runs[-1][-1].end : atom.start] if runs else ""
        last = runs[-1][-1] if runs and isinstance(atom.value, Weekday) else None
        weekdays = last is not None and isinstance(last.value, Weekday) and gap == " "
        week = "" if last is None or getattr(last.value, "counted", False) else symbols[last.start : last.end]
        led = _NAMED_WEEK.search(week) and pattern("within_week").fullmatch(gap)
        if runs and (pattern("listed").match(gap) or led or weekdays):  # "semana que vem tô livre terça e quinta"
            runs[-1].append(atom)
        else:
            runs.append([atom])
    return [atom for run in runs for atom in _of_one_week(run, symbols)]


def _of_one_week(run: list[Atom], symbols: str) -> list[Atom]:
    for place, dated in enumerate(run):
        day = _in_week(dated.value) if _NAMED_WEEK.search(symbols, dated.start, dated.end) else None
        if day is None:
            continue
        gaps = [symbols[dated.end : one.start] for one in run[place + 1 : place + 2]]
        bounds = isinstance(dated.value, Days) and not any(map(pattern("within_it").match, gaps))
        for at, atom in enumerate(run):
            if isinstance(atom.value, Weekday) and (at > place or atom.value.weekday < day.weekday()):
                there = (calendar_math.week_of(day).first + timedelta(days=atom.value.weekday),)
                run[at] = replace(atom, value=replace(atom.value, dates=there) if bounds else Day(there))
        break
    return run


def _in_week(value: Value) -> date | None:
    """Return a day of the one week that a value lies in; None where it is no day and no stretch of a week."""
    match value:
        case Day(dates=(day, *_)):
            return day
        case Days(span=span) if (span.last - span.first).days < 7:
            return span.first
    return None


def _in_that_part(atoms: Sequence[Atom], symbols: str) -> list[Atom]:
    # "After 8 tonight", "tomorrow evening after 7": the part of the day settles a time beside it that it holds.
    settled = list(atoms)
    for at, atom in enumerate(atoms):
        for near in atoms[max(at - 1, 0) : at + 3]:
            gap = symbols[min(atom.end, near.end) : max(atom.start, near.start)]
            match atom.value, near.value:
                case Clock(open=True) as clock, Hours(part=str() as part, span=span) if not _APART.search(gap):
                    clock = time_grammar.in_part(clock, part)
                    if time(clock.hour, clock.minute) in span:
                        settled[at] = replace(atom, value=clock)
                case Hours(part=None, span=said), Hours(part=str(), span=span) if said.last < min(span.first, time(12)):
                    later = [end.replace(hour=end.hour + 12) for end in (said.first, said.last)]
                    if later[0] in span and later[1] in span and not _APART.search(gap):
                        settled[at] = replace(atom, value=Hours(TimeRange(*later)))
    return settled


def _joins(lead: str, gap: str, first: Atom, last: Atom) -> bool:
    # "De segunda a quarta"; two single days need no "de".
    if isinstance(first.value, Clock):
        return pattern("two_clocks").search(f"{lead}_{gap}") is not None
    days = isinstance(first.value, Day | Weekday) and isinstance(last.value, Day | Weekday)
    both_ends = pattern("between").search(lead) and pattern("second_end").match(gap)
    return bool(both_ends or (days and pattern("bare_to").fullmatch(gap)))


def _same_day(first: Atom, second: Atom, gap: str) -> Day | None:
    if not pattern("beside_it").match(gap) or (". " in gap and isinstance(first.value, Day)):
        return None  # "travou ontem. segunda, por favor"
    match first.value, second.value:
        case (Weekday() as weekday, Day() as day) | (Day() as day, Weekday() as weekday):
            return _on_weekday(day, weekday)
        case Day(dates=dates), Day(dates=others) if dates and others and dates[0].day == others[0].day:
            return Day(others)  # "dia 24, véspera de Natal"
        case Days(span=span), Day(dates=dates) if any(d in span for d in dates):
            return Day(tuple(d for d in dates if d in span))
        case _:
            return None


def _on_weekday(day: Day, weekday: Weekday) -> Day:
    if day.counted:
        return Day((calendar_math.week_of(day.dates[0]).first + timedelta(days=weekday.weekday),))
    agreeing = tuple(d for d in day.dates if d.weekday() == weekday.weekday)
    if agreeing or not day.dates:
        return Day(agreeing)
    return Day(tuple(dict.fromkeys((*day.dates, weekday.dates[0]))), conflict=True)


def _day_of_week(first: Atom, second: Atom, gap: str, symbols: str) -> Day | None:
    # "A terça da semana do Natal"
    if not pattern("within_it").match(gap) or pattern("denied_behind").match(symbols, second.end):
        return None
    match first.value, second.value:
        case (Weekday(weekday=weekday), Days(span=span)) | (Days(span=span), Weekday(weekday=weekday)):
            is_week = timedelta() < span.last - span.first < timedelta(days=7)
            days = (day for day in calendar_math.days_in(span) if day.weekday() == weekday)
            return next((Day((day,)) for day in days), None) if is_week else None
        case _:
            return None


def _stretch(first: Atom, second: Atom) -> Days | Hours | None:
    match first.value, second.value:
        case Clock() as start, Clock() as end if start.exists and end.exists:
            return time_grammar.between(start, end)
        case (Day() | Weekday()) as start, Days(span=span) if start.dates and span.last >= start.dates[0]:
            return Days(DateRange(start.dates[0], span.last))
        case (Day() | Weekday()) as start, (Day() | Weekday()) as end if start.dates and end.dates:
            last = next((day for day in end.dates if day >= start.dates[0]), None)
            if last is None and isinstance(end, Weekday):
                last = end.dates[0] + timedelta(days=7)
            return None if last is None else Days(DateRange(start.dates[0], last))
        case _:
            return None


def core_of(atom: Atom, symbols: str) -> int:
    """Return where the value itself begins, past the little words that its form took in."""
    match = _CORE.search(symbols, atom.start, atom.end)
    return match.start() if match else atom.start


def role_of(lead: str, language: Language) -> MomentRole:
    """Return which end of a move follows: "do dia 18", "para o dia 19"."""
    if pattern(f"source_{language}").search(lead):
        return MomentRole.SOURCE
    return MomentRole.TARGET if pattern("target").search(lead) else MomentRole.UNSAID


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
            at = time_grammar.likeliest(value)
            end = at if bound.within else calendar_math.minute_beside(at, -1)
            return Hours(TimeRange(at, time.max) if bound.starts else TimeRange(time.min, end))
        case _:
            return value


def bound_around(lead: str, rest: str) -> Bound | None:
    """Return the bound that the words around a value say; "não antes das 10", "not until 10" are from 10 on."""
    for bound, starts, within in _LEADS:
        if said := bound.search(lead):
            denied = said["no"] is not None
            next_day_on = starts and pattern("next_day_on").search(lead)
            return Bound(starts != denied, denied or (within and not next_day_on), said.start())
    for bound, starts in _RESTS:
        if said := bound.match(rest):
            return Bound(starts, within=True, rest=said.end())
    onwards = pattern("onwards").match(rest)
    if said := pattern("earliest_lead").search(lead) or (onwards and pattern("from").search(lead)):
        return Bound(starts=True, within=True, lead=said.start(), rest=onwards.end() if onwards else 0)
    return None


def _open_days(span: DateRange, bound: Bound, today: date) -> DateRange:
    if bound.starts:
        return DateRange(span.first if bound.within else min(span.last, _LAST_DAY) + timedelta(days=1), date.max)
    last = span.last if bound.within else span.first - timedelta(days=1)
    return DateRange(min(today, last), last)
