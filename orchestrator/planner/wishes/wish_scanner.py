"""Scan an utterance: its conditions, the words that join and deny them, and what nobody knows."""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, time
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import expression, sections, table
from orchestrator.planner.text import Text, blanked, is_nearly_known
from orchestrator.planner.wishes import conditions
from orchestrator.planner.wishes.denials import read_denials
from orchestrator.planner.wishes.life_times import bound_of, life_times
from orchestrator.planner.wishes.named_entities import doctors_at
from orchestrator.planner.wishes.specialties import BODY, COMPLAINTS, NAMES, specialties_at
from orchestrator.planner.wishes.universe import WHEN, axis_of
from orchestrator.planner.wishes.wish_tokens import DENYING, PAUSES, Kind, Piece, Token, connectives, polite

_LONG_WORD = re.compile(r"[a-z]{3,}")
_CONCLUSION, _TELLING, _BEGINS = map(expression, ("conclusion", "telling", "telling_begins"))
_FACTS = frozenset({Kind.INSURANCE, Kind.PRICE, Kind.PLACE, Kind.LANGUAGE})


def scan(text: Text, reference: Reference, clinics: Sequence[turn.Clinic]) -> tuple[list[Token], tuple[str, ...], bool]:
    """Return the tokens of a text, the phrases that were not understood, and whether a denial is uncertain."""
    bounds = bounds_in(text, reference, clinics)
    text = replace(text, folded=_without_reasons(text, bounds, clinics)) if bounds else text
    tokens = conditions.find_conditions(text, clinics, reference)
    tokens, strange = _with_connectives(text, tokens, clinics)
    for hour in conditions.lone_hours(text.folded, tokens):
        tokens.append(hour)
        strange = [one for one in strange if not (one[0] < hour.end and hour.start < one[1])]
    ends = [at for at, one in enumerate(text.folded) if one == " " and text.original[text.offsets[at]] == "\n"]
    inside = {at for at in ends for token in tokens if token.start <= at < token.end}
    tokens += [Token(Kind.STOP, at, at + 1, "\n") for at in ends if at not in inside]  # a new line stands for itself
    stated = _with_one_place(sorted((conditions.as_stated(one, clinics) for one in tokens), key=lambda one: one.start))
    stated = _with_one_day(stated, reference.today)
    stated = [one for one in stated if not (isinstance(one.wanted, turn.WithWoman) and _says_who(stated, one))]
    for why in expression("told_why").finditer(text.folded):  # "on the 4th, as I marry on the 5th"
        named = {axis_of(one.wanted) for one in stated if one.wanted and one.start < why.start()} & WHEN
        behind = [one for one in stated if one.wanted and one.start in range(*why.span())]
        stated = [one for one in stated if one not in behind or (one.wanted and axis_of(one.wanted) not in named)]
    tokens, doubtful, unsure = read_denials(text.folded, stated, reference.language)
    told = _concluded(text.folded, tokens, bounds, reference.language) if _CONCLUSION.search(text.folded) else None
    return told or [*tokens, *bounds], tuple(text.typed(*span) for span in [*strange, *doubtful]), unsure


def _concluded(folded: str, tokens: list[Token], bounds: list[Token], language: turn.Language) -> list[Token]:
    """Return tokens and bounds, without the reasons of what is concluded: "my train comes at 9:40, so after 10"."""
    found = [*tokens, *bounds]
    for match in _CONCLUSION.finditer(folded):
        pauses = [one.end for one in tokens if one.kind in PAUSES]
        denied = {bisect(pauses, one.start) for one in tokens if one.kind in {*DENYING, Kind.RULED_OUT}}
        behind = [one for one in tokens if one.start >= match.end()]
        behind = [*takewhile(lambda one: one.kind not in PAUSES or one.start == one.end, behind)]
        only = match["so"] and language is not turn.Language.EN  # "so de tarde" concludes nothing
        axes = {axis_of(one.wanted) for one in behind if one.wanted and not only}
        if axes and axes <= WHEN and denied.isdisjoint(bisect(pauses, one.start) for one in behind):
            wide = axes | WHEN if any(one.kind is Kind.ONLY for one in behind) else axes
            near = bisect(pauses, match.start() - 2)  # "next week, I have class till noon, so only after 1"
            before = [one for one in found if one.start < match.start() and bisect(pauses, one.start) not in denied]
            told = [(one, turn.axes_of(one.wanted)) for one in before if one.wanted]
            own = [(one, named, wide if bisect(pauses, one.start) >= near else axes) for one, named in told]
            gone = [one for one, named, of in own if named <= of or turn.Axis.TIME in named & of]  # not hours by a day
            found = [one for one in found if one not in gone]
    return found


