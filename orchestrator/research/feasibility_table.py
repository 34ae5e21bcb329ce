"""How many patients each specialty could offer for a population, as counts and nothing else.

Nothing here counts or suppresses; a table holds only what may be published.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """What the clinics of one specialty can offer.

    Attributes:
        specialty: Its code in the registry, such as "Cardiology".
        clinics: How many clinics of it were asked.
        answered: How many of them answered.
        patients: How many patients match in those that answered; None: suppressed, because the cell is small or would
            tell a small one.
    """

    specialty: str
    clinics: int
    answered: int
    patients: int | None


@dataclass(frozen=True, slots=True)
class FeasibilityTable:
    """The counts for one population.

    Attributes:
        conditions: The conditions that were counted, by their codes; empty: the text names none that is known, and
            there are no counts.
        unchecked: Criteria of the population that no clinic can be asked for here: age, sex, time and such, by codes.
        counts: One entry a specialty, in the registry's order.
        total: All patients together; None: suppressed.
        asked: How many clinics were asked.
        answered: How many answered.
    """

    conditions: tuple[str, ...]
    unchecked: tuple[str, ...]
    counts: tuple[Count, ...]
    total: int | None
    asked: int
    answered: int
