"""Decide what may be remembered, and find what is worth knowing, meant, or known already, by words and by meaning."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from rapidfuzz import fuzz

from mesh.sanitizer import clean_text
from mesh.text_folding import fold
from orchestrator.privacy import Redactor
from orchestrator.texts import words_of
from orchestrator.turn import MAX_CONTENT, MIN_CONTENT, Memory, MemoryKind, MemoryStatus, SaveMemory, within_budget
from orchestrator.verifier import folded, names_drug, pattern_of

_HEALTH = pattern_of("health.txt")
_CONTEXT = " (Contexto: "

SAME_SHARE = 0.7  # above this share of common words, two texts with the same telling words say the same
_WORD = re.compile(r"\d+(?:[h:]\d\d)?|[^\W\d_]+")
_CAPITAL = re.compile(r"(?:(?<=[^.!?]\s)|(?<=\b[Dd]r\.\s)|(?<=\b[Dd]ra\.\s))[^\W\d_a-zà-ÿ][^\W\d_]+")
# Else "Clínica A" would lose its letter as an article.
_LETTER = re.compile(r"(?<=[Cc]l[ií]nic)a? ([A-Z]|[bcdf-np-z])\b")
_TYPO_RATIO = 85.0
_LONG_ENOUGH = 5

_SMALL = frozenset(words_of("small_words.txt", __package__))

MAX_RECALLED = 8
MAX_TOKENS = 600  # of all that is recalled for one turn, estimated at four characters a token: it may go into a prompt
SIMILAR = 0.5  # from this cosine similarity, or share of words, something is about what was asked
SAME_MEANING = 0.92  # from this cosine similarity, two memories with the same telling words say the same
_NEARLY = 0.05  # two that fit so alike are not told apart
_MARKS_OPENINGS = frozenset({MemoryKind.RESTRICTION, MemoryKind.AVAILABILITY})


def refusal_of(call: SaveMemory, redactor: Redactor, today: date) -> MemoryStatus | None:
    """Return why content may not be remembered, or None; `today` is the day in America/Sao_Paulo."""
    content, context = clean_text(call.content), clean_text(call.context)
    said = f"{content}\n{context}"
    is_past = call.expires_on is not None and call.expires_on < today
    if is_past or not MIN_CONTENT <= len(content) <= MAX_CONTENT or len(context) > MAX_CONTENT:
        return MemoryStatus.INVALID
    if redactor.find(said):
        return MemoryStatus.PERSONAL_DATA
    return MemoryStatus.HEALTH if _HEALTH.search(plain := folded(said)) or names_drug(plain) else None


def content_of(call: SaveMemory) -> str:
    """Return the content to remember of an admitted call, its context included."""
    context = clean_text(call.context)
    return f"{clean_text(call.content)}{_CONTEXT}{context})" if context else clean_text(call.content)


def call_of(memory: Memory) -> SaveMemory:
    """Return the call that would save what is remembered."""
    statement, _, context = memory.content.partition(_CONTEXT)
    return SaveMemory(memory.kind, statement, context.removesuffix(")"), memory.expires_on, memory.source)


@dataclass(frozen=True, slots=True)
class Words:
    """What a text holds for comparing."""

    folded: str = field(repr=False)  # the text without case and accents
    content: frozenset[str] = field(repr=False)  # stems of the words that say something
    telling: frozenset[str] = field(repr=False)  # those words that tell two facts apart: numbers, days, shifts, denials
    names: frozenset[str] = field(repr=False)  # stems of words with a capital inside a sentence


@lru_cache(maxsize=1024)
def _stem(word: str) -> str:
    if word[0].isdigit():
        return word.replace(":", "h")
    if word.endswith("oes"):
        word = f"{word[:-3]}ao"
    if len(word) > 3:
        word = word.removesuffix("s")
    return word[:-1] if len(word) >= _LONG_ENOUGH and word[-1] in "aeo" else word


_TELLING = frozenset(map(_stem, words_of("telling_words.txt", __package__)))


def comparable(text: str) -> Words:
    """Return what a text holds for comparing."""
    plain = fold(_LETTER.sub(r"a \1\1\1\1", text)).strip()
    tokens = _WORD.findall(plain)
    telling = frozenset(stem for stem in map(_stem, tokens) if stem in _TELLING or stem[0].isdigit())
    content = frozenset(_stem(token) for token in tokens if token not in _SMALL)
    capitals = () if text[1:].islower() else _CAPITAL.findall(text)
    names = frozenset(_stem(fold(name)) for name in capitals) & content
    return Words(plain, content | telling, telling, names - telling)


def same_fact(new: Words, known: Words) -> bool:
    """Return whether a text says nothing but what another says: most of its words are there, and it tells the same."""
    if not new.content:
        return new.folded == known.folded
    return tells_the_same(new, known) and len(new.content & known.content) / len(new.content) > SAME_SHARE


def tells_the_same(new: Words, known: Words) -> bool:
    """Return whether two texts have the same numbers, days, shifts and denials, and `new` has no new name."""
    return new.telling == known.telling and new.names <= known.content


def match(wanted: Words, held: Words) -> float:
    """Return the share, 0 to 1, of the shorter text's words that both hold; a word with a typo counts."""
    if not wanted.content or not held.content:
        return 0.0
    common = sum(_is_in(stem, held.content) for stem in wanted.content)
    return min(1.0, common / min(len(wanted.content), len(held.content)))