def bounds_in(text: Text, reference: Reference, clinics: Sequence[turn.Clinic]) -> list[Token]:
    """Return the bounds set by what somebody tells of their days; where a clinic is, or a doctor, they may be seen."""
    found = [*life_times(text, reference), *(_told(text, reference) if _BEGINS.search(text.folded) else ())]
    if not found:
        return []
    near = [at for at, _, fact in conditions.named_by_clinics(text, clinics) if fact.axis is turn.Axis.PLACE]
    doctors = [at for at, *_ in doctors_at(text, clinics)]
    seen = {"told": doctors, "elsewhere": near, "stays": near, "taken": near}
    return [one for one in found if not any(one.start <= at < one.end for at in seen.get(one.text, ()))]


@lru_cache(maxsize=8)  # a turn reads an utterance more than once
def _told(text: Text, reference: Reference) -> Sequence[Token]:
    """Return the clauses that only tell what somebody does at a time: no wish, and one's own is not to be taken."""
    text = text.without((one.start, one.end) for one in life_times(text, reference))
    values, found, start = sorted(conditions.days_and_times(text, reference), key=attrgetter("start")), list[Token](), 0
    times = {at for one in values for at in range(one.start, one.end)}
    marked = "".join("@" if at in times else letter for at, letter in enumerate(text.folded))
    cuts = [one.span() for one in expression("telling_cut").finditer(marked)] if values else []
    for end, after in [*cuts, (len(marked), len(marked))]:
        inside = [one for one in values if start <= one.start < end]
        limits = any(expression("telling_limit").match(text.folded, one.start) for one in inside)
        tells = inside and not limits and marked[end : end + 1] != "?" and _TELLING.match(marked, start, end)
        if tells and not expression("telling_not").search(marked, start, end):
            told = turn.any_of(conditions.told_in(inside))
            ill = expression("telling_of_health").search(marked, start, end)
            ends = [(time.min < span.first < span.last < time.max) for span in turn.hours_of(told)]  # not "after 5"
            ends += [span.last < date.max for span in turn.spans_of(told)]
            busy = tells.lastgroup == "own" and all(ends) and not ill
            wanted = (bound_of("works", inside, "", ()) or turn.Not(told)) if busy else turn.ANY_OPENING
            found.append(Token(Kind.BOUND, tells.end("lead"), end, "told", wanted))
        start = after
    return found


def _without_reasons(text: Text, bounds: Sequence[Token], clinics: Sequence[turn.Clinic]) -> str:
    """Return the folded text with reasons blanked, but for where they take somebody who wants to be seen there."""
    folded, hidden = text.folded, blanked(text.folded, [(one.start, one.end) for one in bounds])
    for start, end, fact in conditions.named_by_clinics(text, clinics):
        if fact.axis is turn.Axis.PLACE and expression("life_where").search(f"{folded[:start]}[{folded[start:]}"):
            hidden = hidden[:start] + folded[start:end] + hidden[end:]
    return hidden


def _with_one_place(tokens: list[Token]) -> list[Token]:
    """Return the tokens without "por perto" where a place is named that it is near: "moro em Santos, tem perto?"."""
    places = [one for one in tokens if isinstance(one.wanted, turn.ClinicFact) and one.wanted.axis is turn.Axis.PLACE]
    known = [one for one in places if isinstance(one.wanted, turn.ClinicFact) and one.wanted.clinics]
    vague = [one for one in places if one not in known] if known else []
    lives = [one for one, after in pairwise(tokens) if after in known and one.kind is Kind.NOT] if vague else []
    return [one for one in tokens if one not in vague and one not in lives]


def _with_one_day(tokens: list[Token], today: date) -> list[Token]:
    """Return the tokens without a date that only says which weekday was meant: "sat at 9:30, please, the 28th"."""
    days = [one for one in tokens if one.wanted and turn.axes_of(one.wanted) == {turn.Axis.DAY}]
    over = [one for one in days if (at := turn.spans_of(one.wanted or turn.ANY_OPENING)) and at[-1].last < today]
    if over and len(over) < len(days):
        return [one for one in tokens if one not in over]  # "fell on it yesterday, anything on Monday?"
    match [one.wanted for one in days]:
        case [turn.OnWeekdays(weekdays=weekdays), turn.OnDates(spans=(span,))] if span.first == span.last:
            comma = tokens[tokens.index(days[1]) - 1]
            if weekdays == {span.first.weekday()} and comma.kind is Kind.COMMA:
                kept = [one for one in tokens if one not in {comma, days[1]}]
                return [replace(one, wanted=days[1].wanted) if one is days[0] else one for one in kept]
    return tokens


def _says_who(tokens: Sequence[Token], token: Token) -> bool:
    """Return whether a gender only says who a doctor beside it is, "the Couto lady", or is anybody, "the heart guy"."""
    named = [one for one in tokens if one.kind is not Kind.COMMA]
    at = named.index(token)
    before, beside = named[max(at - 1, 0) : at], [*named[max(at - 1, 0) : at], *named[at + 1 : at + 2]]
    if before and isinstance(before[0].wanted, turn.OfSpecialty) and expression("anybody").fullmatch(token.text):
        return before[0].end >= token.start - 1
    return any(isinstance(one.wanted, turn.WithDoctors) for one in beside)


