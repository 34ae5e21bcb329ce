"""Who the clinics are, as far as they have said.

The registry knows where a clinic is and its specialty; its name and doctors are its own to tell (GetClinic). This
module holds the values and the port; the adapter that asks over the mesh is `orchestrator.agents.mesh_directory`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Clinic:
    """A clinic of the registry.

    Attributes:
        id: The registry's id, such as "clinic_a".
        name: What people call it; the id until the clinic has answered once.
        specialty: The specialty's code, such as "Cardiology".
        doctors: Full names with title; empty until the clinic has answered once.
    """

    id: str
    name: str
    specialty: str
    doctors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a clinic says of itself.

    Attributes:
        name: What people call it.
        doctors: Full names with title.
    """

    name: str
    doctors: tuple[str, ...]


class Directory(Protocol):
    """Knows the clinics of the registry, in its order."""

    def clinics(self) -> tuple[Clinic, ...]:
        """Return every clinic of the registry; those that never answered have no doctors."""
        ...
