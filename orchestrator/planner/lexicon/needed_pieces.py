"""Tell which few letters in a row a match of a pattern must hold, so that most patterns need not be tried on a text.

A text of twelve words holds some 150 pieces of two to four letters; few of the thousands of rows have one of theirs
among them. For each way in which a pattern can match, one piece is chosen: how its longest word begins.
"""

from collections.abc import Iterable, Iterator
from typing import Any

ANYTHING = frozenset({""})  # what any text holds
COSTS = {4: 1, 3: 3, 2: 8}  # of the pieces by their letters: how much more often a shorter one stands in a text


def needed_pieces(parsed: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """Return the pieces of which any text that a pattern, as `re` parses it, matches in holds one."""
    return min(_each_needed(parsed), key=lambda pieces: sum(COSTS.get(len(piece), 1000) for piece in pieces))


def _each_needed(parsed: Iterable[tuple[Any, Any]]) -> Iterator[frozenset[str]]:
    yield ANYTHING
    letters = ""
    for code, given in ((str(code), given) for code, given in (*parsed, ("", ""))):
        if code == "LITERAL":
            letters += chr(given)
            continue
        if code == "AT":  # a place between two letters
            continue
        if len(letters) > 1:
            yield frozenset({max((*letters.split(), letters[:2]), key=len)[: max(COSTS)]})
        letters = ""
        if code == "SUBPATTERN" and not given[1]:
            yield needed_pieces(given[3])
        elif code == "BRANCH":
            yield frozenset().union(*map(needed_pieces, given[1]))
        elif code in {"MAX_REPEAT", "MIN_REPEAT"} and given[0]:
            yield needed_pieces(given[2])
        elif code == "ASSERT":
            yield needed_pieces(given[1])
