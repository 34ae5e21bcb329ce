"""Whether two short texts say the same, and how well one answers another, by their words alone.

Words are compared without case, accents and common endings. Meaning beyond that is a matter of `embeddings`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from mesh.text_folding import fold

SAME_SHARE = 0.7
"""Above this share of common words, two texts with the same telling words say the same."""

_WORD = re.compile(r"\d+(?:[h:]\d\d)?|[^\W\d_]+")
_CAPITAL = re.compile(r"(?:(?<=[^.!?]\s)|(?<=\b[Dd]r\.\s)|(?<=\b[Dd]ra\.\s))[^\W\d_a-zà-ÿ][^\W\d_]+")
_TYPO_RATIO = 85.0
_LONG_ENOUGH = 5


def _words_of(name: str) -> frozenset[str]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(fold(word) for line in lines for word in line.split())


_SMALL = _words_of("small_words.txt")
_TELLING = _words_of("telling_words.txt")


@dataclass(frozen=True, slots=True)
class Words:
    """What a text holds for comparing.

    Attributes:
        folded: The text without case and accents.
        content: Stems of the words that say something.
        telling: Those among them, and among the small ones, that tell two facts apart: numbers, days, shifts, denials.
        names: Stems of words with a capital inside a sentence.
    """

    folded: str = field(repr=False)
    content: frozenset[str] = field(repr=False)
    telling: frozenset[str] = field(repr=False)
    names: frozenset[str] = field(repr=False)


@lru_cache(maxsize=1024)
def _stem(word: str) -> str:
    if word[0].isdigit():
        return word.replace(":", "h")
    if word.endswith("oes"):
        word = f"{word[:-3]}ao"
    if len(word) > 3:
        word = word.removesuffix("s")
    return word[:-1] if len(word) >= _LONG_ENOUGH and word[-1] in "aeo" else word


_TELLING_STEMS = frozenset(map(_stem, _TELLING))


def words_of(text: str) -> Words:
    """Return what a text holds for comparing."""
    plain = fold(text).strip()
    tokens = _WORD.findall(plain)
    telling = frozenset(stem for stem in map(_stem, tokens) if stem in _TELLING_STEMS or stem[0].isdigit())
    content = frozenset(_stem(token) for token in tokens if token not in _SMALL)
    capitals = () if text[1:].islower() else _CAPITAL.findall(text)
    names = frozenset(_stem(fold(name)) for name in capitals) & content
    return Words(plain, content | telling, telling, names - telling)


def same_fact(new: Words, known: Words) -> bool:
    """Return whether a text says nothing but what another says.

    More than 70 % of its words are in the other, function words left out; numbers, days, shifts and denials are the
    same in both ("não posso às sextas" is not "posso às sextas"), and no name is new.
    """
    if not new.content:
        return new.folded == known.folded
    return tells_the_same(new, known) and len(new.content & known.content) / len(new.content) > SAME_SHARE


def tells_the_same(new: Words, known: Words) -> bool:
    """Return whether no number, day, shift, denial or name parts two texts."""
    return new.telling == known.telling and new.names <= known.content


def match(wanted: Words, held: Words) -> float:
    """Return how well a text answers a query: the share of the shorter one's words that both hold, 0 to 1.

    A word with a typing error counts as the word.

    Args:
        wanted: What the query holds.
        held: What the text holds.
    """
    if not wanted.content or not held.content:
        return 0.0
    common = sum(_is_in(stem, held.content) for stem in wanted.content)
    return min(1.0, common / min(len(wanted.content), len(held.content)))


def names_it(about: Words, held: Words) -> bool:
    """Return whether words mean a text and no other fact: enough of them are in it, the telling ones all."""
    return about.telling <= held.telling and match(about, held) > SAME_SHARE


def _is_in(stem: str, held: frozenset[str]) -> bool:
    if stem in held:
        return True
    if len(stem) < _LONG_ENOUGH:
        return False
    from rapidfuzz import fuzz  # noqa: PLC0415 - the first unknown word pays, no start

    return any(len(other) >= _LONG_ENOUGH and fuzz.ratio(stem, other) >= _TYPO_RATIO for other in held)
