"""Who the clinics are, as far as they have said, and the port that asks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Clinic:
    """A clinic of the registry."""

    id: str  # the registry's id, such as "clinic_a"
    name: str  # what people call it; the id until the clinic has answered once, and with it where names coincide
    specialty: str  # the specialty's code, such as "Cardiology"
    doctors: tuple[str, ...] = ()  # full names with title; empty until the clinic has answered once


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a clinic says of itself."""

    name: str  # what people call it
    doctors: Mapping[str, str]  # the specialty in Portuguese of each doctor, by the full name with title


class Directory(Protocol):
    """The directory: the clinics of the registry, in its order."""

    def clinics(self) -> tuple[Clinic, ...]:
        """Return every clinic of the registry; those that never answered have no doctors."""
