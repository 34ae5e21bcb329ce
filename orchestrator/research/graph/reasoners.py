"""How the agents understand, judge and ask: by rules, or with a language model around the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from orchestrator.research.graph.state import HypothesisVersion, Improvement
from orchestrator.research.rules import Element, Elements, answered, read, settled, topic
from orchestrator.stages import TurnScope
from orchestrator.texts import texts_in
from orchestrator.turn import Language


class ObservationReader(Protocol):
    """Understand what a person wrote."""

    def elements(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it; the same when it adds nothing."""


class SecondOpinion(Protocol):
    """Examine a question in addition to the rules."""

    def improvements(
        self, question: str, found: tuple[Improvement, ...], language: Language
    ) -> tuple[Improvement, ...]:
        """Return what a question lacks besides what the rules have found."""


class Provocation(Protocol):
    """Word a question that makes a person think."""

    def prompt(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question about the first gap of a version that has one."""


class RuleReader:
    """The `ObservationReader` by rules."""

    def elements(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it; the same when it adds nothing."""
        if known.can_be_asked:
            return answered(known, text, language)
        found = read(text, language)
        if not found.can_be_asked and known.population:
            found = topic(text, language)
        if not found.can_be_asked:
            return found.completed_by(known)
        together = settled(found.completed_by(known), language)
        return together if together.present else found


class NoSecondOpinion:
    """The `SecondOpinion` without a model: none."""

    def improvements(
        self,
        question: str,  # noqa: ARG002 - required by the port
        found: tuple[Improvement, ...],  # noqa: ARG002 - as above
        language: Language,  # noqa: ARG002 - as above
    ) -> tuple[Improvement, ...]:
        """Return nothing."""
        return ()


class RuleProvocation:
    """The `Provocation` from the texts."""

    def prompt(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question about the first gap."""
        first = version.feedback.improvements[0]
        texts = texts_in(language)
        missing = (element for element in Element if texts.text(f"research.gaps.{element}.gap") == first.gap)
        return next((texts.text(f"research.gaps.{element}.reflection") for element in missing), first.suggestion)


@dataclass(frozen=True, slots=True)
class Reasoners:
    """What the agents of one turn reason with; the defaults need no model."""

    reader: ObservationReader = field(default_factory=RuleReader)  # understands the person's words
    opinion: SecondOpinion = field(default_factory=NoSecondOpinion)  # examines a question in addition to the rules
    provocation: Provocation = field(default_factory=RuleProvocation)  # words the questions to think about


ReasonersOfTurn = Callable[[TurnScope], Reasoners]
"""Bind reasoners to a turn."""


def rules_only(_: TurnScope) -> Reasoners:
    """Return reasoners that need no model."""
    return Reasoners()
