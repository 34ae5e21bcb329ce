"""The port by which agents understand a person's words, and the reader that needs no model."""

from __future__ import annotations

from typing import Protocol

from orchestrator.research.rules import Elements, answered, read, settled, topic
from orchestrator.turn import Language


class ObservationReader(Protocol):
    """Understands what a person wrote."""

    def elements(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it; the same when it adds nothing.

        Args:
            text: The person's words, without what identifies anybody.
            known: Of the last version; before there is one, what earlier words told.
            language: Of the session.
        """
        ...


class RuleReader:
    """The `Reader` by written-down rules."""

    def elements(self, text: str, known: Elements, language: Language) -> Elements:
        """Return what is known with what a text adds to it."""
        if known.can_be_asked:
            return answered(known, text, language)
        found = read(text, language)
        if not found.can_be_asked and known.population:
            found = topic(text, language)
        if not found.can_be_asked:
            return found.completed_by(known)
        together = settled(found.completed_by(known), language)
        return together if together.present else found
