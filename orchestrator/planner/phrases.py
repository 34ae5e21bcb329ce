"""Matches tables of phrases: the small pattern language in which the lexicon is written.

A phrase is folded words. `*` ends a stem ("cancel*"), `_` is any one word, `...` is up to four words, `(a|b)` are
alternatives and `(a)?` is optional; between two words may stand any punctuation but the end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_GAP: Final = r"[^a-z0-9.!?;]+"
_TOKEN = re.compile(r"\.\.\.|[a-z0-9'@/#]+\*?|_|\(|\)\??|\||\s+")


def phrases(rows: Iterable[str]) -> re.Pattern[str]:
    """One pattern that finds any of the phrases as whole words, longer rows first.

    Args:
        rows: Phrases in the pattern language above.

    Raises:
        ValueError: A phrase holds a character that the language does not have.
    """
    alternatives = "|".join(_compiled(row) for row in sorted(rows, key=len, reverse=True))
    return re.compile(rf"(?<![a-z0-9'])(?:{alternatives})(?![a-z0-9'])")


def _compiled(row: str) -> str:
    """The regular expression of one phrase; words are joined by `_GAP` wherever the row has a space."""
    position = 0
    pieces: list[str] = []
    for match in _TOKEN.finditer(row):
        if match.start() != position:
            break
        position = match.end()
        pieces.append(_piece(match.group(), optional_follows=row[position:].startswith(")?")))
    if position != len(row):
        raise ValueError(f"not in the phrase language: {row!r} at {position}")
    return "".join(pieces)


def _piece(token: str, *, optional_follows: bool) -> str:
    del optional_follows
    match token:
        case "...":
            return rf"(?:[a-z0-9']+{_GAP}){{0,4}}?"
        case "_":
            return r"[a-z0-9']+"
        case "(":
            return "(?:"
        case ")" | ")?" | "|":
            return token
        case _ if token.isspace():
            return _GAP
        case _ if token.endswith("*"):
            return re.escape(token[:-1]) + "[a-z0-9]*"
        case _:
            return re.escape(token)
