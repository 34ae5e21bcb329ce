"""Which memories are worth knowing, meant, or known already: rules over one person's memories, without a store.

All take cosine similarities by id, of those memories that have an embedding; without any they go by words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from orchestrator.memory.keeping.admission import statement_of
from orchestrator.memory.keeping.similarity import match, names_it, same_fact, tells_the_same, words_of
from orchestrator.turn import Memory, MemoryKind

MAX_RECALLED = 8
MAX_TOKENS = 600
"""Of all that is recalled for one turn, estimated at four characters a token: it may go into a prompt."""

SIMILAR = 0.5
"""From this cosine similarity, or share of words, something is about what was asked."""

SAME_MEANING = 0.92
"""From this cosine similarity, two memories with the same telling words say the same."""

_NEARLY = 0.05  # two that fit so alike are not told apart
_MARKS_OPENINGS = frozenset({MemoryKind.RESTRICTION, MemoryKind.AVAILABILITY})


def relevant(memories: Sequence[Memory], utterance: str, meanings: Mapping[str, float]) -> tuple[Memory, ...]:
    """Return what is worth knowing for an utterance, `MAX_RECALLED` at most and `MAX_TOKENS` in all.

    First what any opening must be held against, restrictions and availabilities, the last said first; then what is
    about the utterance, the most similar first; then the other preferences, the last said first. Facts about the
    person that have nothing to do with the utterance are left where they are.

    Args:
        memories: All that is remembered, what was saved last first.
        utterance: What was said.
        meanings: Cosine similarity by id, of those that have an embedding.
    """
    marking = [memory for memory in memories if memory.kind in _MARKS_OPENINGS]
    others = [memory for memory in memories if memory.kind not in _MARKS_OPENINGS]
    about = ranked(others, utterance, meanings)
    preferences = [memory for memory in others if memory.kind is MemoryKind.PREFERENCE and memory not in about]
    return tuple(_within_budget([*marking, *about, *preferences]))


def ranked(memories: Sequence[Memory], query: str, meanings: Mapping[str, float]) -> tuple[Memory, ...]:
    """Return those that a query is about, by words or by meaning, the most similar first."""
    wanted = words_of(query)
    scores = {
        memory.id: max(match(wanted, words_of(memory.content)), meanings.get(memory.id, 0.0)) for memory in memories
    }
    about = [memory for memory in memories if scores[memory.id] >= SIMILAR]
    return tuple(sorted(about, key=lambda memory: -scores[memory.id]))


def known_as(memories: Sequence[Memory], new: Memory, meanings: Mapping[str, float]) -> Memory | None:
    """Return what says the same as a new memory: of its kind, until the same day, in much the same words or meaning."""
    said = words_of(statement_of(new.content))
    for memory in memories:
        if (memory.kind, memory.expires_on) != (new.kind, new.expires_on):
            continue
        known = words_of(statement_of(memory.content))
        is_near = meanings.get(memory.id, 0.0) >= SAME_MEANING and tells_the_same(said, known)
        if is_near or same_fact(said, known):
            return memory
    return None


def meant(memories: Sequence[Memory], about: str, meanings: Mapping[str, float]) -> tuple[Memory, ...]:
    """Return what somebody means: what their words name, else what is near in meaning; several when all fit alike."""
    wanted = words_of(about)
    held = {memory.id: words_of(memory.content) for memory in memories}
    by_words = {key: match(wanted, words) for key, words in held.items() if names_it(wanted, words)}
    scores = by_words or {key: similarity for key, similarity in meanings.items() if similarity >= SIMILAR}
    best = max(scores.values(), default=0.0)
    return tuple(memory for memory in memories if scores.get(memory.id, -1.0) > best - _NEARLY)


def _within_budget(memories: Sequence[Memory]) -> Iterator[Memory]:
    left = MAX_TOKENS
    for memory in memories[:MAX_RECALLED]:
        left -= len(memory.content) // 4 + 1
        if left < 0:
            return
        yield memory
