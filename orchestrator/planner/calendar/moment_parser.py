"""Find what an utterance says about time: read values with the grammars, then join them into moments."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from orchestrator.planner.calendar import count_grammar, date_grammar, range_grammar, time_grammar
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
from orchestrator.planner.calendar.value_context import bound_around, bounded, core_of, join_days, role_of
from orchestrator.planner.text import Text
from orchestrator.turn import Language, TimeRange

_DAY_RULES = (
    range_grammar.FIRST_RULES
    + count_grammar.RULES
    + date_grammar.FEAST_RULES
    + count_grammar.FROM_TODAY_RULES
    + date_grammar.RULES
    + date_grammar.WEEKDAY_RULES
    + date_grammar.DAY_RULES
)


def read_moments(
    text: Text, now: datetime, language: Language, beside: date | None = None, *, moving: bool = False
) -> tuple[Moment, ...]:
    """Return the moments of an utterance; the words and date order of `language` come first.

    While something is being moved (`moving`), "from Friday to Monday" names two ends and no stretch.
    """
    lexemes = rewrite(text, language)
    symbols = lexemes.symbols
    reference = Reference(now, language, beside)
    groups: list[_Group] = []
    end = 0
    for atom in _joined(symbols, reference, moving=moving):
        lead = symbols[end : core_of(atom, symbols)]
        value = bounded(atom.value, bound_around(lead, symbols[atom.end :]), reference.today)
        if _is_over(value, reference.today):
            continue
        role, last = role_of(lead, language), groups[-1] if groups else None
        if last is not None and last.takes(value, role, moving=moving, listed=bool(pattern("alternative").match(lead))):
            last.end = max(last.end, atom.end)
            last.add(value, either=bool(pattern("either").search(lead)))
        else:
            groups.append(_Group(atom.start, atom.end, role, [value]))
        end = atom.end
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
    dates = dict.fromkeys(day for one in values if isinstance(one, Day | Weekday | Instant) for day in _dates(one))
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


def _dates(value: Day | Weekday | Instant) -> Sequence[date]:
    return (value.date,) if isinstance(value, Instant) else value.dates


def _clock(value: Value) -> Clock | None:
    if isinstance(value, Instant):
        return Clock(value.time.hour, value.time.minute, open=False)
    return value if isinstance(value, Clock) else None


def claim_all(symbols: str, reference: Reference) -> list[Atom]:
    """Return every day, stretch and time that the grammars find in rewritten text, in order."""
    if not re.search(r"[A-Z\d]", symbols):
        return []
    taken = [match.span() for match in pattern("lookalikes").finditer(symbols)]
    english = date_grammar.ENGLISH_RULES if reference.language is Language.EN else ()
    atoms = claim(_DAY_RULES + english + range_grammar.LAST_RULES, symbols, reference, taken)
    atoms += claim(time_grammar.RULES, symbols, reference, taken)
    return sorted(atoms, key=lambda atom: atom.start)


def _joined(symbols: str, reference: Reference, *, moving: bool) -> list[Atom]:
    claimed = claim_all(symbols, reference)
    return join_days(claimed, symbols, moving=moving) if claimed else []


def find_values(text: Text, reference: Reference) -> Iterator[Atom]:
    """Yield the values of a text in order, each at its own words and those around it that make it a stretch.

    Stretches that are over ("semana passada") say when something was, and are left out.
    """
    lexemes = rewrite(text, reference.language)
    symbols, before = lexemes.symbols, 0
    for atom in _joined(symbols, reference, moving=False):
        if _is_over(atom.value, reference.today):
            continue
        start, end = core_of(atom, symbols), atom.end
        bound = bound_around(symbols[before:start], symbols[end:])
        value = bounded(atom.value, bound, reference.today)
        if bound is not None and value is not atom.value:
            start = start if bound.lead is None else before + bound.lead
            end += bound.rest
        yield Atom(*lexemes.folded_span(start, end), value)
        before = atom.end


def _is_over(value: Value, today: date) -> bool:
    return isinstance(value, Days) and value.span.last < today
