"""Correct typos in the words that a request hangs on: specialties, verbs, weekdays, months.

Only words that no table knows, and only by one or two slips: a wrong correction is worse than a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from rapidfuzz.distance import OSA

from orchestrator.planner.lexicon import sections, words
from orchestrator.planner.text.normalised_text import Text, respell

_SHORTEST = 5
_LONG = 9


def correct(text: Text, names: Iterable[str] = ()) -> Text:
    """Return the text with its typos corrected; `names` are folded words that are right as they are."""
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
    lists = (words(section) for section in sections("words"))
    return frozenset(word for word in _table_words() if not word.endswith("*")).union(*lists)


@cache
def _stems() -> tuple[str, ...]:
    return tuple({word[:-1] for word in _table_words() if word.endswith("*") and len(word) > _SHORTEST})


def _table_words() -> Iterator[str]:
    for file in ("calendar", "references", "requests", "safety", "smalltalk", "specialties"):
        for rows in sections(file).values():
            for row in rows:
                yield from re.findall(r"[a-z]+\*?", row)


def is_known(word: str) -> bool:
    """Return whether some table or everyday list holds a folded word, in full or by its stem."""
    return word in _known() or word.startswith(_stems())


def _begin_alike(word: str, keyword: str) -> bool:
    # "desmarque" must never become "remarque".
    same = word[0] == keyword[0] or {word[0], keyword[0]} == {"k", "c"}
    return same or (word[0], word[1]) == (keyword[1], keyword[0])


def _corrected(word: str) -> str | None:
    if len(word) < _SHORTEST or len(word) > 24 or not word.isalpha() or is_known(word):
        return None
    slips = 2 if len(word) >= _LONG else 1
    alike = (one for one in words("keywords") if abs(len(one) - len(word)) <= slips and _begin_alike(word, one))
    distances = ((OSA.distance(word, keyword, score_cutoff=slips), keyword) for keyword in alike)
    near = sorted((distance, keyword) for distance, keyword in distances if distance <= slips)
    if not near or (len(near) > 1 and near[0][0] == near[1][0] and near[0][1][:4] != near[1][1][:4]):
        return None
    return near[0][1]
