"""What a token may allow, and whose signature may allow it: the orchestrator's key speaks for patients only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a token allows."""

    READ = "read"
    WRITE = "write"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class Grant:
    """What an issuer's tokens may say: on whose behalf they speak, and what they may allow at most."""

    role: str
    scopes: frozenset[Scope]


GRANTS: Mapping[str, Grant] = {
    "orchestrator": Grant("patient", frozenset({Scope.READ, Scope.WRITE})),
    "operator": Grant("operator", frozenset(Scope)),
}
"""Every issuer there is, by name: the name of its key's file and the `iss` of its tokens."""
