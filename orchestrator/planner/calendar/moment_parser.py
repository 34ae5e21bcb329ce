"""Find what an utterance says about time: read values with the grammars, then join them into moments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from orchestrator.planner.calendar import date_grammar, range_grammar, time_grammar
from orchestrator.planner.calendar.lexemes import rewrite
from orchestrator.planner.calendar.moments import (
    Atom,
    Clock,
    Day,
    Days,
    Hours,
    Instant,
    Moment,
    MomentRole,
    Reference,
    Value,
    Weekday,
    claim,
    pattern,
)
from orchestrator.planner.calendar.value_context import Bound, bound_around, bounded, core_of, join_days, role_of
from orchestrator.planner.text import Text
from orchestrator.turn import Language, TimeRange

_DAY_RULES = (
    *(*range_grammar.FIRST_RULES, *range_grammar.COUNTED_RULES),
    *(*date_grammar.FEAST_RULES, *range_grammar.FROM_TODAY_RULES),
    *(*date_grammar.RULES, *date_grammar.WEEKDAY_RULES, *date_grammar.DAY_RULES),
)


def read_moments(
    text: Text, now: datetime, language: Language, beside: date | None = None, *, moving: bool = False
) -> tuple[Moment, ...]:
    """Return the moments of an utterance; while something is `moving`, "from Friday to Monday" names two ends."""
    lexemes = rewrite(text, language)
    groups: list[_Group] = []
    for said in _said(lexemes.symbols, Reference(now, language, beside), moving=moving):
        atom, value, lead = said.atom, said.value, said.lead
        role, last = role_of(lead, language), groups[-1] if groups else None
        if last is not None and last.takes(value, role, moving=moving, listed=bool(pattern("alternative").match(lead))):
            last.end = max(last.end, atom.end)
            last.add(value, either=bool(pattern("either").search(lead)))
        else:
            groups.append(_Group(atom.start, atom.end, role, [value]))
    return tuple(_moment(group, *lexemes.folded_span(group.start, group.end)) for group in groups)


@dataclass(slots=True)
class _Group:
    """The values that an utterance says of one point or stretch of time."""

    start: int
    end: int
    role: MomentRole
    values: list[Value]

    def takes(self, value: Value, role: MomentRole, *, moving: bool, listed: bool) -> bool:
        """Return whether a value is said of the same moment: it names something new, or is `listed` with the rest."""
        if moving and self.role is MomentRole.SOURCE and role is MomentRole.TARGET:
            return False
        has_day = any(isinstance(one, Day | Weekday | Days | Instant) for one in self.values)
        has_time = any(isinstance(one, Clock | Instant) for one in self.values)
        repeats = (isinstance(value, Day | Weekday | Instant) and has_day) or (
            isinstance(value, Clock | Instant) and has_time
        )
        return not repeats or (listed and role is not MomentRole.TARGET)

    def add(self, value: Value, *, either: bool) -> None:
        """Add a value; two stretches of the day that are no choice hold together ("in the afternoon before 3")."""
        one = next((one for one in self.values if isinstance(one, Hours)), None)
        if one is not None and isinstance(value, Hours) and not either:
            first, last = max(one.span.first, value.span.first), min(one.span.last, value.span.last)
            if first < last:
                self.values.remove(one)
                value = Hours(TimeRange(first, last), value.part or one.part)
        self.values.append(value)


def _moment(group: _Group, start: int, end: int) -> Moment:
    values = group.values
    days = [one for one in values if isinstance(one, Day | Weekday)]
    dates = dict.fromkeys(day for one in values if isinstance(one, Day | Weekday | Instant) for day in one.dates)
    spans = [span for one in values if isinstance(one, Days) for span in (one.span, one.otherwise) if span is not None]
    hours = [one for one in values if isinstance(one, Hours)]
    part = next((one.part for one in hours if one.part is not None), None)
    clocks = [time_grammar.in_part(one, part) if part else one for one in map(_clock, values) if one is not None]
    times = tuple(dict.fromkeys(reading for clock in clocks for reading in time_grammar.readings(clock)))
    return Moment(
        start,
        end,
        dates=tuple(dates),
        times=times,
        days=() if dates else tuple(spans),
        hours=() if times else tuple(one.span for one in hours),
        role=group.role,
        weekday=days[-1].weekday if days and isinstance(days[-1], Weekday) else None,
        exists=all(one.dates for one in days) and all(clock.exists for clock in clocks),
        conflict=any(isinstance(one, Day) and one.conflict for one in days),
    )


def _clock(value: Value) -> Clock | None:
    if isinstance(value, Instant):
        return Clock(value.time.hour, value.time.minute, open=False)
    return value if isinstance(value, Clock) else None


@lru_cache(maxsize=32)  # a turn reads a clause more than once
def claim_all(symbols: str, reference: Reference) -> tuple[Atom, ...]:
    """Return every day, stretch and time that the grammars find in rewritten text, in order."""
    if not re.search(r"[A-Z\d]", symbols):
        return ()
    taken = [match.span() for match in pattern("lookalikes").finditer(symbols)]
    english = date_grammar.ENGLISH_RULES if reference.language is Language.EN else ()
    atoms = claim(_DAY_RULES + english + range_grammar.LAST_RULES, symbols, reference, taken)
    atoms += claim(time_grammar.RULES, symbols, reference, taken)
    return tuple(sorted(atoms, key=lambda atom: atom.start))


@dataclass(frozen=True, slots=True)
class _Said:
    """A value as it is said."""

    atom: Atom
    lead: str  # what stands before it, from the value before on
    bound: Bound | None
    value: Value  # with its bound


def _said(symbols: str, reference: Reference, *, moving: bool) -> Iterator[_Said]:
    """Yield the values of rewritten text in order, but for stretches that are over ("semana passada")."""
    claimed, end = claim_all(symbols, reference), 0
    for atom in join_days(claimed, symbols, moving=moving) if claimed else ():
        lead = symbols[end : core_of(atom, symbols)]
        bound = bound_around(lead, symbols[atom.end :])
        value = bounded(atom.value, bound, reference.today)
        if not isinstance(value, Days) or value.span.last >= reference.today:
            yield _Said(atom, lead, bound, value)
            end = atom.end


def find_values(text: Text, reference: Reference) -> Iterator[Atom]:
    """Yield the values of a text in order, each at its own words and those around it that make it a stretch."""
    lexemes = rewrite(text, reference.language)
    for said in _said(lexemes.symbols, reference, moving=False):
        start, end = core_of(said.atom, lexemes.symbols), said.atom.end
        if said.bound is not None and said.value is not said.atom.value:
            start = start if said.bound.lead is None else start - len(said.lead) + said.bound.lead
            end += said.bound.rest
        yield Atom(*lexemes.folded_span(start, end), said.value)
