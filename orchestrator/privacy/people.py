"""Find the names of people in a sentence by lists of names and by the words that introduce one.

Names of doctors, with their title, and of places are left out. Each word becomes a letter of its kind and each gap a
sign, so that one pattern over the letters says where names stand.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files

from orchestrator.texts import patterns_in

_IN_LOWER_CASE = {"F": "f", "D": "d", "C": "c"}
LABELS = "N"  # the kind without which no number is labelled
INTRODUCING = "FGDCktThn"  # the kinds of words without any of which a text names nobody
_UNKNOWN, _UNKNOWN_CAPITALISED, _INITIAL = "x", "U", "i"

# A word, and the gap to the next: a blank, the dot of an abbreviation, an apostrophe, a pause or a colon.
_SIGNS = ("", ";", " ", ".", "'", ",")  # of the gap, by its group; ";" where there is none of them

_PATTERNS = patterns_in("name_patterns.txt", __package__)
_WORD, _NAME = re.compile(_PATTERNS["word"]), re.compile(_PATTERNS["name"])


def people_in(
    text: str, plain: str, origins: Sequence[int], own: Set[str], public: Set[str]
) -> Iterator[tuple[int, int]]:
    """Yield where names of people begin and end in `text`; `plain` is it folded, and `origins` its offsets in it.

    Left out are names of nothing but `own` words, and of `public` words where no word before says that a name follows.
    """
    letters = _letters()
    words = list(_WORD.finditer(plain))
    kinds = "".join(
        _kind(letters.get(word[1], _UNKNOWN), text[origins[word.start()] : origins[word.end(1) - 1] + 1], sign) + sign
        for word, sign in ((word, _SIGNS[word.lastindex or 0]) for word in words)
    )
    for match in re.finditer(_PATTERNS["names"], kinds):  # compiled with the first text that may hold one
        if match.lastgroup == "public":
            continue
        for name in _NAME.finditer(kinds, *match.span(match.lastindex or 0)):
            parts = words[name.start() // 2 : (name.end() + 1) // 2]
            telling = {part[1] for part in parts if letters.get(part[1]) not in {"p", "y"}}
            if not (telling <= own or (telling <= public and match.lastgroup == "alone")):
                yield origins[parts[0].start()], origins[parts[-1].end(1) - 1] + 1


def _kind(letter: str, word: str, gap: str) -> str:
    if not word[0].isupper():
        return _IN_LOWER_CASE.get(letter, letter)
    if len(word) == 1 and gap == ".":
        return _INITIAL
    return _UNKNOWN_CAPITALISED if letter == _UNKNOWN and word[1:].islower() else letter


@cache
def _letters() -> Mapping[str, str]:
    sections = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
    return {word: letter for letter, words in sections.items() for word in words.split()}


@cache
def words_of_kinds(letters: str) -> frozenset[str]:
    """Return the words, folded, of the kinds of some letters."""
    return frozenset(word for word, letter in _letters().items() if letter in letters)
