"""An OAuth issuer of one's own: its keys, from a file or where its metadata says, and the check of its tokens."""

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jwt

from mesh.keys import Scope
from mesh.tls import is_loopback
from mesh.tokens import LEEWAY_S, Claims
from orchestrator.settings import SettingsError, variable
from orchestrator.turn import Role

_ASYMMETRIC = {"EdDSA", *(f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512))}
_REQUIRED: Any = {"require": ["iss", "aud", "sub", "exp"]}
_FRESH_S, _AGAIN_S, _WITHIN_S = 300, 30, 5  # for which keys are good, after which to try again, that one try takes

_log = logging.getLogger(__name__)


class OwnIssuer:
    """The check of an issuer's tokens, which all are patients'; safe for threads."""

    def __init__(self, url: str, jwks: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Read the keys; raise SettingsError. `jwks` is a file of them, None for the issuer's metadata."""
        self.url = url
        self._jwks = jwks
        self._clock = clock
        self._lock = threading.Lock()
        self._keys = self._read()
        self._read_at = self._tried_at = clock()

    def claims(self, token: str, audience: str) -> Claims | None:
        """Return what a token for `audience` says, its subject as the issuer names the person; None if it is bad."""
        try:
            key = self._key(jwt.get_unverified_header(token).get("kid"))
            if key is None:
                return None
            said = jwt.decode(
                token, key, [key.algorithm_name], _REQUIRED, audience=audience, issuer=self.url, leeway=LEEWAY_S
            )
        except (jwt.PyJWTError, ValueError):
            return None
        given = str(said.get("scope")).split()
        scopes = frozenset(scope for scope in Scope if scope in given)
        return Claims(self.url, audience, said["sub"], "", Role.PATIENT, scopes, 0, int(said["exp"]))

    def _key(self, kid: str | None) -> jwt.PyJWK | None:
        with self._lock:
            # Keys that are old, or lack the one that signed a token, are read again, at most every half minute.
            now = self._clock()
            is_old = now >= self._read_at + _FRESH_S
            if (is_old or kid not in self._keys) and now >= self._tried_at + _AGAIN_S:
                self._tried_at = now
                try:
                    self._keys = self._read()
                    self._read_at, is_old = now, False
                except SettingsError as error:
                    _log.warning("%s", error)
            return None if is_old or kid is None else self._keys.get(kid)

    def _read(self) -> dict[str, jwt.PyJWK]:
        try:
            found = json.loads(self._jwks.read_bytes()) if self._jwks else _fetched(self._jwks_uri())
            return {
                key.key_id: key
                for key in jwt.PyJWKSet(found["keys"]).keys
                if key.key_id and key.algorithm_name in _ASYMMETRIC and key.public_key_use in {None, "sig"}
            }
        except (OSError, LookupError, TypeError, ValueError, httpx2.HTTPError, httpx2.InvalidURL, jwt.PyJWTError):
            where = self._jwks or "its metadata, over https"
            raise SettingsError(f"{variable('mcp_issuer')}: no keys of it can be read from {where}") from None

    def _jwks_uri(self) -> str:
        parts = urlsplit(self.url)
        oauth = parts._replace(path=f"/.well-known/oauth-authorization-server{parts.path.rstrip('/')}").geturl()
        for known in (f"{self.url.rstrip('/')}/.well-known/openid-configuration", oauth):
            with suppress(httpx2.HTTPStatusError):
                metadata = _fetched(known)
                if metadata["issuer"] != self.url:
                    raise ValueError("the metadata are another issuer's")
                return str(metadata["jwks_uri"])
        raise ValueError("there are no metadata")


def _fetched(url: str) -> Any:  # noqa: ANN401 (JSON)
    parts = urlsplit(url)
    # Whoever can change what is read here can make tokens.
    if parts.scheme != "https" and not is_loopback(f"{parts.hostname}:"):
        raise ValueError("https is expected")
    return httpx2.get(url, timeout=_WITHIN_S).raise_for_status().json()
