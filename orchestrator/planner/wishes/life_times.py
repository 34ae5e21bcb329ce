"""Read what people tell of their days, with its hours: work, school, meals, errands, trips.

Such hours are a reason. They bound what suits ("saio às 17h": nothing before) and are never what is wished, nor one of
several wishes. Work without a day is on working days. "Depois disso" and "that day" lean on the reason before them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, time, timedelta

from orchestrator import turn
from orchestrator.planner.calendar import Reference, minute_beside
from orchestrator.planner.lexicon import pattern
from orchestrator.planner.text import Text, blanked
from orchestrator.planner.wishes.conditions import days_and_times
from orchestrator.planner.wishes.wish_tokens import Kind, Token

LIFE, _CUT, _NO_LIFE = (pattern("patterns", name) for name in ("life", "life_cut", "life_not"))
_HABIT, _NEAR, _WAY = (pattern("patterns", name) for name in ("life_habit", "life_near", "life_way"))
_LEANING, _DAY = pattern("patterns", "life_leaning"), timedelta(days=1)
_WORKDAYS, _OF_WORK = turn.OnWeekdays(frozenset(range(5))), frozenset({"ends", "works"})
_FREE = frozenset({"between", "comes", "limits", "habits", "unless"})  # their hours are those that suit


def life_times(text: Text, reference: Reference) -> list[Token]:
    """Return the bounds that the reasons of a text set, each at its words, and those of words that lean on them."""
    found, start = [], 0
    for end, after in [*(cut.span() for cut in _CUT.finditer(text.folded)), (len(text.folded),) * 2]:
        head = LIFE.search(text.folded, start, end)
        if head and not _NO_LIFE.search(text.folded, start, end):
            kind, hidden = str(head.lastgroup), blanked(text.folded, [(0, start), (end, len(text.folded))])
            values = _of_reason(head, list(days_and_times(replace(text, folded=hidden), reference)))
            needed = {"limits": _HABIT.search(text.folded), "anchor": _LEANING.search(text.folded, end)}
            wanted = _bound(kind, values, hidden) if needed.get(kind, head) else None
            if wanted is not None:
                found.append(Token(Kind.BOUND, min(head.start(), values[0].start), end, kind, wanted))
        start = after
    if {"starts", "ends"} <= {one.text for one in found}:  # who starts at 8 and leaves at 5 is free behind it
        found = [one for one in found if one.text != "starts"]
    return [*found, *_leaning(text, found, reference)]


def _of_reason(head: re.Match[str], values: Sequence[Token]) -> list[Token]:
    """Return the days and hours behind the first words of a reason, and a day or an hour just before them."""
    kept, begin = [one for one in values if one.start >= head.start()], head.start()
    told = {type(one.wanted) for one in kept}
    for one in reversed(values[: len(values) - len(kept)]):
        if type(one.wanted) in told or not _NEAR.fullmatch(head.string, one.end, begin):
            break
        kept, begin = [one, *kept], one.start
    way = _WAY.search(head.string, head.start())
    return [one for one in kept if way is None or not way.start() <= one.start < way.end()]


def _bound(kind: str, values: Sequence[Token], said: str) -> turn.Filter | None:
    hours = [one.wanted for one in values if isinstance(one.wanted, turn.AtTimes)]
    days = [one.wanted for one in values if one.wanted is not None and one.wanted not in hours]
    if kind == "meets":  # "lunch at one" is at one
        hours = [one for one in hours if one.spans[0].first == one.spans[0].last] or hours
    trip = turn.spans_of(turn.on_coming_days(turn.all_of(days)))
    if trip and not hours and kind == "anchor":
        return turn.Not(turn.OnDates(trip))
    if trip and (kind == "paid" or (kind == "leaves" and not hours)):
        first, last = trip[0].first, trip[-1].first - _DAY if len(trip) > 1 else trip[0].last
        first, last = (date.min, first) if kind == "paid" else (first, last)
        return turn.Not(turn.OnDates((turn.DateRange(first, last),))) if first < last < date.max - _DAY else None
    if not hours or kind == "paid" or (kind == "between" and (len(hours) < 2 or len(days) > 1)):
        return None
    on: list[turn.Filter] = [turn.any_of(days)] if days else [_WORKDAYS] if kind in _OF_WORK else []
    but = [turn.Not(one) for one in on] if kind == "unless" else on
    free = turn.TimeRange(hours[0].spans[0].first, minute_beside(hours[-1].spans[0].first, -1))
    busy = _outside(free) if kind == "between" else [span for one in hours for span in _busy(kind, one, said)]
    return turn.all_of((*(on if kind in {"between", "comes"} else ()), _except(but, busy)))


def _except(on: Sequence[turn.Filter], busy: Sequence[turn.TimeRange]) -> turn.Filter:
    return turn.Not(turn.all_of((*on, turn.AtTimes(tuple(busy)))))


def _outside(free: turn.TimeRange) -> list[turn.TimeRange]:
    before = [turn.TimeRange(time.min, minute_beside(free.first, -1))] if free.first > time.min else []
    return [*before, *([turn.TimeRange(minute_beside(free.last, 1), time.max)] if free.last < time(23) else [])]


def _busy(kind: str, hours: turn.AtTimes, said: str) -> list[turn.TimeRange]:
    """Return when somebody is busy whose reason names an hour or a stretch of hours."""
    span, way = hours.spans[0], _WAY.search(said)
    if span.first < span.last and (kind in _FREE or (kind in {"starts", "leaves"} and span.first == time.min)):
        return _outside(span)
    if kind in {"ends", "comes"} and (span.first == span.last or span.last >= time(23)):
        at = hours.spans[-1 if kind == "ends" and span.first < time(8) else 0].first  # nobody leaves work at seven
        minutes = int(way["minutes"] or 0) + 60 * int(way["hours"] or 0) if way else 0
        return [turn.TimeRange(time.min, minute_beside(at, minutes - 1))]
    if span.first < span.last:  # who works until four is free at four
        return [turn.TimeRange(span.first, minute_beside(span.last, 0 if span.last.minute % 10 == 9 else -1))]
    late = time.max if kind in {"starts", "leaves"} else minute_beside(span.first, 0 if kind == "anchor" else 59)
    return [turn.TimeRange(span.first, late)]


def _leaning(text: Text, found: Sequence[Token], reference: Reference) -> Iterator[Token]:
    rest = replace(text, folded=blanked(text.folded, [(one.start, one.end) for one in found]))
    for match in _LEANING.finditer(rest.folded) if found else ():
        reason = next((one.wanted for one in reversed(found) if one.wanted and one.end <= match.start()), None)
        if reason is None:
            continue
        start, leans, hours, trip = match.start(), match.lastgroup, turn.hours_of(reason), turn.spans_of(reason)
        on = [one for one in turn.conditions_of(reason) if one.axis is turn.Axis.DAY and one != _WORKDAYS]
        wanted: list[turn.Filter] = [turn.any_of(on)] if on and hours and leans != "both" else []
        if leans == "day":  # its hours are of that day alone
            times = [one for one in days_and_times(rest, reference) if isinstance(one.wanted, turn.AtTimes)]
            for one in [one for one in times if _NEAR.fullmatch(text.folded, one.end, start)][-1:]:
                start, (span, *_) = one.start, turn.hours_of(one.wanted or turn.ANY_OPENING)
                wanted.append(_except(on, _outside(span)))
        elif hours and leans != "both" and _WORKDAYS not in turn.conditions_of(reason):
            late, early = (minute_beside(hours[-1].last, 1), time.max), (time.min, minute_beside(hours[0].first, -1))
            wanted.append(turn.AtTimes((turn.TimeRange(*(late if leans == "after" else early)),)))
        elif trip and trip[0].first > date.min and not hours and leans != "both":
            later, sooner = (trip[0].last + _DAY, date.max), (reference.today, trip[0].first - _DAY)
            wanted = [turn.OnDates((turn.DateRange(*(later if leans == "after" else sooner)),))]
        if wanted or leans == "both":  # "that day", where none was told, leans on something else
            yield Token(Kind.BOUND, start, match.end(), match.group(), turn.all_of(wanted))
