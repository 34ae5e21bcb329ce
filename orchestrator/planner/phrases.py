"""Matches tables of phrases: the small pattern language in which the lexicon is written.

A phrase is folded words. `*` ends a stem ("cancel*"), `_` is any one word, `...` is up to four words, `(a|b)` are
alternatives and `(a )?` is optional. Between two words may stand punctuation, but not the end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_GAP = r"[^a-z0-9.!?;]+"
_TOKEN = re.compile(r"\.\.\.\s*|[a-z0-9'@#]+\*?|_|\(|\)[?*]?|\||\s+")


def phrases(rows: Iterable[str]) -> re.Pattern[str]:
    """One pattern that finds any of the phrases as whole words.

    Args:
        rows: Phrases in the pattern language above; where several fit at one place, the longer row wins.

    Raises:
        ValueError: A phrase holds a character that the language does not have.
    """
    alternatives = "|".join(_compiled(row) for row in sorted(rows, key=len, reverse=True))
    return re.compile(rf"(?<![a-z0-9'])(?:{alternatives})(?![a-z0-9'])")


def _compiled(row: str) -> str:
    if "".join(_TOKEN.findall(row)) != row:
        raise ValueError(f"not in the phrase language: {row!r}")
    return "".join(_piece(token) for token in _TOKEN.findall(row))


def _piece(token: str) -> str:
    match token:
        case "_":
            return r"[a-z0-9']+"
        case "(":
            return "(?:"
        case ")" | ")?" | ")*" | "|":
            return token
        case _ if token.startswith("..."):
            return rf"(?:[a-z0-9']+{_GAP}){{0,4}}?"
        case _ if token.isspace():
            return _GAP
        case _ if token.endswith("*"):
            return re.escape(token[:-1]) + "[a-z0-9]*"
        case _:
            return re.escape(token)
