"""Corrects typos in the words that a request hangs on: specialties, verbs, weekdays, months.

Only words that no table and no everyday list knows are touched, and only towards a word that is one or two slips away:
a wrong correction is worse than a question. Names of doctors are matched elsewhere, with their own tolerance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from rapidfuzz.distance import OSA

from orchestrator.planner.lexicon import calendar, references, requests, safety, smalltalk, specialties
from orchestrator.planner.lexicon.everyday import EVERYDAY
from orchestrator.planner.lexicon.function_words import ENGLISH, PORTUGUESE
from orchestrator.planner.lexicon.keywords import KEYWORDS
from orchestrator.planner.normalise import Text, respell

_SHORTEST = 5
_LONG = 9


def correct(text: Text, names: Iterable[str] = ()) -> Text:
    """Returns the text with its typos corrected.

    Args:
        text: The utterance, normalised.
        names: Folded words that are right as they are, such as doctors' names.
    """
    right = frozenset(names)
    replacements: dict[str, str] = {}
    for word in text.words:
        if word.text not in right and word.text not in replacements:
            better = _corrected(word.text)
            if better is not None and better not in right:
                replacements[word.text] = better
    return respell(text, replacements)


@cache
def _known() -> frozenset[str]:
    tables = (calendar.PORTUGUESE, calendar.ENGLISH)
    times = {word for table in tables for rows in table.values() for row in rows for word in row.split()}
    numbers = {*calendar.PORTUGUESE_NUMBERS, *calendar.ENGLISH_NUMBERS, *calendar.ENGLISH_ORDINALS}
    tabled = {word for word in _table_words() if not word.endswith("*")}
    return frozenset(times | numbers | tabled | KEYWORDS | EVERYDAY | PORTUGUESE | ENGLISH)


@cache
def _stems() -> tuple[str, ...]:
    """The beginnings that the tables leave open ("ginecolog*")."""
    return tuple({token[:-1] for token in _table_words() if token.endswith("*") and len(token) > _SHORTEST})


def _table_words() -> Iterator[str]:
    """Every word of the phrase tables; stems keep their asterisk."""
    for module in (references, requests, safety, smalltalk, specialties):
        for table in vars(module).values():
            rows = [row for group in table.values() for row in group] if _holds_rows(table) else table
            if isinstance(rows, list | tuple):
                for row in rows:
                    yield from re.findall(r"[a-z]+\*?", row)


def _holds_rows(table: object) -> bool:
    return isinstance(table, dict) and all(isinstance(rows, tuple) for rows in table.values())


@cache
def _by_length() -> dict[int, tuple[str, ...]]:
    groups: dict[int, list[str]] = {}
    for keyword in sorted(KEYWORDS):
        groups.setdefault(len(keyword), []).append(keyword)
    return {length: tuple(group) for length, group in groups.items()}


def is_known(word: str) -> bool:
    """Whether some table or everyday list holds a folded word, in full or by its stem."""
    return word in _known() or word.startswith(_stems())


def _corrected(word: str) -> str | None:
    """The keyword that a word is a slip of; None when it is right, too short, or could be several."""
    if len(word) < _SHORTEST or len(word) > 24 or not word.isalpha() or is_known(word):
        return None
    slips = 2 if len(word) >= _LONG else 1
    near: list[tuple[int, str]] = []
    for length in range(len(word) - slips, len(word) + slips + 1):
        for keyword in _by_length().get(length, ()):
            if keyword[0] != word[0] and slips < 2:
                continue
            distance = OSA.distance(word, keyword, score_cutoff=slips)
            if distance <= slips:
                near.append((distance, keyword))
    near.sort()
    if not near or (len(near) > 1 and near[0][0] == near[1][0] and near[0][1][:4] != near[1][1][:4]):
        return None
    return near[0][1]
