"""How many patients each specialty has for a population, and which of these counts may be published.

A cell below three that is not zero is withheld, as federated research does at each site (DataSHIELD's `nfilter.tab`).
A sum is published only if each of its parts could be, where the parts are the finest groups that a question can tell
apart: no table then reveals a small cell, alone or with others, across sessions and people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

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


Feasibility = Callable[[str, Language], FeasibilityTable]
"""Return how many patients of each specialty belong to a population, given in the person's words."""

FeasibilityOfTurn = Callable[[TurnScope], Feasibility]
"""Bind the counting to one turn."""


def published(parts: Iterable[int]) -> int | None:
    """Return the sum of some counts, or None if one is small; no question splits a group, no two share a patient."""
    counts = tuple(parts)
    return None if any(0 < count < SMALLEST for count in counts) else sum(counts)
