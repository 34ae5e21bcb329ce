"""The gateway over HTTP, stateless, an OAuth resource server (RFC 9728): a token says who speaks, ours or another's."""

import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio.to_thread
import httpx2
import jwt
import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from mesh.errors import DomainError
from mesh.text_folding import cpf_digits
from mesh.tls import is_loopback
from mesh.tokens import LEEWAY_S, Claims, Scope, TokenCheck, cpf_of
from orchestrator.settings import SettingsError, variable
from orchestrator.turn import Identity, Role, TurnScope

_ASYMMETRIC = {"EdDSA", *(f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512))}
_REQUIRED: Any = {"require": ["iss", "aud", "sub", "exp"]}
_FRESH_S, _AGAIN_S, _WITHIN_S = 300, 30, 5  # for which keys are good, after which to try again, that one try takes

_log = logging.getLogger(__name__)

_PATH = "/mcp"
_LARGEST_BODY = 64 * 1024
_AT_ONCE, _IDLE_S, _DRAIN_S = 64, 30, 5


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


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where the gateway listens, with the folder of the certificate that it shows."""

    listening: socket.socket
    host: str  # host and port, as clients call it
    tls: Path | None = None

    @property
    def url(self) -> str:
        """What clients call, and the audience of their tokens."""
        return f"http{'' if self.tls is None else 's'}://{self.host}{_PATH}"


def open_address(listen: str, tls: Path | None) -> HttpAddress:
    """Return a socket that listens at HOST:PORT; raise ValueError or OSError."""
    host, _, port = listen.rpartition(":")
    if host in {"", "0.0.0.0", "[::]"}:  # noqa: S104 (refused)
        raise ValueError("give the name or address that clients call")
    if tls is None and not is_loopback(listen):
        raise ValueError(f"{listen} can be reached by other machines, which takes TLS; set CLINIC_MESH_TLS_DIR")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host.strip("[]"), int(port)), family=family)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else a small answer waits 40 ms
    return HttpAddress(listening, f"{host}:{listening.getsockname()[1]}", tls)


class People:
    """Those whom the gateway may speak for, and the tokens by which they are known."""

    def __init__(self, people: Mapping[Identity, str], check: TokenCheck, issuer: OwnIssuer | None = None) -> None:
        """`people` have the subject by which an issuer of one's own knows them, which may be empty."""
        self._people = {cpf_digits(one.cpf): one for one in people}
        self._subjects = {subject: cpf_digits(one.cpf) for one, subject in people.items() if subject}
        self._check = check
        self.issuer = issuer

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what a token says if it holds, is for this gateway, and for one of the people; None else."""
        claims: Claims | None
        try:
            claims = self._check.verify(token)
            digits = cpf_of(claims.subject, claims.salt, self._people)
        except DomainError:
            if self.issuer is None:
                return None
            claims = await anyio.to_thread.run_sync(self.issuer.claims, token, self._check.audience)
            digits = None if claims is None else self._subjects.get(claims.subject)
        if claims is None or digits is None:
            return None
        return AccessToken(
            token="",
            client_id=claims.issuer,
            scopes=sorted(claims.scopes),
            expires_at=claims.expires_at,
            resource=claims.audience,
            subject=digits,
            claims={"iss": claims.issuer, "role": claims.role},
        )

    def scope(self) -> TurnScope:
        """Return for whom the request under way is made; raise PermissionError outside one."""
        token = get_access_token()
        if token is None or token.subject is None or token.claims is None:
            raise PermissionError("no token was checked")
        return TurnScope(self._people[token.subject], Role(token.claims["role"]))


def http_server(server: Server[Any], people: People, address: HttpAddress) -> uvicorn.Server:
    """Return what serves at `address` once it runs with that socket, until it is asked to end."""
    # As texts: a URL that is parsed before may gain a slash.
    urls: Any = {"issuer_url": people.issuer.url if people.issuer else address.url, "resource_server_url": address.url}
    auth = AuthSettings(**urls, required_scopes=["read", "write"], validate_token_resource=True)
    names = [address.host, *([f"localhost:{address.host.rpartition(':')[2]}"] if is_loopback(address.host) else ())]
    origins = [address.url.replace(f"{address.host}{_PATH}", name) for name in names]
    app = server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=_LARGEST_BODY,
        transport_security=TransportSecuritySettings(allowed_hosts=names, allowed_origins=origins),
        auth=auth,
        token_verifier=people,
    )
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        limit_concurrency=_AT_ONCE,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=_DRAIN_S,
        ssl_certfile=address.tls and address.tls / "gateway.pem",
        ssl_keyfile=address.tls and address.tls / "gateway.key",
        server_header=False,
    )
    return uvicorn.Server(config)
