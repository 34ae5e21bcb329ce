"""Find what an utterance says about time: read values with the grammars, then join them into moments."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from orchestrator.planner.calendar import (
    calendar_math,
    count_grammar,
    date_grammar,
    feasts,
    prepositions,
    range_grammar,
    time_grammar,
    weekday_grammar,
)
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
_BETWEEN = re.compile(r"\b(?:entre|between|de|from)" + prepositions.FILLER)
_TO = re.compile(r"^ (?:e|a|ate|and|to|through)" + prepositions.FILLER)
_WITHIN = re.compile(r"^,? ?(?:(?:d[aeo]|n[ao]|on|of|in|the) ?)*$")
_LISTED = re.compile(r"^ ?(?:,|ou|or|e|and|a|ate|to|/|&|-)" + prepositions.FILLER)
_DAY_ALONE = re.compile(r"(?:on |at )?(?:the )?(?:UDAY |#)+\d{1,2}")
_BARE_TO = re.compile(r" ?(?:a|ate|to|through|thru|until|-) ?")
_BESIDE = re.compile(r"^[ .,(-]*(?:(?:o|the|on|n[ao]|UDAY)\b ?)*$")
_DAY_RULES = (
    range_grammar.FIRST_RULES
    + count_grammar.RULES
    + feasts.RULES
    + count_grammar.FROM_TODAY_RULES
    + date_grammar.RULES
    + weekday_grammar.RULES
    + date_grammar.DAY_RULES
)
_CORE = re.compile(r"[A-Z#~0-9]")


def read_moments(text: Text, now: datetime, language: Language, *, moving: bool = False) -> Moments:
    """Return the moments of an utterance; the words and date order of `language` come first.

    While something is being moved (`moving`), "from Friday to Monday" names two ends and no stretch.
    """
    lexemes = rewrite(text, language)
    symbols = lexemes.symbols
    reference = Reference(now, language)
    atoms = _join_days(claim_all(symbols, reference), symbols, moving=moving)
    moments = _Reader(symbols, reference, moving).read(atoms)
    found = tuple(_placed(moment, *lexemes.folded_span(moment.start, moment.end)) for moment in moments.found)
    return replace(moments, found=found)


def claim_all(symbols: str, reference: Reference) -> list[Atom]:
    """Return every day, stretch and time that the grammars find in rewritten text, in order."""
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
    joined = _join_days(claim_all(symbols, reference), symbols, moving=False)
    return [(atom, _core(atom, symbols)) for atom in joined if not _is_over(atom.value, reference.today)]


def _is_over(value: Value, today: date) -> bool:
    return isinstance(value, Days) and value.span.last < today


def _placed(moment: Moment, start: int, end: int) -> Moment:
    return replace(moment, start=start, end=end)


def _join_days(atoms: list[Atom], symbols: str, *, moving: bool) -> list[Atom]:
    joined: list[Atom] = []
    for atom in _in_that_week(_in_that_month(atoms, symbols), symbols):
        before = joined[-1] if joined else None
        value: Day | Days | None = None
        if before is not None:
            gap = symbols[before.end : atom.start]
            lead = symbols[joined[-2].end if len(joined) > 1 else 0 : _core(before, symbols)]
            value = _same_day(before, atom, gap) or _day_of_week(before, atom, gap, symbols)
            if value is None and not moving and _joins(lead, gap, before, atom):
                value = _stretch(before, atom)
        if before is not None and value is not None:
            joined[-1] = Atom(before.start, atom.end, value)
        else:
            joined.append(atom)
    return joined


def _in_that_month(atoms: list[Atom], symbols: str) -> list[Atom]:
    # "Em janeiro depois do dia 5": a day without a month is of the month said before.
    month: Days | None = None
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
        if runs and _LISTED.match(symbols[runs[-1][-1].end : atom.start]):
            runs[-1].append(atom)
        else:
            runs.append([atom])
    return [atom for run in runs for atom in _of_one_week(run, symbols)]


def _of_one_week(run: list[Atom], symbols: str) -> list[Atom]:
    for dated in run:
        if isinstance(dated.value, Day) and dated.value.dates and "UWEEK" in symbols[dated.start : dated.end]:
            day = dated.value.dates[0]
            return [
                replace(atom, value=Day((calendar_math.week_of(day).first + timedelta(days=atom.value.weekday),)))
                if isinstance(atom.value, Weekday) and (atom.start > dated.start or atom.value.weekday < day.weekday())
                else atom
                for atom in run
            ]
    return run


def _joins(lead: str, gap: str, first: Atom, last: Atom) -> bool:
    # "De segunda a quarta"; two single days need no "de".
    days = isinstance(first.value, Day | Weekday) and isinstance(last.value, Day | Weekday)
    return bool(_BETWEEN.search(lead) and _TO.match(gap)) or bool(days and _BARE_TO.fullmatch(gap))


def _same_day(first: Atom, second: Atom, gap: str) -> Day | None:
    if not _BESIDE.match(gap):
        return None
    match first.value, second.value:
        case (Weekday() as weekday, Day() as day) | (Day() as day, Weekday() as weekday):
            if day.counted:
                return Day((calendar_math.week_of(day.dates[0]).first + timedelta(days=weekday.weekday),))
            agreeing = tuple(d for d in day.dates if d.weekday() == weekday.weekday)
            if agreeing or not day.dates:
                return Day(agreeing)
            return Day(tuple(dict.fromkeys((*day.dates, weekday.dates[0]))), conflict=True)
        case Days(span=span), Day(dates=dates) if any(d in span for d in dates):
            return Day(tuple(d for d in dates if d in span))
        case _:
            return None


def _day_of_week(first: Atom, second: Atom, gap: str, symbols: str) -> Day | None:
    # "A terça da semana do Natal"
    if not _WITHIN.match(gap) or prepositions.is_ruled_out(symbols[second.end :]):
        return None
    match first.value, second.value:
        case (Weekday(weekday=weekday), Days(span=span)) | (Days(span=span), Weekday(weekday=weekday)):
            days = (span.first + timedelta(days=ahead) for ahead in range((span.last - span.first).days + 1))
            return next((Day((day,)) for day in days if day.weekday() == weekday), None) if _is_week(span) else None
        case _:
            return None


def _is_week(span: DateRange) -> bool:
    return timedelta() < span.last - span.first < timedelta(days=7)


def _stretch(first: Atom, second: Atom) -> Days | None:
    match first.value, second.value:
        case (Day() | Weekday()) as start, Days(span=span) if start.dates and span.last >= start.dates[0]:
            return Days(DateRange(start.dates[0], span.last))
        case (Day() | Weekday()) as start, (Day() | Weekday()) as end if start.dates and end.dates:
            last = next((day for day in sorted(end.dates) if day >= start.dates[0]), None)
            if last is None and isinstance(end, Weekday):
                last = end.dates[0] + timedelta(days=7)
            return None if last is None else Days(DateRange(start.dates[0], last))
        case _:
            return None


def _core(atom: Atom, symbols: str) -> int:
    match = _CORE.search(symbols, atom.start, atom.end)
    return match.start() if match else atom.start


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
            lead = self._symbols[end : _core(atom, self._symbols)]
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
