"""What the research desk needs from outside."""

from __future__ import annotations

from typing import Protocol

from orchestrator.language import Language
from orchestrator.research.feasibility_table import FeasibilityTable


class Feasibility(Protocol):
    """Counts patients over the clinics."""

    def counts(self, population: str, language: Language) -> FeasibilityTable:
        """Return how many patients of each specialty belong to a population.

        Args:
            population: Whom a question is about, in the person's words.
            language: The language of those words.
        """
        ...
