"""Sign who is calling: a token for each clinic and person, kept until shortly before it expires.

A person has one subject at a clinic through a run, so that the clinic can count by it, and another one elsewhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from mesh.tokens import claims_for, new_salt, sign
from orchestrator.security.token_keys import KeyFolder
from orchestrator.turn import Identity, Role

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TTL_S = 60  # seconds that a token of the orchestrator's own calls lives

_RENEWED_S = 15  # before its expiry a token is not used any more: a call and its repeats end before


@dataclass(frozen=True, slots=True)
class _Signed:
    token: str
    expires_at: int


class Credentials:
    """Tokens for the calls of one run; `clock` is real time in seconds since 1970, never the appointments' clock."""

    def __init__(self, keys: KeyFolder, clock: Callable[[], float] = time.time) -> None:
        self._keys = keys
        self._clock = clock
        self._lock = threading.Lock()
        self._private: dict[str, Ed25519PrivateKey] = {}
        self._signed: Mapping[tuple[Identity, Role, str], _Signed] = {}
        self._salts: dict[tuple[Identity, str], str] = {}

    def token(self, identity: Identity, role: Role, clinic: str) -> str:
        """Return a clinic's token for at least `_RENEWED_S` seconds; raise CredentialError for a bad key."""
        with self._lock:
            now = self._clock()
            held = self._signed.get((identity, role, clinic))
            # One that outlives a new one was signed before the clock was set back: at a clinic it does not hold yet.
            if held is None or not _RENEWED_S <= held.expires_at - now <= TTL_S:
                held = self._sign(identity, role, clinic, now)
                still_good = {at: other for at, other in self._signed.items() if other.expires_at > now}
                self._signed = still_good | {(identity, role, clinic): held}
            return held.token

    def forget(self) -> None:
        """Forget everybody that a token was signed for; who speaks again has another subject."""
        with self._lock:
            self._signed = {}
            self._salts.clear()

    def _sign(self, identity: Identity, role: Role, clinic: str, now: float) -> _Signed:
        issuer = issuer_of(role)
        if issuer not in self._private:
            self._private[issuer] = self._keys.private_key(issuer)
        salt = self._salts.setdefault((identity, clinic), new_salt())
        claims = claims_for(identity.cpf, issuer=issuer, audience=clinic, now=now, ttl_s=TTL_S, salt=salt)
        return _Signed(sign(self._private[issuer], claims), claims.expires_at)


def issuer_of(role: Role) -> str:
    """Return whose key signs for a role."""
    match role:
        case Role.PATIENT:
            return "orchestrator"
        case Role.OPERATOR:
            return "operator"
        case _:
            assert_never(role)
