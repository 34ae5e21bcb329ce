"""The pieces that a wish is read from: conditions, and the words that join, deny and weaken them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from orchestrator.planner.lexicon import compiled, pairs, phrases, rows, table, words
from orchestrator.turn import Axis, Filter

_AXES = {Axis(axis): re.compile(words) for axis, words in pairs("patterns", "axes").items()}


# What a token does. Those up to `THEN` are sections of the lexicon "wishes", tried in this order: EXCEPT goes before
# FREEING, because "any time but" is no "any time". BOUND is a reason with its hours, or what leans on it: it holds
# beside all that is wished. LIFTED leaves an axis open in a fallback, and UNLESS is an exception from what is denied
# before it: "not in the morning, except on Friday".
Kind = StrEnum(
    "Kind",
    "SKIP INSURANCE PRICE PLACE LANGUAGE RULED_OUT ASKED FALLBACK PREFERABLY BOTH EXCEPT FREEING RELAXING "
    "EARLIER LATER CORRECTING INSTEAD NOT NOR SAME OTHER BUT WOMAN MAN ONLY ALSO OR EITHER AND THEN "
    "CONDITION COMMA STOP QUESTION BOUND LIFTED UNLESS",
)

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
    return compiled(rf"(?![_ ])(?:{named}|{signs}|(?P<word>[a-z0-9']+))")


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
