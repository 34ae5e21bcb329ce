"""What a person said before about when, with whom and where it suits, to be held against openings.

A reminder is a value: the planner reads it from a memory, the responder tells it. It hides nothing and forbids
nothing, it never travels to a clinic, and it is not stored: what is stored is the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, time

from orchestrator.turn.slot_filter import ANY_SLOT, SlotFilter


@dataclass(frozen=True, slots=True)
class SlotPreference:
    """One such sentence, and which openings it means.

    Attributes:
        said: The sentence as it is remembered.
        when: Days and times that it speaks of.
        doctors: Doctors that it speaks of, full names with title; empty means any.
        clinics: Ids of the clinics that it speaks of; empty means any.
        excludes: What it speaks of does not suit; otherwise only that suits.
        binding: Whether openings against it are marked; a preference is told only.
    """

    said: str = field(repr=False)
    when: SlotFilter = ANY_SLOT
    doctors: tuple[str, ...] = ()
    clinics: tuple[str, ...] = ()
    excludes: bool = False
    binding: bool = True

    def suits(self, clinic: str, doctor: str, day: date, at: time) -> bool:
        """Return whether an opening is as the person said."""
        spoken_of = (
            self.when.admits(day, at)
            and (not self.doctors or doctor in self.doctors)
            and (not self.clinics or clinic in self.clinics)
        )
        return spoken_of != self.excludes