def _with_connectives(
    text: Text, conditions: list[Token], clinics: Sequence[turn.Clinic]
) -> tuple[list[Token], list[tuple[int, int]]]:
    pieces: list[Piece] = []
    at = 0
    for condition in conditions:
        pieces += (*_with_facts(text, at, condition.start), condition)
        at = condition.end
    pieces += _with_facts(text, at, len(text.folded))
    found = [piece for clause in _clauses(pieces) for piece in _strange(clause)]
    known = set(_known_places(text.folded, clinics) if found else ())
    long = [{match.start() for match in _LONG_WORD.finditer(text.folded, word, end)} for _, word, end in found]
    strange = [(start, end) for (start, _, end), starts in zip(found, long, strict=True) if not starts <= known]
    return [piece for piece in pieces if isinstance(piece, Token)], strange


def _with_facts(text: Text, start: int, end: int) -> Iterator[Piece]:
    """Return the connectives of a stretch; the gender of a doctor and facts of a clinic are conditions."""
    for piece in connectives(text.folded, start, end):
        if isinstance(piece, Token) and piece.kind in {Kind.WOMAN, Kind.MAN}:
            if expression("another").search(piece.text):  # "a outra médica" is none of those talked of
                yield replace(piece, kind=Kind.OTHER, axis=turn.Axis.DOCTOR)
            feared = expression("averse").search(f"{text.folded[: piece.start]}[{text.folded[piece.end :]}")
            yield piece.wanting(turn.WithWoman((piece.kind is Kind.WOMAN) is (feared is None)))
        elif isinstance(piece, Token) and piece.kind in _FACTS:
            if not expression("near_a_time").search(piece.text):  # "the closest to the day I had" is no place
                yield piece.wanting(turn.ClinicFact(turn.Axis(piece.kind), text.typed(piece.start, piece.end)))
        else:
            yield piece


def _clauses(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Part the pieces of a text at its pauses, and at an "e" that begins something else than a condition."""
    clauses: list[list[Piece]] = [[]]
    for place, piece in enumerate(pieces):
        if isinstance(piece, Token) and (piece.kind in PAUSES or (piece.kind is Kind.AND and _begins(pieces, place))):
            clauses.append([])
        else:
            clauses[-1].append(piece)
    return clauses


def _begins(pieces: Sequence[Piece], place: int) -> bool:
    behind = (one.group() for one in pieces[place + 1 : place + 2] if isinstance(one, re.Match))
    return any(not table("wishes", "lead", " ").fullmatch(word) for word in behind)


def _strange(clause: Sequence[Piece]) -> Iterator[tuple[int, int, int]]:
    """Return the stretches of a clause that stand as a condition would: begin, first unknown word, end."""
    restricts = any(isinstance(piece, Token) and piece.wanted is not None for piece in clause)
    lead: int | None = None
    begins = True
    found: list[tuple[int, int, int]] = []
    for place, piece in enumerate(clause):
        if isinstance(piece, Token):
            lead, begins = None, begins and piece.wanted is None
            continue
        word = piece.group()
        denied = any(isinstance(one, Token) and one.kind in DENYING for one in clause[max(place - 1, 0) : place + 2])
        if table("wishes", "lead", " ").fullmatch(word):
            lead = piece.start() if lead is None else lead
        elif not word.isalpha() or len(word) < 3 or polite().fullmatch(word):
            begins = begins and lead is not None
        elif found and found[-1][2] == piece.start() - 1:
            found[-1] = (*found[-1][:2], piece.end())
        elif (
            (lead is not None and (restricts or begins))
            or (restricts and denied)
            or is_nearly_known(word)
            or table("wishes", "unserved", " ").fullmatch(word)
        ):
            found.append((piece.start() if lead is None else lead, piece.start(), piece.end()))
            lead = None
        else:
            lead, begins = None, False
    yield from found


def _known_places(folded: str, clinics: Sequence[turn.Clinic]) -> Iterator[int]:
    for known in _understood():
        for match in known.finditer(folded):
            yield from range(*match.span())
    telling = [one.span() for one in expression("clause").finditer(folded)]
    telling = [span for span in telling if expression("tells_when").search(folded, *span)]
    for kind in (NAMES, COMPLAINTS, BODY):
        for start, end, _ in specialties_at(folded, clinics, kind):
            yield from range(start, end)
            around = (span for span in telling if kind is not NAMES and span[0] <= start < span[1])
            yield from (at for span in around for at in range(*span))  # how it came to hurt asks for nothing


@cache
def _understood() -> tuple[re.Pattern[str], ...]:
    files = ("requests", "references", "smalltalk", "safety", "shifts", "memories")
    skipped = {"off_topic", "polite", "others", "ordinals", "cardinals", "marks_of_wishes"}
    tables = [expression("reason"), expression("no_fact")]
    for name, section in [(file, one) for file in files for one in sections(file) if one not in skipped]:
        with suppress(KeyError, ValueError):
            tables.append(table(name, section))
    return tuple(tables)
