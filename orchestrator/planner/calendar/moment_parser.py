"""Find what an utterance says about time: read values with the grammars, then join them into moments."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time

from orchestrator.planner.calendar import (
    count_grammar,
    date_grammar,
    feasts,
    prepositions,
    range_grammar,
    time_grammar,
    weekday_grammar,
)
from orchestrator.planner.calendar.joined_days import core_of, join_days
from orchestrator.planner.calendar.lexemes import rewrite
from orchestrator.planner.calendar.moment_draft import MomentDraft
from orchestrator.planner.calendar.moments import (
    Atom,
    Clock,
    Day,
    Days,
    Hours,
    Instant,
    Moment,
    MomentRole,
    Moments,
    Reference,
    Value,
    Weekday,
    claim,
)
from orchestrator.planner.calendar.time_lookalikes import lookalikes
from orchestrator.planner.text import Text
from orchestrator.turn import DateRange, Language, TimeRange

_ALTERNATIVE = re.compile(r"^\.?,? ?(?:ou|or|e|and|,|/|&)" + prepositions.FILLER)
_SYMBOL = re.compile(r"[A-Z\d]")
_DAY_RULES = (
    range_grammar.FIRST_RULES
    + count_grammar.RULES
    + feasts.RULES
    + count_grammar.FROM_TODAY_RULES
    + date_grammar.RULES
    + weekday_grammar.RULES
    + date_grammar.DAY_RULES
)


def read_moments(text: Text, now: datetime, language: Language, *, moving: bool = False) -> Moments:
    """Return the moments of an utterance; the words and date order of `language` come first.

    While something is being moved (`moving`), "from Friday to Monday" names two ends and no stretch.
    """
    lexemes = rewrite(text, language)
    symbols = lexemes.symbols
    reference = Reference(now, language)
    atoms = join_days(claim_all(symbols, reference), symbols, moving=moving)
    moments = _Reader(symbols, reference, moving).read(atoms)
    found = tuple(_placed(moment, *lexemes.folded_span(moment.start, moment.end)) for moment in moments.found)
    return replace(moments, found=found)


def claim_all(symbols: str, reference: Reference) -> list[Atom]:
    """Return every day, stretch and time that the grammars find in rewritten text, in order."""
    if not _SYMBOL.search(symbols):
        return []
    taken = lookalikes(symbols)
    date_rules = _DAY_RULES
    if reference.language is Language.EN:
        date_rules += date_grammar.ENGLISH_RULES
    atoms = claim(date_rules + range_grammar.LAST_RULES, symbols, reference, taken)
    atoms += claim(time_grammar.RULES, symbols, reference, taken)
    return sorted(atoms, key=lambda atom: atom.start)


def days_and_times(symbols: str, reference: Reference) -> list[tuple[Atom, int]]:
    """Return the values of rewritten text in order, each with the place where its own words begin.

    Stretches that are over ("semana passada") say when something was, and are left out.
    """
    joined = join_days(claim_all(symbols, reference), symbols, moving=False)
    return [(atom, core_of(atom, symbols)) for atom in joined if not _is_over(atom.value, reference.today)]


def _is_over(value: Value, today: date) -> bool:
    return isinstance(value, Days) and value.span.last < today


def _placed(moment: Moment, start: int, end: int) -> Moment:
    return replace(moment, start=start, end=end)


def _besides(span: TimeRange) -> tuple[TimeRange, ...]:
    first, last = (at.hour * 60 + at.minute for at in (span.first, span.last))
    before = TimeRange(time.min, time(*divmod(max(first - 1, 0), 60)))
    after = TimeRange(time(*divmod(min(last + 1, _LAST_MINUTE), 60)), time.max)
    if span.last >= _NIGHT:
        return (before,)
    return (after,) if span.first <= _DAWN else (before, after)


_DAWN, _NIGHT, _LAST_MINUTE = time(6), time(23, 59), 24 * 60 - 1


class _Reader:
    """Gather moments and exclusions from the atoms of one utterance."""

    def __init__(self, symbols: str, reference: Reference, moving: bool) -> None:  # noqa: FBT001 (private, one caller)
        self._symbols = symbols
        self._reference = reference
        self._moving = moving
        self._drafts: list[MomentDraft] = []
        self._excluded_days: list[DateRange] = []
        self._excluded_weekdays: set[int] = set()

    def read(self, atoms: list[Atom]) -> Moments:
        """Return what the atoms say together."""
        end = 0
        excluding = ruled_out = False
        for atom in atoms:
            lead = self._symbols[end : core_of(atom, self._symbols)]
            excluding = (prepositions.excludes(lead) and not ruled_out) or (
                excluding and bool(_ALTERNATIVE.match(lead))
            )
            ruled_out = prepositions.is_ruled_out(self._symbols[atom.end :])
            ruled = excluding or ruled_out
            value = prepositions.bounded(atom.value, lead, self._symbols[atom.end :], self._reference.today)
            if _is_over(value, self._reference.today):
                continue
            if ruled and isinstance(value, Hours):
                for span in _besides(value.span):
                    self._gather(replace(atom, value=Hours(span)), lead)
            elif not (ruled and self._exclude(atom.value)):
                self._gather(atom, lead)
            end = atom.end
        return Moments(
            tuple(draft.moment() for draft in self._drafts),
            tuple(self._excluded_days),
            frozenset(self._excluded_weekdays),
        )

    def _exclude(self, value: Value) -> bool:
        match value:
            case Weekday(weekday=weekday):
                self._excluded_weekdays.add(weekday)
            case Day(dates=dates):
                self._excluded_days += [DateRange(day, day) for day in dates]
            case Days(span=span):
                self._excluded_days.append(span)
            case _:
                return False
        return True

    def _gather(self, atom: Atom, lead: str) -> None:
        rest = self._symbols[atom.end :]
        value = prepositions.bounded(atom.value, lead, rest, self._reference.today)
        draft = self._draft_for(atom, value, lead, prepositions.role_of(lead, self._reference.language))
        draft.end = max(draft.end, atom.end)
        draft.add(value)

    def _draft_for(self, atom: Atom, value: Value, lead: str, role: MomentRole) -> MomentDraft:
        if self._drafts:
            draft = self._drafts[-1]
            repeats = (isinstance(value, Day | Weekday | Instant) and draft.has_day) or (
                isinstance(value, Clock | Instant) and bool(draft.clocks)
            )
            starts_target = self._moving and draft.role is MomentRole.SOURCE and role is MomentRole.TARGET
            if not starts_target and (not repeats or (_ALTERNATIVE.match(lead) and role is not MomentRole.TARGET)):
                return draft
        draft = MomentDraft(atom.start, atom.end, role)
        self._drafts.append(draft)
        return draft
