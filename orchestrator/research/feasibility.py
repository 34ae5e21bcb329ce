"""How many patients each specialty has for a population, and which of these counts may be published.

The small-cell rule is the one that federated research applies at each site: a cell below three that is not zero is
withheld (DataSHIELD's `nfilter.tab`, "minimum non-zero cell count", 3 by default). A zero identifies nobody.

Withholding the cell alone is not enough when a sum that contains it is published: the other parts reveal it, within one
table or across two. So a sum is published only if each of its parts could be, where the parts are the finest groups
that a question can tell apart. Every table is then the same whether a small cell holds one patient or two, whatever is
asked and whichever clinics answer. No earlier question has to be remembered, so the rule also holds across sessions and
among people who compare their tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from orchestrator.stages import TurnScope
from orchestrator.turn import Language

SMALLEST = 3
"""The smallest number of patients, other than none, that may be published."""


@dataclass(frozen=True, slots=True)
class Count:
    """The count of one specialty."""

    specialty: str  # its code in the registry, such as "Cardiology"
    clinics: int  # how many of its clinics were asked
    answered: int  # how many of them answered
    patients: int | None  # how many patients match in the clinics that answered; None: withheld


@dataclass(frozen=True, slots=True)
class FeasibilityTable:
    """The counts for one population; everything in it may be published."""

    # Codes of the conditions that were counted; empty: the text names none that is known, so nothing was counted
    conditions: tuple[str, ...]
    unchecked: tuple[str, ...]  # codes of the criteria that no clinic can be asked for: age, sex, time and others
    counts: tuple[Count, ...]  # one entry for each specialty, in the registry's order
    total: int | None  # all patients together; None: withheld
    asked: int
    answered: int


class Feasibility(Protocol):
    """Counts patients over the clinics."""

    def counts(self, population: str, language: Language) -> FeasibilityTable:
        """Return how many patients of each specialty belong to a population, given in the person's words."""
        ...


FeasibilityOfTurn = Callable[[TurnScope], Feasibility]
"""Binds the counting to one turn."""


def published(parts: Iterable[int]) -> int | None:
    """Return the sum of some counts, or None if one of them is small.

    Args:
        parts: The number of patients in each group. No question can split a group, and no two groups share a patient.
    """
    counts = tuple(parts)
    return None if any(0 < count < SMALLEST for count in counts) else sum(counts)
