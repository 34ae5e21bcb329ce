"""Tokens that say who calls and what they may do, and their check: JWTs signed with Ed25519 (RFC 7519, RFC 8037).

Its subject is a salted digest of the CPF. There are few CPFs, and trying all breaks it: a token is never logged. Public
keys are read without cryptography, which loads slowly: DER is twelve fixed bytes and the key (RFC 8410, section 4).
"""

import base64
import hashlib
import hmac
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mesh.errors import DomainError
from mesh.text_folding import cpf_digits

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

OPERATOR = "operator"  # the role of those who serve patients and keep agendas
_PEM = re.compile(r"\s*-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*")
_PREFIX = bytes.fromhex("302a300506032b6570032100")
_KEY_BYTES = 32

Scope = StrEnum("Scope", "READ WRITE RECORDS")  # what a token allows

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


@dataclass(frozen=True, slots=True)
class Grant:
    """What an issuer's tokens may say: on whose behalf they speak, and what they may allow at most."""

    role: str
    scopes: frozenset[Scope]


GRANTS: Mapping[str, Grant] = {
    "orchestrator": Grant("patient", frozenset({Scope.READ, Scope.WRITE})),
    "operator": Grant(OPERATOR, frozenset(Scope)),
}  # every issuer there is, by name: the name of its key's file and the `iss` of its tokens

_FILES = " and ".join(f"{issuer}.pem" for issuer in GRANTS)


class CredentialError(ValueError):
    """A key cannot be made or used; the message says which, why and what to do, and holds none of its content."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The 32 bytes of the public key of an issuer (a name of `GRANTS`)."""

    issuer: str
    raw: bytes

    @property
    def fingerprint(self) -> str:
        """The name of this key in the header of a token (`kid`): SHA-256 of its bytes, in hexadecimal."""
        return hashlib.sha256(self.raw).hexdigest()


PublicKeys = Sequence[PublicKey] | Callable[[], Sequence[PublicKey]]  # or what returns those that hold now


def read_public_keys(folder: Path) -> tuple[PublicKey, ...]:
    """Return the keys of a folder, `<issuer>.pem` each, by fingerprint; CredentialError for none or a bad one."""
    paths = sorted(folder.glob("*.pem"))
    if not paths:
        advice = f"copy {_FILES} from keys/public of the orchestrator's data"
        raise CredentialError(f"{folder}: no public key is here; {advice}")
    return tuple(sorted(map(_read, paths), key=lambda key: key.fingerprint))


def _read(path: Path) -> PublicKey:
    if path.stem not in GRANTS:
        raise CredentialError(f"{path}: named after no issuer of tokens; {_FILES} are expected")
    try:
        pem = _PEM.fullmatch(path.read_text("ascii"))
        der = base64.b64decode("".join(pem[1].split()), validate=True) if pem else b""
    except OSError as error:
        raise CredentialError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError:
        der = b""
    if len(der) != len(_PREFIX) + _KEY_BYTES or not der.startswith(_PREFIX):
        raise CredentialError(f"{path}: not an Ed25519 public key in PEM form")
    return PublicKey(path.stem, der.removeprefix(_PREFIX))


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
