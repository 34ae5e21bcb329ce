"""The pieces that a wish is read from: conditions, and the words that join, deny and weaken them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from orchestrator.planner.lexicon import compiled, pairs, phrases, rows, table, words
from orchestrator.turn import Axis, Filter

_AXES = {Axis(axis): re.compile(words) for axis, words in pairs("patterns", "axes").items()}


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
    EXCEPT = "except"  # before what frees: "any time but" is no "any time"
    FREEING = "freeing"
    RELAXING = "relaxing"
    EARLIER = "earlier"
    LATER = "later"
    CORRECTING = "correcting"
    INSTEAD = "instead"
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
    BOUND = "bound"  # a reason with its hours, or what leans on it: it holds beside all that is wished
    LIFTED = "lifted"  # an axis is left open in a fallback
    UNLESS = "unless"  # an exception from what is denied before it: "not in the morning, except on Friday"


PAUSES = frozenset({Kind.COMMA, Kind.STOP, Kind.QUESTION, Kind.BUT})
DENYING = frozenset({Kind.NOT, Kind.EXCEPT, Kind.NOR})
_SIGNS = {"slash": Kind.OR, "plus": Kind.ALSO}
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

    def wanting(self, wanted: Filter | None) -> "Token":
        """Return it as a condition, which its words make beside something else."""
        return replace(self, kind=Kind.CONDITION, wanted=wanted)


Piece = Token | re.Match[str]  # a match is a word that joins and denies nothing


@cache
def _connectives() -> re.Pattern[str]:
    kinds = list(Kind)[: list(Kind).index(Kind.CONDITION)]
    named = "|".join(f"(?P<{kind}>{table('wishes', kind.value, '[ -]').pattern})" for kind in kinds)
    signs = r"(?P<comma>,)|(?P<stop>[.;!:\n]|(?<= )-(?= ))|(?P<question>\?)|(?P<slash>/)|(?P<plus>\+)"
    return compiled(rf"{named}|{signs}|(?P<word>[a-z0-9']+)")


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


@cache
def polite() -> re.Pattern[str]:
    """Return the words that carry no condition."""
    return phrases((*rows("wishes", "polite"), *words("bare")), " ")
