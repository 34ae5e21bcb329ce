"""Check tokens: a known key, the right agent, the right time, and no more than the issuer may grant.

Times are the machine's own. A token that passed is remembered until it expires: a session sends it again and again.
"""

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mesh.errors import DomainError
from mesh.keys import GRANTS, PublicKey, Scope
from mesh.tokens import ALGORITHM, LONGEST_S, Claims

LEEWAY_S = 5
"""Seconds by which the clocks of two nodes may differ."""

REMEMBERED = 1024
"""Tokens that a verifier remembers; a session has one for each agent."""

_NO_TOKEN = "this is not a token that an issuer of this mesh signed"  # noqa: S105 - what is said of one
_LONGEST_TOKEN = 2048
_REQUIRED = ["iss", "aud", "sub", "salt", "role", "scope", "iat", "exp"]
_SUBJECT = re.compile(r"[0-9a-f]{64}")
_SALT = re.compile(r"[0-9a-f]{32,64}")


class TokenCheck:
    """A check of the tokens that are sent to one agent."""

    def __init__(
        self, keys: Sequence[PublicKey], audience: str, advice: str, clock: Callable[[], float] = time.time
    ) -> None:
        self.audience = audience
        self._keys = {key.fingerprint: key for key in keys}
        self._advice = advice
        self._clock = clock
        self._lock = threading.Lock()
        self._good: dict[str, Claims] = {}

    def known(self, token: str) -> Claims | None:
        """Return the claims of a token that was verified before and still holds; None for any other."""
        claims = self._good.get(token)
        holds = claims is not None and claims.issued_at - LEEWAY_S <= self._clock() < claims.expires_at + LEEWAY_S
        return claims if holds else None

    def verify(self, token: str | None) -> Claims:
        """Return the claims of a token, or raise UNAUTHENTICATED."""
        if token is None:
            raise self._refusal("this call brings no token")
        # Without the lock: every call comes by here, and a look into a dict is whole.
        known = self._good.get(token)
        claims = known or self._checked(token)
        self._check_time(claims)
        if known is None:
            self._remember(token, claims)
        return claims

    def _remember(self, token: str, claims: Claims) -> None:
        with self._lock:
            self._good[token] = claims
            if len(self._good) > REMEMBERED:
                # The first that came: it is also the nearest to its end.
                del self._good[next(iter(self._good))]

    def _check_time(self, claims: Claims) -> None:
        now = self._clock()
        if now >= claims.expires_at + LEEWAY_S:
            raise self._refusal("this token has expired")
        if now < claims.issued_at - LEEWAY_S:
            raise self._refusal("this token does not hold yet; do the clocks of both machines agree?")

    def _checked(self, token: str) -> Claims:
        # Loaded at the first token: a node must start quickly.
        import jwt  # noqa: PLC0415 - the comment above
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - as above

        if len(token) > _LONGEST_TOKEN:
            raise self._refusal(_NO_TOKEN)
        try:
            key = self._keys.get(str(jwt.get_unverified_header(token).get("kid")))
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
            # What the library says may repeat what is in the token.
            raise self._refusal(_NO_TOKEN) from None

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
