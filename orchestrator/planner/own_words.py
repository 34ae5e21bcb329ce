"""Finds what people said of themselves in an utterance when a language model says that they did.

A model may word a statement as it likes, and may make one up; so nothing that it words is kept. It points, and the
person's own clauses are quoted, word for word, or nothing is. Whether they are worth keeping is for `memory` to say;
what the grammar reads as a statement by itself does not come through here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from orchestrator.planner.lexicon.tables import rows
from orchestrator.planner.normalise import Text, normalise, words_of
from orchestrator.planner.phrases import table

MIN_SHARE = 0.6
"""How many of the content words that a model uses must be the person's: a paraphrase passes, an addition does not."""

_SENTENCE_END = re.compile(r"(?<!\bdr)(?<!\bdra)[.!?;]+(?=\s|$)")
_PREFIX = 4
"""Letters that two forms of a word share ("trabalho", "trabalha"); of shorter words all but the last."""

_FEWEST_LETTERS = 3
"""Shorter words are function words, whatever they say."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A stretch of the folded text.

    Attributes:
        start: Where it begins.
        end: Where it ends (exclusive).
        sentence: The number of its sentence.
        shares: Those of the wanted words that it holds.
        goes_on: It may belong to the clause before: it speaks of the speaker, too, or says why.
    """

    start: int
    end: int
    sentence: int
    shares: frozenset[str]
    goes_on: bool


def own_words(content: str, text: Text) -> str | None:
    """Return the person's own words for what a model says that they said.

    Args:
        content: The statement in a model's words.
        text: What the person typed.

    Returns:
        One or more neighbouring clauses, as typed; None where fewer than `MIN_SHARE` of the statement's content words
        or not all its numbers are in them, or where they ask, wish, suppose, speak of one day or of somebody else.
    """
    wanted = frozenset(_content_words(normalise(content).folded))
    run = _best_run(list(_clauses(text.folded, wanted)), wanted)
    if run is None:
        return None
    start, end = run[0].start, run[-1].end
    if _is_asked_or_reported(text.folded, end):
        return None
    start += _lead(text.folded[start:end])
    return _as_typed(text, start, end) if _is_about_the_speaker(text.folded[start:end]) else None


def speaks_of_memory(text: Text) -> bool:
    """Return whether an utterance asks after what is remembered."""
    return table("own_words", "speaks_of_memory").search(text.folded) is not None


def say_much_the_same(one: str, other: str) -> bool:
    """Return whether most content words of either statement are the other's, too."""
    first, second = ({*_content_words(normalise(text).folded)} for text in (one, other))
    fewer, more = sorted((first, second), key=len)
    return sum(_is_among(word, list(more)) for word in fewer) >= MIN_SHARE * len(fewer)


def _clauses(folded: str, wanted: frozenset[str]) -> Iterator[_Clause]:
    ends = [(match.start(), match.end()) for match in _SENTENCE_END.finditer(folded)]
    starts = (0, *(after for _, after in ends))
    for number, (start, end) in enumerate(zip(starts, (*(before for before, _ in ends), len(folded)), strict=True)):
        cuts = [match.start() for match in _clause_starts().finditer(folded, start, end)]
        for first, last in zip((start, *cuts), (*cuts, end), strict=True):
            clause = folded[first:last]
            spoken = list(_content_words(clause))
            shares = frozenset(word for word in wanted if _is_among(word, spoken))
            goes_on = any(table("own_words", section).search(clause) for section in ("first_person", "reason"))
            yield _Clause(first, last, number, shares, goes_on)


@cache
def _clause_starts() -> re.Pattern[str]:
    """Signs and conjunctions that begin a clause; "e" only before what has a subject or a wish of its own."""
    speaking = "|".join(table("own_words", section).pattern for section in ("first_person", "requests"))
    return re.compile(
        r"[,:()\"]|\s-\s|\b(?:mas|porem|entao|porque|pois|ja que|por isso|but|because|since|so that)\b"
        rf"|\b(?:e|and)\b(?= (?:(?:nao|so|tambem|also|ja) )*(?:{speaking}))"
    )


def _best_run(clauses: Sequence[_Clause], wanted: frozenset[str]) -> list[_Clause] | None:
    """Return the neighbouring clauses of one sentence that say most of what is wanted; None where none say enough."""
    runs: list[list[_Clause]] = []
    before: _Clause | None = None
    for clause in clauses:
        if clause.shares:
            is_next = before is not None and before.shares and before.sentence == clause.sentence
            if is_next and clause.goes_on:
                runs[-1].append(clause)
            else:
                runs.append([clause])
        before = clause
    best = max(runs, key=lambda run: len(_shares(run)), default=None)
    if best is None:
        return None
    said = _shares(best)
    numbers = {word for word in wanted if word.isdigit()}
    return best if len(said) >= MIN_SHARE * len(wanted) and numbers <= said else None


def _shares(run: Sequence[_Clause]) -> frozenset[str]:
    return frozenset().union(*(clause.shares for clause in run))


@cache
def _small_words() -> frozenset[str]:
    """Words that carry no fact of their own, or that a report has in any case."""
    return frozenset(word for row in rows("own_words", "small") for word in row.split())


def _content_words(folded: str) -> Iterator[str]:
    for word in words_of(folded):
        if word.text.isdigit() or (len(word.text) >= _FEWEST_LETTERS and word.text not in _small_words()):
            yield word.text


def _is_among(word: str, spoken: Sequence[str]) -> bool:
    return word in spoken or (not word.isdigit() and any(_are_forms_of_one(word, other) for other in spoken))


def _are_forms_of_one(word: str, other: str) -> bool:
    shared = min(_PREFIX, min(len(word), len(other)) - 1)
    return shared >= _FEWEST_LETTERS and word[:shared] == other[:shared]


def _is_asked_or_reported(folded: str, end: int) -> bool:
    """Whether the sentence that goes on at a place asks, quotes or says what somebody else said."""
    start = max((match.end() for match in _SENTENCE_END.finditer(folded, 0, end)), default=0)
    closing = _SENTENCE_END.search(folded, end)
    sentence = folded[start : closing.end() if closing else len(folded)]
    return "?" in sentence or '"' in sentence or table("own_words", "reported").search(sentence) is not None


def _lead(clause: str) -> int:
    """Return how much of a clause only leads up to what it states."""
    lead, at = table("own_words", "lead"), 0
    while True:
        at += len(clause[at:]) - len(clause[at:].lstrip(' ,:()-"'))
        match = lead.match(clause, at)
        if match is None:
            return at
        at = match.end()


def _is_about_the_speaker(statement: str) -> bool:
    speaker = table("own_words", "first_person").search(statement)
    if speaker is None:
        return False
    if any(table("own_words", section).search(statement) for section in ("requests", "passing", "others_do")):
        return False
    somebody = table("own_words", "others").search(statement)
    return somebody is None or speaker.start() < somebody.start()


def _as_typed(text: Text, start: int, end: int) -> str:
    """Return a stretch of the folded text as it was typed, on one line."""
    first, last = text.original_span(start, end)
    visible = (sign for sign in text.original[first:last] if unicodedata.category(sign) != "Cf")
    plain = "".join(sign if sign.isprintable() else " " for sign in visible)
    return " ".join(plain.split()).strip(" .,;:!()-–—")
