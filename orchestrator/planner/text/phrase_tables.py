"""Matches tables of phrases: the small pattern language in which the lexicon is written.

A phrase is folded words. `*` ends a stem ("cancel*"), `_` is any one word, `#` any number, `...` up to four words,
`(a|b)` are alternatives and `(a )?` is optional. Between two words may stand punctuation, but no end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from orchestrator.planner.lexicon import rows

_GAP = r"[^a-z0-9.!?;]+"
_TOKEN = re.compile(r"\.\.\.\s*|[a-z0-9'@]+\*?|_|#|\(|\)[?*]?|\||\s+")


@cache
def table(file: str, section: str) -> re.Pattern[str]:
    """The pattern of a section of the lexicon.

    Raises:
        KeyError: There is no such section.
        ValueError: A row is no phrase.
    """
    return phrases(rows(file, section))


def phrases(alternatives: Iterable[str]) -> re.Pattern[str]:
    """One pattern that finds any of the phrases as whole words.

    Args:
        alternatives: Phrases in the pattern language above; where several fit at one place, the longer row wins.

    Raises:
        ValueError: A phrase holds a character that the language does not have.
    """
    compiled = "|".join(_compiled(row) for row in sorted(alternatives, key=len, reverse=True))
    return re.compile(rf"(?<![a-z0-9'])(?:{compiled})(?![a-z0-9'])")


def _compiled(row: str) -> str:
    if "".join(_TOKEN.findall(row)) != row:
        raise ValueError(f"not in the phrase language: {row!r}")
    return "".join(_piece(token) for token in _TOKEN.findall(row))


def _piece(token: str) -> str:
    match token:
        case "_":
            piece = r"[a-z0-9']+"
        case "#":
            piece = r"\d[\dh:]*"
        case "(":
            piece = "(?:"
        case ")" | ")?" | ")*" | "|":
            piece = token
        case _ if token.startswith("..."):
            piece = rf"(?:[a-z0-9']+{_GAP}){{0,4}}?"
        case _ if token.isspace():
            piece = _GAP
        case _:
            stem = token.removesuffix("*")
            piece = re.escape(stem) + ("[a-z0-9]*" if stem != token else "")
    return piece
