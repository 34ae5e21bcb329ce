"""What the verifier says of data or of a text (blueprint 2.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """The rules that a reply is held to."""

    R1 = "R1"  # no dosage or treatment that the clinics' data does not hold
    R2 = "R2"  # no personal data of anyone but the person who speaks
    R3 = "R3"  # no diagnosis, no medical advice
    R4 = "R4"  # no claim of a write without this turn's receipt, nothing that matches left out
    AUDIT = "AUDIT"  # a model's audit that names no rule, or that cannot be read


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something may be shown.

    Attributes:
        rule: The rule that was broken; None when it is safe.
        note: "OK", or what was found, in English and without repeating it.
    """

    rule: Rule | None = None
    note: str = "OK"

    @property
    def safe(self) -> bool:
        """Whether it may be shown."""
        return self.rule is None


SAFE = Verdict()
