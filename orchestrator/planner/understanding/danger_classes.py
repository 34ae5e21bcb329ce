"""Look up the classes of words that a sign of danger is made of, by the word they begin with, whatever its typo."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from orchestrator.planner.lexicon import phrases, sections
from orchestrator.planner.text import Text, is_known, respell

_Rows = Mapping[str, list[tuple[str, str]]]
"""Rows with their classes, by the word or stem that they begin with."""

_NUMBER = "#"


@lru_cache(maxsize=4096)
def class_patterns(word: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the phrases that may begin with a word, each with its class; they match where the word stands."""
    whole, stems = _rows_by_head()
    begun = (row for end in range(2, len(word) + 1) for row in stems.get(word[:end], ()))
    found = (*(whole[_NUMBER] if word.isdigit() else ()), *whole.get(word, ()), *begun)
    return tuple((name, _pattern(row)) for name, row in dict.fromkeys(found))


@cache
def _pattern(row: str) -> re.Pattern[str]:
    return phrases((row,))


@cache
def _rows_by_head() -> tuple[_Rows, _Rows]:
    whole: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    stems: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, table in sections("danger_words").items():
        for row in table:
            for head in set(_heads(row)):
                kind = stems if head.endswith("*") else whole
                kind[_NUMBER if _NUMBER in head else head.removesuffix("*")].append((name, row))
    return whole, stems


def _heads(row: str) -> Iterator[str]:
    # The words that a phrase may begin with: groups are spelled out until the first word is whole.
    start = row.find("(")
    if start < 0 or " " in row[:start].lstrip():
        yield row.split(maxsplit=1)[0]
        return
    depth, bounds, at = 1, [start + 1], start
    while depth:
        at += 1
        depth += {"(": 1, ")": -1}.get(row[at], 0)
        if depth == 1 and row[at] == "|":
            bounds.append(at + 1)
    options = [row[one : other - 1] for one, other in pairwise([*bounds, at + 1])]
    optional = row[at + 1 : at + 2] in ("?", "*")
    for option in [*options, ""] if optional else options:
        yield from _heads(row[:start] + option + row[at + 1 + optional :])


def respelt(text: Text) -> Text:
    """Return the text with the typos in words of danger corrected."""
    return respell(text, {word.text: right for word in text.words if (right := _right(word.text)) is not None})


_SHORTEST = 5
_LONG = 9
_LONGEST = 24
_ALIKE = {"k": "kcq", "q": "qck", "e": "ei", "i": "ie", "s": "sc", "c": "csk"}  # first letters that sound alike
_NEVER_MEANT = frozenset({"right_as_typed", "harmless", "talk_about", "question_about", "past", "joke", "game"})
_DOUBLED = re.compile(r"([a-z])\1")


@lru_cache(maxsize=4096)
def _right(word: str) -> str | None:
    if word.endswith("'s"):
        return word.removesuffix("'s")
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha() or is_known(word) or class_patterns(word):
        return None
    words, stems, undoubled = _spellings()
    if (same := undoubled.get(_DOUBLED.sub(r"\1", word))) is not None:
        return same
    slips = 2 if len(word) >= _LONG else 1
    alike = [one for letter in _ALIKE.get(word[0], word[0]) for one in words.get(letter, ())]
    if found := process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=slips):
        return None if _is_another_form(word, found[0]) else found[0]
    return next(_stems_like(word, stems), None)


def _is_another_form(word: str, other: str) -> bool:
    # What parts only at the end is rather another form of a verb than a typo.
    longest = max(len(word), len(other))
    return word[: longest - 2] == other[: longest - 2]


def _stems_like(word: str, stems: Mapping[int, list[str]]) -> Iterator[str]:
    for size, some in stems.items():
        for length in range(min(size, len(word)), size - 2, -1):
            found = process.extractOne(word[:length], some, scorer=OSA.distance, score_cutoff=1)
            if found and found[0][:2] == word[:2]:
                yield found[0]


@cache
def _spellings() -> tuple[Mapping[str, list[str]], Mapping[int, list[str]], Mapping[str, str]]:
    # What a typo may stand for: words by letter, stems by length, the longest first, and words without double letters.
    tables = (table for name, table in sections("danger_words").items() if name not in _NEVER_MEANT)
    pieces = (piece for table in tables for row in table for piece in _pieces(row))
    known = {head for piece in dict.fromkeys(pieces) for head in _heads(piece) if len(head) > _SHORTEST}
    words: defaultdict[str, list[str]] = defaultdict(list)
    stems: defaultdict[int, list[str]] = defaultdict(list)
    for word in sorted(known, key=len, reverse=True):
        if not word.endswith("*"):
            words[word[0]].append(word)
        elif len(word) > _SHORTEST + 1:
            stems[len(word) - 1].append(word[:-1])
    return words, stems, {_DOUBLED.sub(r"\1", word): word for some in words.values() for word in some}


def _pieces(row: str) -> Iterator[str]:
    # The parts of a phrase between its outer spaces.
    depth, start = 0, 0
    for at, character in enumerate(f"{row} "):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == " " and depth == 0:
            yield row[start:at].lstrip()
            start = at + 1
