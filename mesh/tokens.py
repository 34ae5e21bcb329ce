"""Tokens that say who calls and what they may do: JWTs signed with Ed25519 (RFC 7519, RFC 8037).

Its subject is a salted digest of the CPF. There are few CPFs, and trying all breaks it: a token is never logged.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mesh.keys import GRANTS, Scope, fingerprint
from mesh.matching import cpf_digits

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "EdDSA"

LONGEST_S = 3600
"""Seconds that a token may live at most, whoever signs it."""

_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a token for one agent and one person."""

    issuer: str
    audience: str  # one agent, such as "clinic_a"
    subject: str = field(repr=False)  # see `subject_of`
    salt: str = field(repr=False)
    role: str  # "patient" or "operator"
    scopes: frozenset[Scope]
    issued_at: int  # seconds since 1970, UTC
    expires_at: int

    def covers(self, cpf: str) -> bool:
        """Return whether the token may act for the person of a CPF: its own, or anybody with the scope records."""
        return Scope.RECORDS in self.scopes or hmac.compare_digest(self.subject, subject_of(cpf, self.salt))


def new_salt() -> str:
    """Return a random salt for a subject."""
    return secrets.token_hex(_SALT_BYTES)


def claims_for(cpf: str, *, issuer: str, audience: str, now: float, ttl_s: int, salt: str | None = None) -> Claims:
    """Return the claims of a new token with all that its issuer may grant; ValueError beyond `LONGEST_S`.

    Of the CPF only the digits count; tokens with the same `salt` have the same subject for a person.
    """
    if not 0 < ttl_s <= LONGEST_S:
        raise ValueError(f"a token lives 1 to {LONGEST_S} seconds")
    salt = salt or new_salt()
    grant = GRANTS[issuer]
    return Claims(issuer, audience, subject_of(cpf, salt), salt, grant.role, grant.scopes, int(now), int(now) + ttl_s)


def subject_of(cpf: str, salt: str) -> str:
    """Return SHA-256, in hexadecimal, of the salt's text followed by the CPF's digits."""
    return hashlib.sha256(f"{salt}{cpf_digits(cpf)}".encode()).hexdigest()


def cpf_of(subject: str, salt: str, cpfs: Iterable[str]) -> str | None:
    """Return which of some CPFs, in digits alone, a subject is made of; None where it is none of them."""
    salted = hashlib.sha256(salt.encode())
    for cpf in cpfs:
        digest = salted.copy()
        digest.update(cpf.encode())
        if digest.hexdigest() == subject:
            return cpf
    return None


def sign(private_key: Ed25519PrivateKey, claims: Claims) -> str:
    """Return the token: the claims in a JWT whose `kid` is the fingerprint of the key that checks it."""
    import jwt  # noqa: PLC0415 - 40 ms that only the first token costs

    payload = {
        "iss": claims.issuer,
        "aud": claims.audience,
        "sub": claims.subject,
        "salt": claims.salt,
        "role": claims.role,
        "scope": " ".join(sorted(claims.scopes)),
        "iat": claims.issued_at,
        "exp": claims.expires_at,
    }
    key_id = fingerprint(private_key.public_key().public_bytes_raw())
    return jwt.encode(payload, private_key, algorithm=ALGORITHM, headers={"kid": key_id})
