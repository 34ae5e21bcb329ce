"""Read an utterance as requests: what is wanted in each, and what of the words was not understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from orchestrator.planner.calendar import Reference
from orchestrator.planner.lexicon import phrases, rows, sections, table, words
from orchestrator.planner.text import Text
from orchestrator.planner.wishes.bundles import runs_of
from orchestrator.planner.wishes.conditions import find_conditions, lone_hours
from orchestrator.planner.wishes.coordination import filters_of
from orchestrator.planner.wishes.merging import merge, widen
from orchestrator.planner.wishes.relations import grounded, lifted
from orchestrator.planner.wishes.tokens import Kind, Token, connectives
from orchestrator.planner.wishes.universe import Universe, axis_of, is_denied
from orchestrator.turn import (
    ANY_OPENING,
    ANYTHING,
    Appointment,
    Axis,
    Clinic,
    Filter,
    Language,
    Wish,
    WithWoman,
    all_of,
    axes_of,
    conjuncts,
    without,
)


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that is wanted."""

    wish: Wish = ANYTHING  # the openings that suit
    freed: frozenset[Axis] = frozenset()  # what was left open now


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an utterance wants: its tokens, read against what was wanted before."""

    tokens: tuple[Token, ...]
    clinics: tuple[Clinic, ...]
    today: date
    unread: tuple[str, ...] = ()  # phrases that stand where a condition would, as typed, and were not understood
    unsure: bool = False  # whether a condition is wanted or denied is not certain

    @classmethod
    def scanned(cls, text: Text, reference: Reference, clinics: Sequence[Clinic]) -> Wishes:
        """Return the wishes of a normalised and corrected text."""
        tokens, unread, unsure = scan(text, reference, clinics)
        return cls(tuple(tokens), tuple(clinics), reference.today, unread, unsure)

    @property
    def corrects(self) -> bool:
        """Whether it corrects or adds to something, in so many words ("na verdade", "e também", "menos")."""
        first = next((token.kind for token in self.tokens), None)
        leads = {Kind.OR, Kind.AND, Kind.BUT, Kind.EXCEPT, Kind.NOR, Kind.CORRECTING}
        return first in leads or any(token.kind in {Kind.CORRECTING, Kind.ALSO} for token in self.tokens)

    @property
    def named(self) -> frozenset[Axis]:
        """What its conditions are about."""
        return frozenset[Axis]().union(*(axes_of(token.wanted) for token in self.tokens if token.wanted is not None))

    def requests(self, before: Wish | None = None, held: Appointment | None = None) -> tuple[Request, ...]:
        """Return what is wanted, in order; at least one request.

        `before` is what was wanted before, which a clause corrects. `held` is the appointment that is being changed,
        which "outro dia" and "mais cedo" are relative to.
        """
        spoken_of = [token.wanted for token in self.tokens if token.wanted is not None]
        known = (before.filter, *before.otherwise) if before else ()
        universe = Universe.around((*spoken_of, *known), self.clinics, self.today)
        tokens = grounded(self.tokens, held, before.filter if before else ANY_OPENING)
        rest, freed = lifted(tokens)
        wishes = _Reader(universe, follows_up=before is not None).read(rest) or [ANYTHING]
        if before is not None and len(wishes) == 1:
            wishes = [self._on(before, wishes[0], universe, freed)]
        return tuple(Request(wish, freed) for wish in wishes)

    def _on(self, before: Wish, said: Wish, universe: Universe, freed: frozenset[Axis]) -> Wish:
        first = next((token.kind for token in self.tokens), None)
        adds = first is Kind.OR or any(token.kind is Kind.ALSO for token in self.tokens)
        excludes = any(map(is_denied, conjuncts(said.filter)))
        if adds and Axis.SPECIALTY not in axes_of(said.filter) and not excludes:
            return Wish(widen(before.filter, said.filter))
        merged = merge(before.filter, said.filter, universe, freed)
        return Wish(merged, tuple(merge(merged, link, universe, freed) for link in said.otherwise))


class _Reader:
    """Make wishes of tokens, stretch by stretch."""

    def __init__(self, universe: Universe, *, follows_up: bool) -> None:
        self._universe = universe
        self._follows_up = follows_up

    def read(self, tokens: Sequence[Token]) -> list[Wish]:
        """Return the wishes; what comes behind a correction replaces what it names."""
        wishes: list[Wish] = []
        for stretch in _split(tokens, Kind.CORRECTING):
            if not _restricts(stretch):
                continue
            new = self._stretch(stretch)
            if not wishes:
                wishes = new
                continue
            last = wishes[-1]
            wishes[-1] = Wish(
                self._merge(last.filter, new[0].filter),
                (*(self._merge(link, new[0].filter) for link in last.otherwise), *new[0].otherwise),
            )
            wishes += new[1:]
        return wishes

    def _merge(self, before: Filter, said: Filter) -> Filter:
        return merge(before, said, self._universe)

    def _stretch(self, tokens: Sequence[Token]) -> list[Wish]:
        place = _place(tokens, lambda token: token.kind is Kind.FALLBACK)
        if place is not None:
            return self._with_fallback(tokens[:place], tokens[place + 1 :])
        place = _place(tokens, lambda token: token.kind is Kind.PREFERABLY)
        if place is not None and _restricts(tokens[place:]):
            return self._with_preference(tokens, place)
        return [Wish(wanted) for wanted in filters_of(runs_of(tokens, self._universe), self._universe)]

    def _with_preference(self, tokens: Sequence[Token], place: int) -> list[Wish]:
        ends = {Kind.COMMA, Kind.STOP, Kind.BUT}
        end = next((n for n in range(place + 2, len(tokens)) if tokens[n].kind in ends), len(tokens))
        wishes = self._plain([*tokens[:place], *tokens[end:]])
        preferred = self._plain(tokens[place + 1 : end])[0].filter
        # The specialty is the topic, however it is put.
        topic = [part for part in conjuncts(preferred) if axes_of(part) == {Axis.SPECIALTY}]
        needed = all_of([wishes[-1].filter, *topic])
        wishes[-1] = Wish(all_of([needed, preferred]), (needed,))
        return wishes

    def _plain(self, tokens: Sequence[Token]) -> list[Wish]:
        return [Wish(wanted) for wanted in filters_of(runs_of(tokens, self._universe), self._universe)]

    def _with_fallback(self, before: Sequence[Token], after: Sequence[Token]) -> list[Wish]:
        first, second = self._parted(before, after)
        wishes = self._plain(first)
        instead = self._stretch(second)[0]
        topic = [part for part in conjuncts(instead.filter) if axes_of(part) == {Axis.SPECIALTY}]
        if topic and Axis.SPECIALTY not in axes_of(wishes[0].filter) and not self._follows_up:
            wishes[0] = Wish(all_of([*topic, wishes[0].filter]))
        chain = [wishes[-1].filter]
        for link in (instead.filter, *instead.otherwise):
            chain.append(self._merge(chain[-1], link))
        lifts = frozenset(token.axis for token in second if token.kind is Kind.LIFTED and token.axis is not None)
        if lifts:
            chain[-1] = without(chain[-1], lifts)
        wishes[-1] = Wish(chain[0], tuple(chain[1:]))
        return wishes

    def _parted(self, before: Sequence[Token], after: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
        """Return the tokens of what is wanted and of what will do instead, whichever was said first."""
        lifts = any(token.kind is Kind.LIFTED for token in after)
        if not _restricts(before) or (not _axes(before) & _axes(after) and not lifts):
            end = _place(after, lambda token: token.kind in {Kind.COMMA, Kind.THEN})
            if end is None and self._follows_up and not _restricts(before):
                return (), after
            end = len(after) if end is None else end
            return [*before, *after[:end]], after[end:]
        said = {token.wanted for token in before if token.wanted is not None}
        while after and after[0].wanted in said and sum(token.wanted is not None for token in after) > 1:
            after = after[1:]
        return before, after


def _split(tokens: Sequence[Token], kind: Kind) -> list[list[Token]]:
    stretches: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind is kind:
            stretches.append([])
        else:
            stretches[-1].append(token)
    return stretches


def _place(tokens: Sequence[Token], fits: Callable[[Token], bool]) -> int | None:
    return next((place for place, token in enumerate(tokens) if fits(token)), None)


def _restricts(tokens: Sequence[Token]) -> bool:
    return any(token.wanted is not None for token in tokens)


def _axes(tokens: Sequence[Token]) -> set[Axis]:
    return {axis_of(token.wanted) for token in tokens if token.wanted is not None}


def scan(text: Text, reference: Reference, clinics: Sequence[Clinic]) -> tuple[list[Token], tuple[str, ...], bool]:
    """Return the tokens of a text, the phrases that were not understood, and whether a denial is uncertain."""
    tokens = find_conditions(text, clinics, reference)
    tokens, strange = _with_connectives(text, tokens)
    for hour in lone_hours(text.folded, tokens):
        tokens.append(hour)
        strange = [one for one in strange if not (one[0] < hour.end and hour.start < one[1])]
    tokens.sort(key=lambda token: token.start)
    tokens = _as_questions(text.folded, _as_denials(text.folded, tokens, reference.language))
    tokens, unsure = _doubted(text.folded, tokens)
    return tokens, tuple(_typed(text, *span) for span in strange), unsure


def _with_connectives(text: Text, conditions: list[Token]) -> tuple[list[Token], list[tuple[int, int]]]:
    tokens = list(conditions)
    strange: list[tuple[int, int]] = []
    claimed = _claimed(text.folded)
    at = 0
    for start, end in [*((token.start, token.end) for token in conditions), (len(text.folded), len(text.folded))]:
        lead: int | None = None
        for piece in connectives(text.folded, at, start):
            if isinstance(piece, Token):
                tokens.append(_gendered(piece))
                lead = None
                continue
            word = piece.group()
            if _lead().fullmatch(word):
                lead = piece.start()
            elif word.isalpha() and len(word) > 2 and not any(s <= piece.start() < e for s, e in claimed):
                strange.append((piece.start() if lead is None else lead, piece.end()))
                lead = None
            elif not _polite().fullmatch(word):
                lead = None
        at = end
    return tokens, strange


def _gendered(token: Token) -> Token:
    if token.kind not in {Kind.WOMAN, Kind.MAN}:
        return token
    return replace(token, kind=Kind.CONDITION, wanted=WithWoman(token.kind is Kind.WOMAN))


@cache
def _lead() -> re.Pattern[str]:
    return phrases(rows("wishes", "lead"), " ")


@cache
def _polite() -> re.Pattern[str]:
    return phrases((*rows("wishes", "polite"), *words("bare")), " ")


@cache
def _understood() -> tuple[re.Pattern[str], ...]:
    files = ("requests", "references", "smalltalk", "safety", "specialties", "shifts", "memories")
    skipped = {"off_topic", "polite", "others"}
    tables = []
    for file in files:
        for section in sections(file):
            if section in skipped or section in {"ordinals", "cardinals"}:
                continue
            try:
                tables.append(table(file, section))
            except (KeyError, ValueError):
                continue
    return tuple(tables)


def _claimed(folded: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in _polite().finditer(folded)]
    for pattern in _understood():
        spans += [match.span() for match in pattern.finditer(folded)]
    return spans


def _typed(text: Text, start: int, end: int) -> str:
    first, last = text.original_span(start, end)
    return text.original[first:last]


def _as_denials(folded: str, tokens: list[Token], language: Language) -> list[Token]:
    """Read "no" in English as a denial of what follows or stands before; "não," between commas corrects."""
    found = list(tokens)
    if language is Language.EN:
        for match in re.finditer(r"(?<![a-z])no(?![a-z])", folded):
            following = next((one for one in tokens if one.start >= match.end()), None)
            beside = following is not None and following.wanted is not None and following.start - match.end() <= 1
            closes = re.match(r" *(?:[,.!;]|$)", folded[match.end() :]) is not None
            if (beside or closes) and not any(one.start <= match.start() < one.end for one in tokens):
                found.append(Token(Kind.NOT, *match.span(), "no"))
        found.sort(key=lambda token: token.start)
    pauses = {Kind.COMMA, Kind.STOP}
    for place, token in enumerate(found):
        between = 0 < place < len(found) - 1 and {found[place - 1].kind, found[place + 1].kind} <= pauses
        if token.kind is Kind.NOT and token.text in {"nao", "not", "no"} and between:
            found[place] = replace(token, kind=Kind.CORRECTING)
        if token.text == "nao e" and place and found[place - 1].wanted is not None and _beside(found, place):
            found[place] = replace(token, text="nao")
            found.insert(place + 1, Token(Kind.AND, token.end - 1, token.end, "e"))
    return found


def _beside(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place].start - tokens[place - 1].end <= 1


def _as_questions(folded: str, tokens: list[Token]) -> list[Token]:
    """Read "não dá na quarta?" as a question, which denies nothing."""
    if "?" not in folded:
        return tokens
    found = list(tokens)
    for place, token in enumerate(found):
        able = re.match(r"(?:nao (?:da|pode|daria|poderia|rola|consigo|conseguiria)|can not|could not)\b", token.text)
        if token.kind is not Kind.NOT or not able:
            continue
        after = found[place + 1] if place + 1 < len(found) else None
        behind = after is not None and after.wanted is not None and "?" in folded[after.end :]
        closes = re.match(r" *(?:nao)? *\?", folded[token.end :]) is not None
        if behind or closes:
            found[place] = replace(token, kind=Kind.ASKED)
            for n in range(place + 1, len(found)):
                if found[n].text == "nao" and re.match(r" *\?", folded[found[n].end :]):
                    found[n] = replace(found[n], kind=Kind.ASKED)
    return found


@cache
def _little() -> re.Pattern[str]:
    return phrases(rows("wishes", "little"), " ")


def _doubted(folded: str, tokens: list[Token]) -> tuple[list[Token], bool]:
    """Leave out conditions behind a denied word that nobody knows: "não curto quinta" denies it, "não sei" does not."""
    found = list(tokens)
    unsure = False
    for place, token in enumerate(tokens[:-1]):
        after = tokens[place + 1]
        if token.kind is not Kind.NOT or token.text not in {"nao", "not"} or after.wanted is None:
            continue
        between = re.findall(r"[a-z]+", folded[token.end : after.start])
        if any(not _little().fullmatch(word) for word in between):
            found[place] = replace(token, kind=Kind.UNSURE)
            found[place + 1] = replace(after, kind=Kind.UNSURE, wanted=None)
            unsure = True
    return [token for token in found if token.kind is not Kind.UNSURE], unsure
