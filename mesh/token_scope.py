"""What a token may allow, and whose signature may allow it.

Which scope a tool takes follows from the contract, in `mesh.authorisation`. Which key signs decides how much: the
orchestrator's speaks for patients only, so that whoever runs a terminal cannot make themselves an operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a token allows."""

    READ = "read"
    WRITE = "write"
    RECORDS = "records"

    # Asked at every call; Enum's own is written in Python.
    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class Grant:
    """What an issuer's tokens may say.

    Attributes:
        role: On whose behalf they speak.
        scopes: What they may allow at most.
    """

    role: str
    scopes: frozenset[Scope]


GRANTS: Mapping[str, Grant] = {
    "orchestrator": Grant("patient", frozenset({Scope.READ, Scope.WRITE})),
    "operator": Grant("operator", frozenset(Scope)),
}
"""Every issuer there is, by name: the name of its key's file and the `iss` of its tokens."""
