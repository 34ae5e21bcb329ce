"""The pieces that a wish is read from: conditions, and the words that join, deny and weaken them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from orchestrator.planner.lexicon import pairs, pattern, table
from orchestrator.turn import Axis, ClinicFact, Filter, axes_of


class Kind(StrEnum):
    """What a token does; those up to `THEN` are sections of the lexicon "wishes", tried in this order."""

    SKIP = "skip"
    INSURANCE = "insurance"
    PRICE = "price"
    PLACE = "place"
    LANGUAGE = "language"
    RULED_OUT = "ruled_out"
    ASKED = "asked"
    FALLBACK = "fallback"
    PREFERABLY = "preferably"
    BOTH = "both"
    FREEING = "freeing"
    RELAXING = "relaxing"
    EARLIER = "earlier"
    LATER = "later"
    CORRECTING = "correcting"
    INSTEAD = "instead"
    EXCEPT = "except"
    NOT = "not"
    NOR = "nor"
    SAME = "same"
    OTHER = "other"
    BUT = "but"
    WOMAN = "woman"
    MAN = "man"
    ONLY = "only"
    ALSO = "also"
    OR = "or"
    EITHER = "either"
    AND = "and"
    THEN = "then"
    CONDITION = "condition"
    COMMA = "comma"
    STOP = "stop"
    QUESTION = "question"
    LIFTED = "lifted"  # an axis is left open in a fallback
    UNSURE = "unsure"  # a condition that an unknown word denies


PAUSES = frozenset({Kind.COMMA, Kind.STOP, Kind.QUESTION, Kind.BUT})
DENYING = frozenset({Kind.NOT, Kind.EXCEPT, Kind.NOR})
RELATIVE = frozenset({Kind.SAME, Kind.OTHER, Kind.EARLIER, Kind.LATER})


@dataclass(frozen=True, slots=True)
class Token:
    """One piece, with its place in `Text.folded`."""

    kind: Kind
    start: int
    end: int
    text: str = ""
    wanted: Filter | None = None  # of a condition
    axis: Axis | None = None  # that a word frees, repeats or changes


Piece = Token | re.Match[str]  # a match is a word that joins and denies nothing


@cache
def _connectives() -> re.Pattern[str]:
    kinds = list(Kind)[: list(Kind).index(Kind.CONDITION)]
    named = "|".join(f"(?P<{kind}>{table('wishes', kind.value, '[ -]').pattern})" for kind in kinds)
    signs = r"(?P<comma>,)|(?P<stop>[.;!:\n]|(?<= )-(?= ))|(?P<question>\?)|(?P<slash>/)|(?P<plus>\+)"
    return re.compile(rf"{named}|{signs}|(?P<word>[a-z0-9']+)")


_AXES = {Axis(axis): re.compile(words) for axis, words in pairs("patterns", "axes").items()}
_SIGNS = {"slash": Kind.OR, "plus": Kind.ALSO}


def connectives(folded: str, start: int, end: int) -> Iterator[Token | re.Match[str]]:
    """Return the connectives between two places of folded text, in order; a match is a word that is none."""
    for match in _connectives().finditer(folded, start, end):
        if match.lastgroup == "word":
            yield match
            continue
        kind = _SIGNS.get(str(match.lastgroup)) or Kind(str(match.lastgroup))
        if kind is not Kind.SKIP:
            axis = next((axis for axis, words in _AXES.items() if words.search(match.group())), None)
            yield Token(kind, *match.span(), match.group(), axis=axis)


_LIVES = pattern("patterns", "lives")


def tells_own_place(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a token says where somebody works or lives, or is that place: it neither wants nor denies it."""
    duty, what = tokens[place : place + 2] if place + 1 < len(tokens) else (None, None)
    if place and isinstance(tokens[place].wanted, ClinicFact):
        duty, what = tokens[place - 1], tokens[place]
    of_place = isinstance(what.wanted, ClinicFact) and what.wanted.axis is Axis.PLACE if what is not None else False
    return of_place and duty is not None and _LIVES.search(duty.text) is not None


def answers_question(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a token goes on behind a question of one's own: "sábado não atende, né, então sexta"."""
    asked = any(one.kind is Kind.ASKED for one in tokens[:place])
    return asked and tokens[place - 1].kind in PAUSES and any(one.wanted is not None for one in tokens[:place])


def corrected(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "não é A, é B" as a correction to B: A was said by mistake, and is not refused."""
    found = list(tokens)
    for place, token in enumerate(tokens):
        is_not = token.text in {"nao e", "is not"} or (token.text == "not" and tokens[place - 1].text == "it is")
        if not is_not:
            continue
        joint = next((n for n in range(place + 2, len(tokens)) if tokens[n].kind is not Kind.COMMA), len(tokens) - 1)
        if joint + 1 >= len(tokens) or tokens[joint].text not in {"e", "it is"}:
            continue
        wrong, right = tokens[place + 1].wanted, tokens[joint + 1].wanted
        if wrong is not None and right is not None and axes_of(wrong) == axes_of(right):
            found[place : joint + 1] = [replace(tokens[joint], kind=Kind.CORRECTING)]
            return found
    return found


def with_lacks(folded: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "se a Sílvia não tiver na quinta" as that wish and a fallback, and as no denial."""
    for lack in pattern("patterns", "lacking").finditer(folded):
        if any(one.wanted is not None and lack.start("who") <= one.start < lack.end("who") for one in tokens):
            fallback = Token(Kind.FALLBACK, *lack.span("if"), lack["if"])
            rest = (one for one in tokens if one.wanted is not None or not lack.start("lack") <= one.start < lack.end())
            tokens = sorted((*rest, fallback), key=lambda one: one.start)
    return list(tokens)


def clauses(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Part the pieces of a text at its pauses, and at an "e" that begins something else than a condition."""
    clauses: list[list[Piece]] = [[]]
    for place, piece in enumerate(pieces):
        if isinstance(piece, Token) and (piece.kind in PAUSES or (piece.kind is Kind.AND and _begins(pieces, place))):
            clauses.append([])
        else:
            clauses[-1].append(piece)
    return clauses


def _begins(pieces: Sequence[Piece], place: int) -> bool:
    after = pieces[place + 1] if place + 1 < len(pieces) else None
    return isinstance(after, re.Match) and not table("wishes", "lead", " ").fullmatch(after.group())
