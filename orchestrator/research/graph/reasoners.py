"""How the agents of a turn understand, judge and ask; `model_agents` puts a language model around the rules."""

from collections.abc import Callable

from orchestrator.research.graph.state import HypothesisVersion, Improvement
from orchestrator.research.rules import Element, Elements, answered, read, settled, topic
from orchestrator.stages import TurnScope
from orchestrator.texts import texts_in
from orchestrator.turn import Language


class Reasoners:
    """What the agents reason with, by rules alone."""

    def read(self, text: str, known: Elements, language: Language) -> Elements:
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

    def lacks(
        self,
        question: str,  # noqa: ARG002 - the agents find by rules what they find
        found: tuple[Improvement, ...],  # noqa: ARG002 - as above
        language: Language,  # noqa: ARG002 - as above
    ) -> tuple[Improvement, ...]:
        """Return what a question lacks besides what the rules have found."""
        return ()

    def provoke(self, version: HypothesisVersion, language: Language) -> str:
        """Return a question that makes a person think, about the first gap of a version that has one."""
        first = version.feedback.improvements[0]
        texts = texts_in(language)
        missing = (element for element in Element if texts.text(f"research.gaps.{element}.gap") == first.gap)
        return next((texts.text(f"research.gaps.{element}.reflection") for element in missing), first.suggestion)


ReasonersOfTurn = Callable[[TurnScope], Reasoners]
"""Bind reasoners to a turn."""
