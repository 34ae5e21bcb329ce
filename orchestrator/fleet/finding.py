"""Who can be found at a clinic's address: nobody, a clinic, or something else.

Values only.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vacant:
    """Nobody listens at the address."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody listens, but does not answer as a clinic within the time."""


@dataclass(frozen=True, slots=True)
class Present:
    """A clinic answers.

    Attributes:
        clinic: The id it says it has.
        name: What people call it.
        agenda: "rolling" or "blueprint".
        today: Its date, YYYY-MM-DD.
        doctors: Full names with title.
        is_serving: Whether its health check says that it takes calls.
        token_keys: Fingerprints of the keys whose tokens it accepts; none where it asks for no token.
    """

    clinic: str
    name: str
    agenda: str
    today: str
    doctors: tuple[str, ...]
    is_serving: bool
    token_keys: frozenset[str] = frozenset()


Finding = Vacant | Stranger | Present
