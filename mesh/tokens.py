"""Tokens that say who calls and what they may do, and their check: JWTs signed with Ed25519 (RFC 7519, RFC 8037).

Its subject is a salted digest of the CPF. There are few CPFs, and trying all breaks it: a token is never logged.
"""

import hashlib
import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mesh.errors import DomainError
from mesh.keys import GRANTS, PublicKey, Scope
from mesh.text_folding import cpf_digits

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "EdDSA"

LONGEST_S = 3600  # seconds that a token may live at most, whoever signs it
LEEWAY_S = 5  # seconds by which the clocks of two nodes may differ
REMEMBERED = 1024  # tokens that a verifier remembers; a session has one for each agent
_NO_TOKEN = "this is not a token that an issuer of this mesh signed"  # noqa: S105 - what is said of one
_LONGEST_TOKEN = 2048
_REQUIRED = ["iss", "aud", "sub", "salt", "role", "scope", "iat", "exp"]
_SUBJECT = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[0-9a-f]{32,64}")

_SALT_BYTES = 16

PublicKeys = Sequence[PublicKey] | Callable[[], Sequence[PublicKey]]  # or what returns those that hold now


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


def sign(private_key: "Ed25519PrivateKey", claims: Claims) -> str:
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
    key = PublicKey(claims.issuer, private_key.public_key().public_bytes_raw())
    return jwt.encode(payload, private_key, algorithm=ALGORITHM, headers={"kid": key.fingerprint})


class TokenCheck:
    """A check of the tokens that are sent to one agent: key, agent, time, and no more than the issuer may grant.

    Times are the machine's own. A token that passed is remembered until it expires: a session sends it again and again.
    """

    def __init__(self, keys: PublicKeys, audience: str, advice: str, clock: Callable[[], float] = time.time) -> None:
        self.audience = audience
        self._read = keys if callable(keys) else lambda: keys
        self._advice = advice
        self._clock = clock
        self._lock = threading.Lock()
        # The keys, and the tokens that were verified by them.
        self._accepted: tuple[Sequence[PublicKey], dict[str, Claims]] = (self._read(), {})

    def _remembered(self) -> dict[str, Claims]:
        keys, good = self._accepted
        if (now := self._read()) is not keys:
            good = {}
            self._accepted = now, good
        return good

    def known(self, token: str) -> Claims | None:
        """Return the claims of a token that was verified before and still holds; None for any other."""
        claims = self._remembered().get(token)
        return None if claims is None or self._time_fault(claims) else claims

    def verify(self, token: str | None) -> Claims:
        """Return the claims of a token, or raise UNAUTHENTICATED."""
        if token is None:
            raise self._refusal("this call brings no token")
        good = self._remembered()  # without the lock: every call comes by here, and a look into a dict is whole
        known = good.get(token)
        claims = known or self._checked(token)
        if fault := self._time_fault(claims):
            raise self._refusal(fault)
        if known is None:
            with self._lock:
                good[token] = claims
                if len(good) > REMEMBERED:
                    # The first that came: it is also the nearest to its end.
                    del good[next(iter(good))]
        return claims

    def _time_fault(self, claims: Claims) -> str:
        now = self._clock()
        if now >= claims.expires_at + LEEWAY_S:
            return "this token has expired"
        if now < claims.issued_at - LEEWAY_S:
            return "this token does not hold yet; do the clocks of both machines agree?"
        return ""

    def _checked(self, token: str) -> Claims:
        # Loaded at the first token: a node must start quickly.
        import jwt  # noqa: PLC0415 - the comment above
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - as above

        if len(token) > _LONGEST_TOKEN:
            raise self._refusal(_NO_TOKEN)
        try:
            named = jwt.get_unverified_header(token).get("kid")
            key = next((key for key in self._accepted[0] if key.fingerprint == named), None)
            if key is None:
                raise self._refusal("this token is signed with a key that is not known here")
            payload = jwt.decode(
                token,
                Ed25519PublicKey.from_public_bytes(key.raw),
                algorithms=[ALGORITHM],
                issuer=key.issuer,
                audience=self.audience,
                # Times are checked here, by this verifier's clock and for remembered tokens too.
                options={
                    "require": _REQUIRED,
                    "strict_aud": True,
                    "verify_exp": False,
                    "verify_iat": False,
                    "verify_nbf": False,
                },
            )
            return _claims(payload)
        except jwt.InvalidAudienceError:
            raise self._refusal("this token is for another agent") from None
        except (jwt.PyJWTError, ValueError):
            raise self._refusal(_NO_TOKEN) from None  # what the library says may repeat what is in the token

    def _refusal(self, problem: str) -> DomainError:
        return DomainError("UNAUTHENTICATED", f"{problem}; {self._advice}", metadata={"agent": self.audience})


def _claims(payload: Mapping[str, Any]) -> Claims:
    texts = [payload[name] for name in ("iss", "aud", "sub", "salt", "role", "scope")]
    times = [payload[name] for name in ("iat", "exp")]
    if not all(type(text) is str for text in texts) or not all(type(instant) is int for instant in times):
        raise ValueError
    issuer, audience, subject, salt, role, scope = texts
    issued_at, expires_at = times
    scopes = frozenset(map(Scope, scope.split()))
    grant = GRANTS[issuer]
    if not (
        _SUBJECT.fullmatch(subject)
        and _SALT.fullmatch(salt)
        and role == grant.role
        and scopes <= grant.scopes
        and 0 < expires_at - issued_at <= LONGEST_S
        and "nbf" not in payload
    ):
        raise ValueError
    return Claims(issuer, audience, subject, salt, role, scopes, issued_at, expires_at)
