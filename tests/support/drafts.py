"""Answers as models write them: good ones, and ones that lie; the sentences are in tests/sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.support.draft_turns import EN, TURNS
from tests.support.model_drafts import Turn
from tests.support.sentences import sections

_GOOD_PT, _GOOD_EN = "Estes são os horários que encontrei para você:", "These are the openings that I found for you:"
_ASK_PT, _ASK_EN = "Qual deles você prefere?", "Which one would you like?"


@dataclass(frozen=True)
class Lies:
    """Sentences that must not be shown, and the turn in which a model says them."""

    kind: str
    turn: Turn
    sentences: tuple[str, ...]

    def drafts(self) -> Iterator[str]:
        """Yield each lie in answers that are else as they should be: before the parts and after them."""
        good, ask = (_GOOD_EN, _ASK_EN) if self.turn.plan.language is EN else (_GOOD_PT, _ASK_PT)
        parts = self.turn.parts
        is_list = "{slots}" in parts
        for lie in self.sentences:
            yield "\n\n".join((good if is_list else "", parts, lie))
            yield "\n\n".join((lie, parts, ask if is_list else ""))


def all_lies() -> Iterator[Lies]:
    """Yield the lies of every kind and turn."""
    for heading, sentences in sections("hostile.txt"):
        kind, _, turn = heading.rpartition(": ")
        yield Lies(kind, TURNS[turn], sentences)


def incomplete_drafts() -> Iterator[tuple[Turn, str]]:
    """Yield answers that leave out a part."""
    for turn, texts in sections("incomplete.txt"):
        yield from ((TURNS[turn], text) for text in texts)


def composed_drafts() -> Iterator[tuple[Turn, str]]:
    """Yield good answers, made of every opening, body and closing of a turn."""
    parts: dict[str, dict[str, tuple[str, ...]]] = {}
    for heading, sentences in sections("clean_composed.txt"):
        turn, _, part = heading.rpartition(" ")
        parts.setdefault(turn, {})[part] = sentences
    for turn, its in parts.items():
        for pieces in product(its["opening"], its["body"], its["closing"]):
            yield TURNS[turn], "\n\n".join(piece for piece in pieces if piece)


def good_drafts() -> Iterator[tuple[Turn, str]]:
    """Yield good answers in many hands: a sentence before the parts of its turn."""
    for turn, sentences in sections("clean.txt"):
        parts = TURNS[turn].parts
        yield from ((TURNS[turn], f"{sentence}\n\n{parts}") for sentence in sentences)
