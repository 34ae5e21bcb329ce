"""Read what people tell of their days, with its hours: work, school, meals, errands, trips.

Such hours are a reason. They bound what suits ("saio às 17h": nothing before) and are never what is wished, nor one of
several wishes. Work without a day is on working days. "Depois disso" and "that day" lean on the reason before them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, time, timedelta
from functools import lru_cache
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Reference, minute_beside, outside
from orchestrator.planner.lexicon import each_match, expression
from orchestrator.planner.text import Text, blanked
from orchestrator.planner.wishes.conditions import days_and_times, told_in
from orchestrator.planner.wishes.wish_tokens import Kind, Token

_NEAR, _WAY, _BESIDE, _LEANING = map(expression, ("life_near", "life_way", "life_beside", "life_leaning"))
_LIFE, _SO_TOO, _DAWN, _DAY = *map(expression, ("life", "life_so_too", "life_dawn")), timedelta(days=1)
_START, _TOLD = attrgetter("start"), re.compile(r"\d|noon|meio[ -]dia|one|uma")
_WORKDAYS, _WORK = turn.OnWeekdays(frozenset(range(5))), frozenset({"ends", "works"})
_ALL_DAY = frozenset({"rest", "meets", "works", "elsewhere", "taken", "broke", "weekly", "daily", "spared", "ride"})
_FROM, _PAIRS, _DENIED = {"starts", "ahead"}, {"between", "errands"}, {"no_after", "no_before"}
_SABBATH = turn.any_of(
    turn.all_of((turn.OnWeekdays(frozenset({day})), turn.AtTimes((turn.TimeRange(first, last),))))
    for day, first, last in ((4, time(18), time.max), (5, time.min, time(17, 59)))
)
_OPEN, _TRIPS = frozenset({"both", "week", *_DENIED}), frozenset({"leaves", "returns", "stays"})
_MINUTES = {"half an": 30, "half": 30, "half a": 30, "meia": 30} | {str(n): n * 60 for n in range(10)}
_FREE = frozenset({"between", "comes", "ride", "limits", "habits", "unless"})  # their hours are those that suit


@lru_cache(maxsize=8)  # a turn reads an utterance more than once
def life_times(text: Text, reference: Reference) -> Sequence[Token]:
    """Return the bounds that the reasons of a text set, each at its words, and those of words that lean on them."""
    if next(each_match("life", text.folded), None) is None:
        return ()
    found, start, free = list[Token](), 0, frozenset[int]()
    folded = expression("errand").sub(lambda one: one[0].replace(one["where"], "x" * len(one["where"])), text.folded)
    text = replace(text, folded=folded)  # whom a relative is taken to is of the reason, and asks for nobody
    for end, after in [*(cut.span() for cut in expression("life_cut").finditer(text.folded)), (len(text.folded),) * 2]:
        head = _LIFE.search(text.folded, start, end) or (found and _SO_TOO.fullmatch(text.folded, start, end))
        if head and not expression("life_not").search(text.folded, start, end):
            kind, hidden = head.lastgroup or found[-1].text, blanked(text.folded, [(0, start), (end, len(text.folded))])
            values = _of_reason(head, sorted(days_and_times(replace(text, folded=hidden), reference), key=_START))
            before = replace(text, folded=blanked(text.folded, [(start, len(text.folded))]))
            said = [one.wanted for one in days_and_times(before, reference)] if kind == "rest" else []
            named = turn.weekdays_of(turn.any_of(filter(None, said)))
            others = Token(Kind.CONDITION, *head.span(), kind, turn.OnWeekdays(frozenset(range(7)) - named))
            values = [others] if named else values
            leans = _LEANING.search(text.folded, end)
            told = turn.any_of(told_in(values))
            days = turn.spans_of(turn.on_coming_days(told))
            needed = {
                "limits": expression("life_habit").search(text.folded),
                "barred": turn.weekdays_of(told) and len(days) != 1,  # on each such day, and not on the next alone
                "anchor": leans or (found and found[-1].text == "over"),  # "by ten, because the bus comes at eleven"
                "stays": leans or any(one.first + _DAY < one.last for one in days),  # "I am in Rio next week"
            }
            wanted = bound_of(kind, values, hidden, found) if needed.get(kind, head) else None
            free |= turn.weekdays_of(told) if kind == "free" or (found and {kind, found[-1].text} <= _WORK) else set()
            over = bool(days) and days[-1].last < reference.today  # "torci ontem no futebol"
            if over or kind in {"again", "lifted"} or (kind == "free" and values):
                wanted = turn.ANY_OPENING  # "after 2, before that I am at work"; a day off adds to what work leaves
            elsewhere = list(days_and_times(text, reference)) if kind in {*_ALL_DAY, "stays"} and values else []
            part = expression("life_part").match(text.folded, end) if elsewhere else None
            alone = part or kind == "spared" or head.lastgroup is None or not _hours(elsewhere)
            if kind in _ALL_DAY and values and wanted is None and alone:
                wanted = told if kind == "ride" else turn.Not(told)
            close = end
            if part and isinstance(wanted, turn.Not) and not turn.hours_of(wanted):  # "till the 4th, mornings"
                hours = [one.wanted for one in elsewhere if part.start() <= one.start < part.end() and one.wanted]
                wanted, close = turn.Not(turn.all_of((wanted.part, *hours))), part.end()
            if wanted is not None:
                first = min(head.start(), *(one.start for one in values), end)
                begin = expression("denial_before").search(text.folded, 0, first)
                way = _WAY.search(text.folded, head.start(), end)
                until, behind = way.span("place") if way and way["place"] else (close, close)  # where it is wished
                found.append(Token(Kind.BOUND, begin.start() if begin else 0, until, kind, wanted))
                found += [Token(Kind.BOUND, behind, close, kind, turn.ANY_OPENING)] if behind < close else []
        elif found and found[-1].text == "never" and expression("life_but").fullmatch(text.folded, start, end):
            found.append(Token(Kind.BOUND, start, end, "never"))
        start = after
    found = _with_days_off(text, found, free, reference)
    at_work = {one.text: turn.hours_of(one.wanted or turn.ANY_OPENING) for one in found}
    if (begins := at_work.get("starts")) and (ends := at_work.get("ends")):  # who works from 8 till 5 is free behind it
        gone = "ends" if time(12) <= begins[0].first < ends[-1].last else "starts"  # from 2 till 10: free before it
        found = [replace(one, wanted=turn.ANY_OPENING) if one.text == gone else one for one in found]
    leaning = _inside(text, found, reference) if found else None
    return [*found, *_leaning(text, found, reference)] if leaning is None else leaning


def _hours(values: Iterable[Token]) -> list[turn.AtTimes]:
    """Return the hours told, but for a part of the day that has one of them: "lunch at one" is at one."""
    hours = [(one.wanted, _TOLD.search(one.text)) for one in values if isinstance(one.wanted, turn.AtTimes)]
    exact = [one.spans[0].first for one, told in hours if told]
    return [one for one, told in hours if told or not any(at in one.spans[0] for at in exact)]


def _of_reason(head: re.Match[str], values: Sequence[Token]) -> list[Token]:
    """Return the days and hours behind the first words of a reason, and a day or an hour just before them."""
    begin = head.end() if head.lastgroup in {"ahead", "behind"} else head.start()  # "before work" is early by itself
    kept, begin = [one for one in values if one.start >= begin], head.start()
    told = {type(one.wanted) for one in kept} if head.lastgroup != "leaves" else set()  # "the 3rd I fly, back the 9th"
    for of_day, one in reversed([*zip([None, *values], values[: len(values) - len(kept)], strict=False)]):
        if of_day and told - {turn.AtTimes} and isinstance(one.wanted, turn.AtTimes):
            break  # "Saturday after 12, I work Monday to Friday"
        refused = expression("denied_bound").search(head.string, 0, one.end)  # "not before 10, I drop off my son"
        weeks = isinstance(one.wanted, turn.OnDates) and one.wanted.spans[0].first < one.wanted.spans[-1].last
        apart = weeks and "," in head.string[one.end : begin]  # "cardio next week, I take the kids to school at 8"
        apart |= _BESIDE.match(head.string, one.end) is not None  # "Tuesday at 10 and my husband drives me"
        near = expression("life_list") if type(one.wanted) in told else _NEAR  # "Mondays and Wednesdays I babysit"
        if refused or apart or not near.fullmatch(head.string, one.end, begin):
            break
        kept, begin = [one, *kept], one.start
    way = _WAY.search(head.string, head.start())
    return [one for one in kept if way is None or not way.start() <= one.start < way.end()]


def bound_of(kind: str, values: Sequence[Token], said: str, before: Sequence[Token]) -> turn.Filter | None:
    """Return what a reason leaves, None where its days and hours do not tell."""
    hours = _hours(values)
    if kind == "meets" and len(hours) > 1 and expression("life_stretch").search(said):  # "physio at 9, back by noon"
        back = hours[-1].spans[0]
        until = back.last if back.first == time.min else minute_beside(back.first, -1)
        hours = [turn.AtTimes((turn.TimeRange(hours[0].spans[0].first, max(until, hours[0].spans[0].first)),))]
    elif kind == "meets":  # "lunch with a client at 5" is at five
        hours = _hours(one for one in values if _TOLD.search(one.text)) or hours
    days = [one for one in told_in(values) if not isinstance(one, turn.AtTimes)]
    trip = turn.spans_of(turn.on_coming_days(turn.all_of(days)))
    if trip and kind in _TRIPS and (len(days) > 1 or not hours or expression("life_back").search(said)):
        left = next((turn.spans_of(one.wanted)[:1] for one in before if one.text == "leaves" and one.wanted), ())
        return _away(values, left, returns=len(days) > 1 or expression("life_back").search(said) is not None)
    if trip and (kind == "paid" or (kind == "anchor" and not hours)):
        return turn.Not(turn.OnDates(trip if kind == "anchor" else (turn.DateRange(date.min, trip[0].first),)))
    if kind in {"never", "barred", "sabbath"}:
        turned = any(expression("denied").match(one.text) for one in values)  # "nunca antes das 14" is from two on
        busy = [span for one in hours for span in (outside(one.spans[0]) if turned else _busy(kind, one, said))]
        never = turn.all_of((turn.any_of(days), turn.AtTimes(tuple(busy)))) if days and hours else None
        barred = _SABBATH if kind == "sabbath" else never
        return barred and turn.Not(barred)
    if not hours or kind in {"paid", "returns"} or (kind in _PAIRS and (len(hours) < 2 or len(days) > 1)):
        return None
    but = [one.wanted for one in values if one.wanted and expression("but_day").search(said, 0, one.start)]
    off = turn.weekdays_of(turn.any_of(but))
    if off and kind != "unless":  # "I work till 3 except on Fridays"
        days = [turn.OnWeekdays(frozenset(range(5)) - off)]
    of_work = kind in _WORK and not (kind == "ends" and _DAWN.search(said))  # who sleeps does so on any day
    on: list[turn.Filter] = [turn.any_of(days)] if days else [_WORKDAYS] if of_work else []
    first, last = hours[0].spans[0].first, hours[-1].spans[0].first
    if kind in {"over", "errands"}:
        over = _over_by(min(one.spans[-1].last for one in hours))
        weekly = kind == "over" and days and not any(getattr(one, "coming", True) for one in days)  # on each such day
        then = turn.all_of((*on, *([over] if kind == "over" else _within(first, last))))
        return _except(on, [turn.TimeRange(minute_beside(over.spans[0].last, 1), time.max)]) if weekly else then
    but = [turn.Not(one) for one in on] if kind == "unless" else on
    free = turn.TimeRange(first, minute_beside(last, -1))
    busy = outside(free) if kind == "between" else [span for one in hours for span in _busy(kind, one, said)]
    several = kind in {"limits", "habits"} and len(hours) > 1  # "Thursdays only mornings or evenings"
    kept = turn.Not(turn.all_of((*on, turn.Not(turn.any_of(hours))))) if several else _except(but, busy)
    return turn.all_of((*(on if kind in {"between", "comes", "ride"} else ()), kept))


def _with_days_off(text: Text, found: list[Token], free: frozenset[int], reference: Reference) -> list[Token]:
    """Return the bounds without work on the days that are `free`, which alone are wished: "Thursdays I am off"."""
    if {one.text for one in found} <= {"free"}:
        rest = replace(text, folded=blanked(text.folded, [(one.start, one.end) for one in found]))
        return found if any(not isinstance(one.wanted, turn.AtTimes) for one in days_and_times(rest, reference)) else []
    left, whole = turn.OnWeekdays(frozenset(range(5)) - free), turn.ANY_OPENING
    read = [turn.replaced(one.wanted or whole, lambda part: left if part == _WORKDAYS else part) for one in found]
    return [replace(one, wanted=wanted) for one, wanted in zip(found, read, strict=True)] if free else found


def _over_by(end: time) -> turn.AtTimes:
    """Return when a visit begins that is over by an hour; who is to be off before eleven leaves by 10:59."""
    return turn.AtTimes((turn.TimeRange(time.min, minute_beside(end, -turn.USUAL_MIN)),))


def _within(begin: time, end: time) -> list[turn.Filter]:
    """Return what lies between two errands: at the hour of the first one is still there."""
    return [_over_by(end), _except((), [turn.TimeRange(time.min, begin)])]


def _away(values: Sequence[Token], left: Sequence[turn.DateRange], *, returns: bool) -> turn.Filter | None:
    """Return the days but those of a trip; who leaves in the afternoon or comes back in the morning has half a day."""
    stops: list[tuple[turn.DateRange, turn.TimeRange | None]] = []
    for one in values:
        if stops and isinstance(one.wanted, turn.AtTimes):
            stops[-1] = (stops[-1][0], one.wanted.spans[0])
        elif one.wanted is not None:
            stops += [(span, None) for span in turn.spans_of(turn.on_coming_days(one.wanted))[:1]]
    (first, leaves), (last, comes) = stops[0], stops[-1]
    if not returns and values[0].text.startswith(("before ", "by ", "antes ")):
        return turn.OnDates((first,))  # who has to leave before a day comes until then
    last = turn.DateRange(last.first, last.first) if last.last == date.max else last  # "back from the 3rd on"
    if returns and len(stops) == 1:
        first, leaves = (left[0] if left else turn.DateRange(date.min, date.min)), None
    late = comes is not None and comes.first >= time(17)
    begin = first.first + _DAY if leaves and leaves.first >= time(12) else first.first
    end = last.first - _DAY if returns and not late else last.last
    busy: list[turn.Filter] = [turn.OnDates((turn.DateRange(begin, end),))] if begin <= end else []
    if leaves and begin > first.first:
        busy.append(turn.all_of((turn.OnDates((first,)), turn.AtTimes((turn.TimeRange(leaves.first, time.max),)))))
    if returns and comes and not late:
        busy.append(turn.all_of((turn.OnDates((last,)), turn.AtTimes((turn.TimeRange(time.min, comes.last),)))))
    return turn.all_of([turn.Not(one) for one in busy]) if busy else None


def _except(on: Sequence[turn.Filter], busy: Sequence[turn.TimeRange]) -> turn.Filter:
    return turn.Not(turn.all_of((*on, turn.AtTimes(tuple(busy)))))


def _busy(kind: str, hours: turn.AtTimes, said: str) -> list[turn.TimeRange]:
    """Return when somebody is busy whose reason names an hour or a stretch of hours."""
    span, way = hours.spans[0], _WAY.search(said)
    if span.first < span.last and kind in _FREE:
        awaited = kind == "comes" and span.first == time.min and re.search(r"\b(?:not|nao)\b", said)  # "not until 10"
        end = minute_beside(span.last, -int(span.last.minute % 10 != 9))
        return [turn.TimeRange(time.min, end)] if awaited else outside(span)
    if kind == "behind":
        at = span.last if span.last < time(23) else span.first  # "after work, I finish 3.30"
        return [turn.TimeRange(time.min, minute_beside(at, -1 if expression("life_ends").search(said) else 59))]
    if kind in {"ends", "comes", "drops"} and (span.first == span.last or span.last >= time(23)):
        evening = kind == "ends" and span.first < time(8) and not _DAWN.search(said)  # nobody leaves work at seven
        at = hours.spans[-1 if evening else 0].first
        minutes = int(way["minutes"] or 0) + _MINUTES.get(way["hours"] or "0", 60) if way else 0
        return [turn.TimeRange(time.min, minute_beside(at, minutes - (kind != "drops")))]
    if kind in _FROM or (kind == "leaves" and span.first < span.last):
        by = minute_beside(span.last, int(span.last.minute % 10 == 9)) if span.first == time.min else span.first
        return [turn.TimeRange(by, time.max)]
    if span.first < span.last:  # who works until four is free at four
        return [turn.TimeRange(span.first, minute_beside(span.last, 0 if span.last.minute % 10 == 9 else -1))]
    late = time.max if kind == "leaves" else minute_beside(span.first, 0 if kind == "anchor" else 59)
    return [turn.TimeRange(span.first, late)]


def _inside(text: Text, found: Sequence[Token], reference: Reference) -> list[Token] | None:
    """Return the reasons as bounds of what lies inside them: "deixo às 8 e busco às 12, nesse meio tempo"."""
    match = next((one for one in _LEANING.finditer(text.folded) if one.lastgroup in {"inside", "waits", "then"}), None)
    told = [one for one in found if match and one.end <= match.start() and one.wanted and turn.hours_of(one.wanted)]
    if match is None or not told:
        return None
    hidden = blanked(text.folded, [(0, told[0].start), (told[-1].end, len(text.folded))])
    values = list(days_and_times(replace(text, folded=hidden), reference))
    first, *_, last = [one.spans for one in _hours(values)] * 2
    alone = turn.hours_of(told[0].wanted or turn.ANY_OPENING)[0]
    until = minute_beside(last[0].last, 1) if last[0].first == time.min else last[0].first  # "entro às 11"
    begin, end = (alone.first, minute_beside(alone.last, 1)) if first is last else (first[0].last, until)
    end = next((one.first for one in last if one.first > begin), end)
    days = [one.wanted for one in values if one.wanted is not None and turn.axes_of(one.wanted) == {turn.Axis.DAY}]
    over = turn.hours_of(_over_by(end))[0].last
    hours = [turn.AtTimes((turn.TimeRange(begin, over),))] if first is last or told[0].text != "meets" else None
    free = turn.all_of((*([turn.any_of(days)] if days else ()), *(hours or _within(begin, end))))
    free = free if hours is None or begin < over else turn.ANY_OPENING  # "I finish at 5 and get there at 5.30"
    kept = [replace(one, wanted=free) if one in told and free != turn.ANY_OPENING else one for one in found]
    return [*kept, Token(Kind.BOUND, *match.span(), match.group(), free)]


def _leaning(text: Text, found: Sequence[Token], reference: Reference) -> Iterator[Token]:
    rest = replace(text, folded=blanked(text.folded, [(one.start, one.end) for one in found]))
    for match in _LEANING.finditer(rest.folded) if found else ():
        told = next((one for one in reversed(found) if one.wanted and one.end <= match.start()), None)
        told = told or next((one for one in found if match.lastgroup == "after" and one.text in _WORK), None)
        if told is None or told.wanted is None or (match["arrived_after"] is not None and told.text != "comes"):
            continue
        start, leans, reason = match.start(), str(match.lastgroup), told.wanted
        trip = turn.spans_of(reason)
        hours = () if trip and told.text in _TRIPS and leans not in _DENIED else turn.hours_of(reason)
        on = [one for one in turn.conditions_of(reason) if one.axis is turn.Axis.DAY and one != _WORKDAYS]
        wanted: list[turn.Filter] = [turn.any_of(on)] if on and hours and leans not in {"both", "week"} else []
        days = turn.spans_of(turn.on_coming_days(turn.any_of(on))) if leans == "week" else ()
        mondays = [one.first - one.first.weekday() * _DAY for one in days]  # of the week in which it is
        wanted += [turn.Not(turn.OnDates((turn.DateRange(one, one + 6 * _DAY),))) for one in mondays]
        if leans == "day":  # its hours are of that day alone
            times = [one for one in days_and_times(rest, reference) if isinstance(one.wanted, turn.AtTimes)]
            for one in [one for one in times if _NEAR.fullmatch(text.folded, one.end, start)][-1:]:
                start, (span, *_) = one.start, turn.hours_of(one.wanted or turn.ANY_OPENING)
                wanted.append(_except(on, outside(span)))
        elif leans == "over":
            wanted.append(_over_by(hours[0].first) if hours and hours[0].first > time.min else turn.ANY_OPENING)
        elif hours and leans != "both" and _WORKDAYS not in turn.conditions_of(reason):
            late, first = (minute_beside(hours[-1].last, 1), time.max), hours[0].first
            early = (time.min, minute_beside(first, -1) if first > time.min else first)
            several = len(turn.weekdays_of(turn.any_of(on))) > 1 or any(one.first < one.last for one in trip)
            several &= told.text not in _TRIPS and leans not in _DENIED
            span = turn.TimeRange(*(late if leans.endswith("after") is not several else early))
            refused = [_except([turn.any_of(on)] if on else [], [span])] if span.last > time.min else []
            wanted = refused if leans in _DENIED or several else [*wanted, turn.AtTimes((span,))]
        elif trip and (date.max if leans == "after" else date.min) not in trip[0] and not hours and leans not in _OPEN:
            ends = (trip[0].last + _DAY, date.max) if leans == "after" else (reference.today, trip[0].first - _DAY)
            wanted = [turn.OnDates((turn.DateRange(*ends),))]
        if told.text == "leaves" and on and leans == "before":  # who flies on Thursday has the days before it, too
            wanted = [turn.OnDates((replace(turn.spans_of(turn.on_coming_days(on[0]))[0], first=reference.today),))]
        if wanted or leans in {"both", *_DENIED} or (leans == "after" and told.text in _WORK):  # others may lean on it
            yield Token(Kind.BOUND, start, match.end(), match.group(), turn.all_of(wanted))
