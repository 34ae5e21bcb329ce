"""Tokens that say who calls and what they may do: JWTs signed with Ed25519 (RFC 7519, RFC 8037).

A token is made for one agent and one person, and lives for minutes. It holds no CPF: its subject is a digest of a salt
in the token and the CPF's digits. There are few CPFs, so the digest hides one from a glance and not from whoever tries
them all: a token is a secret and is never logged.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mesh.keys import fingerprint
from mesh.token_scope import GRANTS, Scope

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "EdDSA"

LONGEST_S = 3600
"""Seconds that a token may live at most, whoever signs it."""

_SALT_BYTES = 16
_NO_DIGITS = re.compile("[^0-9]+")


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a token.

    Attributes:
        issuer: Who signs it (`iss`); a name of `GRANTS`.
        audience: The one agent that it is for (`aud`), such as "clinic_a".
        subject: Whom it speaks for (`sub`); see `subject_of`.
        salt: The salt of the subject, in hexadecimal.
        role: On whose behalf the person speaks, "patient" or "operator".
        scopes: What it allows (`scope`, separated by spaces).
        issued_at: When it begins (`iat`), in seconds since 1970, UTC.
        expires_at: When it ends (`exp`).
    """

    issuer: str
    audience: str
    subject: str = field(repr=False)
    salt: str = field(repr=False)
    role: str
    scopes: frozenset[Scope]
    issued_at: int
    expires_at: int

    def covers(self, cpf: str) -> bool:
        """Return whether the token may act for the person of a CPF: its own, or anybody with the scope records."""
        return Scope.RECORDS in self.scopes or hmac.compare_digest(self.subject, subject_of(cpf, self.salt))


def new_salt() -> str:
    """Return a random salt for a subject."""
    return secrets.token_hex(_SALT_BYTES)


def claims_for(cpf: str, *, issuer: str, audience: str, now: float, ttl_s: int, salt: str | None = None) -> Claims:
    """Return the claims of a new token with all that its issuer may grant.

    Args:
        cpf: Whom it speaks for; only the digits count.
        issuer: Who will sign it.
        audience: The agent that it is for.
        now: Seconds since 1970, UTC.
        ttl_s: Seconds that it is valid.
        salt: Of `new_salt`; tokens with the same one have the same subject for a person. None for a new one.

    Raises:
        ValueError: It would live longer than `LONGEST_S`, or not at all.
    """
    if not 0 < ttl_s <= LONGEST_S:
        raise ValueError(f"a token lives 1 to {LONGEST_S} seconds")
    salt = salt or new_salt()
    grant = GRANTS[issuer]
    return Claims(
        issuer=issuer,
        audience=audience,
        subject=subject_of(cpf, salt),
        salt=salt,
        role=grant.role,
        scopes=grant.scopes,
        issued_at=int(now),
        expires_at=int(now) + ttl_s,
    )


def subject_of(cpf: str, salt: str) -> str:
    """Return SHA-256, in hexadecimal, of the salt's text followed by the CPF's digits."""
    return hashlib.sha256(f"{salt}{_NO_DIGITS.sub('', cpf)}".encode()).hexdigest()


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
