"""How the agents understand, judge and ask: by rules, or with a language model around the rules."""

from collections.abc import Callable
from dataclasses import dataclass

from orchestrator.research.graph.state import HypothesisVersion, Improvement
from orchestrator.research.rules import Element, Elements, answered, read, settled, topic
from orchestrator.stages import TurnScope
from orchestrator.texts import texts_in
from orchestrator.turn import Language

ObservationReader = Callable[[str, Elements, Language], Elements]
"""Return what is known with what a text adds to it; the same when it adds nothing."""

SecondOpinion = Callable[[str, tuple[Improvement, ...], Language], tuple[Improvement, ...]]
"""Return what a question lacks besides what the rules have found."""

Provocation = Callable[[HypothesisVersion, Language], str]
"""Return a question that makes a person think, about the first gap of a version that has one."""


def read_by_rules(text: str, known: Elements, language: Language) -> Elements:
    """Read a text as an `ObservationReader` that needs no model."""
    if known.can_be_asked:
        return answered(known, text, language)
    found = read(text, language)
    if not found.can_be_asked and known.population:
        found = topic(text, language)
    if not found.can_be_asked:
        return found.completed_by(known)
    together = settled(found.completed_by(known), language)
    return together if together.present else found


def provoke_by_rules(version: HypothesisVersion, language: Language) -> str:
    """Return the question of the texts about the first gap: a `Provocation` that needs no model."""
    first = version.feedback.improvements[0]
    texts = texts_in(language)
    missing = (element for element in Element if texts.text(f"research.gaps.{element}.gap") == first.gap)
    return next((texts.text(f"research.gaps.{element}.reflection") for element in missing), first.suggestion)


@dataclass(frozen=True, slots=True)
class Reasoners:
    """What the agents of one turn reason with; the defaults need no model."""

    reader: ObservationReader = read_by_rules  # understands the person's words
    opinion: SecondOpinion = lambda _question, _found, _language: ()  # examines a question in addition to the rules
    provocation: Provocation = provoke_by_rules  # words the questions to think about


ReasonersOfTurn = Callable[[TurnScope], Reasoners]
"""Bind reasoners to a turn."""


def rules_only(_: TurnScope) -> Reasoners:
    """Return reasoners that need no model."""
    return Reasoners()
