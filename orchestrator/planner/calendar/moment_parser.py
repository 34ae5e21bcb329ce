"""Find what an utterance says about time: read values with the grammars, then join them into moments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from orchestrator.planner.calendar import date_grammar, moments, range_grammar, time_grammar
from orchestrator.planner.calendar.lexemes import rewrite
from orchestrator.planner.calendar.value_context import Bound, bound_around, bounded, core_of, join_days, role_of
from orchestrator.planner.text import Text
from orchestrator.turn import Language, TimeRange

_DAY_RULES = (
    *(*range_grammar.FIRST_RULES, *range_grammar.COUNTED_RULES),
    *(*date_grammar.FEAST_RULES, *range_grammar.FROM_TODAY_RULES),
    *(*date_grammar.RULES, *date_grammar.WEEKDAY_RULES, *date_grammar.DAY_RULES),
)

_Dated = moments.Day | moments.Weekday | moments.Instant
_Timed = moments.Clock | moments.Instant
_Said = tuple[moments.Atom, str, Bound | None, moments.Value]


def read_moments(
    text: Text, now: datetime, language: Language, beside: date | None = None, *, moving: bool = False
) -> tuple[moments.Moment, ...]:
    """Return the moments of an utterance; while something is `moving`, "from Friday to Monday" names two ends."""
    lexemes = rewrite(text, language)
    groups: list[_Group] = []
    for atom, lead, _, value in _said(lexemes.symbols, moments.Reference(now, language, beside), moving=moving):
        role, last = role_of(lead, language), groups[-1] if groups else None
        listed = moments.pattern("alternative").match(lead) is not None
        if last is not None and last.takes(value, role, moving=moving, listed=listed):
            last.end = max(last.end, atom.end)
            last.add(value, either=bool(moments.pattern("either").search(lead)))
        else:
            groups.append(_Group(atom.start, atom.end, role, [value]))
    return tuple(_moment(group, *lexemes.folded_span(group.start, group.end)) for group in groups)


@dataclass(slots=True)
class _Group:
    start: int
    end: int
    role: moments.MomentRole
    values: list[moments.Value]

    def takes(self, value: moments.Value, role: moments.MomentRole, *, moving: bool, listed: bool) -> bool:
        """Return whether a value is said of the same moment: it names something new, or is `listed` with the rest."""
        if moving and self.role is moments.MomentRole.SOURCE and role is moments.MomentRole.TARGET:
            return False
        has_day = any(isinstance(one, _Dated | moments.Days) for one in self.values)
        has_time = any(isinstance(one, _Timed) for one in self.values)
        repeats = (isinstance(value, _Dated) and has_day) or (isinstance(value, _Timed) and has_time)
        return not repeats or (listed and role is not moments.MomentRole.TARGET)

    def add(self, value: moments.Value, *, either: bool) -> None:
        """Add a value; two stretches of the day that are no choice hold together ("in the afternoon before 3")."""
        one = next((one for one in self.values if isinstance(one, moments.Hours)), None)
        if one is not None and isinstance(value, moments.Hours) and not either:
            first, last = max(one.span.first, value.span.first), min(one.span.last, value.span.last)
            if first < last:
                self.values.remove(one)
                value = moments.Hours(TimeRange(first, last), value.part or one.part)
        self.values.append(value)


def _moment(group: _Group, start: int, end: int) -> moments.Moment:
    values = group.values
    days = [one for one in values if isinstance(one, moments.Day | moments.Weekday)]
    dates = dict.fromkeys(day for one in values if isinstance(one, _Dated) for day in one.dates)
    stretches = [one for one in values if isinstance(one, moments.Days)]
    spans = [span for one in stretches for span in (one.span, one.otherwise) if span is not None]
    hours = [one for one in values if isinstance(one, moments.Hours)]
    part = next((one.part for one in hours if one.part is not None), None)
    clocks = [time_grammar.in_part(one, part) if part else one for one in map(_clock, values) if one is not None]
    times = tuple(dict.fromkeys(reading for clock in clocks for reading in time_grammar.readings(clock)))
    return moments.Moment(
        start,
        end,
        dates=tuple(dates),
        times=times,
        days=() if dates else tuple(spans),
        hours=() if times else tuple(one.span for one in hours),
        role=group.role,
        weekday=days[-1].weekday if days and isinstance(days[-1], moments.Weekday) else None,
        exists=all(one.dates for one in days) and all(clock.exists for clock in clocks),
        conflict=any(isinstance(one, moments.Day) and one.conflict for one in days),
    )


def _clock(value: moments.Value) -> moments.Clock | None:
    if isinstance(value, moments.Instant):
        return moments.Clock(value.time.hour, value.time.minute, open=False)
    return value if isinstance(value, moments.Clock) else None


@lru_cache(maxsize=32)  # a turn reads a clause more than once
def claim_all(symbols: str, reference: moments.Reference) -> tuple[moments.Atom, ...]:
    """Return every day, stretch and time that the grammars find in rewritten text, in order."""
    if not re.search(r"[A-Z\d]", symbols):
        return ()
    taken = [match.span() for match in moments.pattern("lookalikes").finditer(symbols)]
    english = date_grammar.ENGLISH_RULES if reference.language is Language.EN else ()
    atoms = moments.claim(_DAY_RULES + english + range_grammar.LAST_RULES, symbols, reference, taken)
    atoms += moments.claim(time_grammar.RULES, symbols, reference, taken)
    return tuple(sorted(atoms, key=lambda atom: atom.start))


def _said(symbols: str, reference: moments.Reference, *, moving: bool) -> Iterator[_Said]:
    """Yield the values of rewritten text in order, but for stretches that are over ("semana passada").

    Of each, where it is said, what stands before it from the value before on, its bound, and the value with its bound.
    """
    claimed, end = claim_all(symbols, reference), 0
    for atom in join_days(claimed, symbols, moving=moving) if claimed else ():
        lead = symbols[end : core_of(atom, symbols)]
        bound = bound_around(lead, symbols[atom.end :])
        value = bounded(atom.value, bound, reference.today)
        if not isinstance(value, moments.Days) or value.span.last >= reference.today:
            yield atom, lead, bound, value
            end = atom.end


def find_values(text: Text, reference: moments.Reference) -> Iterator[moments.Atom]:
    """Yield the values of a text in order, each at its own words and those around it that make it a stretch."""
    lexemes = rewrite(text, reference.language)
    for atom, lead, bound, value in _said(lexemes.symbols, reference, moving=False):
        start, end = core_of(atom, lexemes.symbols), atom.end
        if bound is not None and value is not atom.value:
            start = start if bound.lead is None else start - len(lead) + bound.lead
            end += bound.rest
        yield moments.Atom(*lexemes.folded_span(start, end), value)