def names_it(about: Words, held: Words) -> bool:
    """Return whether words mean a text and no other fact: most of them are in it, the telling ones all."""
    return about.telling <= held.telling and match(about, held) > SAME_SHARE


def _is_in(stem: str, held: frozenset[str]) -> bool:
    if stem in held:
        return True
    if len(stem) < _LONG_ENOUGH:
        return False
    return any(len(other) >= _LONG_ENOUGH and fuzz.ratio(stem, other) >= _TYPO_RATIO for other in held)


def relevant(memories: Sequence[Memory], utterance: str, meanings: Mapping[str, float]) -> tuple[Memory, ...]:
    """Return the memories worth knowing for an utterance, `MAX_RECALLED` at most and `MAX_TOKENS` in all.

    First restrictions and availabilities, then what is about it, then all else. `memories` come the latest first.
    """
    marking = [memory for memory in memories if memory.kind in _MARKS_OPENINGS]
    others = [memory for memory in memories if memory.kind not in _MARKS_OPENINGS]
    about = ranked(others, utterance, meanings)
    rest = sorted((one for one in others if one not in about), key=lambda one: one.kind is not MemoryKind.PREFERENCE)
    first = (*marking, *about, *rest)[:MAX_RECALLED]
    return tuple(within_budget(first, MAX_TOKENS, lambda memory: len(memory.content) // 4 + 1))


def ranked(memories: Sequence[Memory], query: str, meanings: Mapping[str, float]) -> tuple[Memory, ...]:
    """Return the memories that a query is about, by words or by meaning, the most similar first."""
    wanted = comparable(query)
    by_words = {memory.id: match(wanted, comparable(memory.content)) for memory in memories}
    scores = {key: max(share, meanings.get(key, 0.0)) for key, share in by_words.items()}
    about = [memory for memory in memories if scores[memory.id] >= SIMILAR]
    return tuple(sorted(about, key=lambda memory: -scores[memory.id]))


def known_as(memories: Sequence[Memory], new: Memory, meanings: Mapping[str, float]) -> Memory | None:
    """Return the memory that says the same as a new one: of its kind, until the same day, in like words or meaning."""
    said = comparable(call_of(new).content)
    for memory in memories:
        if (memory.kind, memory.expires_on) != (new.kind, new.expires_on):
            continue
        known = comparable(call_of(memory).content)
        is_near = meanings.get(memory.id, 0.0) >= SAME_MEANING and tells_the_same(said, known)
        if is_near or same_fact(said, known):
            return memory
    return None


def meant(memories: Sequence[Memory], about: str, meanings: Mapping[str, float]) -> tuple[Memory, ...]:
    """Return the memories that somebody means: what their words name, else what is near in meaning."""
    wanted = comparable(about)
    held = {memory.id: comparable(memory.content) for memory in memories}
    by_words = {key: match(wanted, words) for key, words in held.items() if names_it(wanted, words)}
    scores = by_words or {key: similarity for key, similarity in meanings.items() if similarity >= SIMILAR}
    best = max(scores.values(), default=0.0)
    return tuple(memory for memory in memories if scores.get(memory.id, -1.0) > best - _NEARLY)
