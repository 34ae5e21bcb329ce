"""The gateway over streamable HTTP, stateless, as an OAuth resource server (RFC 9728): a token says who speaks."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from mesh.errors import DomainError
from mesh.text_folding import cpf_digits
from mesh.tls import UnprotectedAddressError, is_loopback
from mesh.tokens import TokenCheck, cpf_of
from orchestrator.gateway.mesh_gateway import Speaker
from orchestrator.turn import Identity, Role

_PATH = "/mcp"
_LARGEST_BODY = 64 * 1024
_AT_ONCE, _IDLE_S, _DRAIN_S = 64, 30, 5


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where the gateway listens, with the certificate and key that it shows."""

    listening: socket.socket
    host: str  # host and port, as clients call it
    certificate: Path | None = None
    key: Path | None = None

    @property
    def url(self) -> str:
        """What clients call, and the audience of their tokens."""
        return f"http{'' if self.certificate is None else 's'}://{self.host}{_PATH}"


def open_address(listen: str, tls: Path | None) -> HttpAddress:
    """Return a socket that listens at HOST:PORT; ValueError, OSError, or without `tls` UnprotectedAddressError."""
    host, _, port = listen.rpartition(":")
    if host in {"", "0.0.0.0", "[::]"}:  # noqa: S104 (refused)
        raise ValueError("give the name or address that clients call")
    if tls is None and not is_loopback(listen):
        raise UnprotectedAddressError(f"{listen} can be reached by other machines, which takes TLS")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host.strip("[]"), int(port)), family=family)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else a small answer waits 40 ms
    pair = (None, None) if tls is None else (tls / "gateway.pem", tls / "gateway.key")
    return HttpAddress(listening, f"{host}:{listening.getsockname()[1]}", *pair)


class People:
    """Those whom the gateway may speak for, and the tokens by which they are known."""

    def __init__(self, people: Sequence[Identity], check: TokenCheck) -> None:
        self._people = {cpf_digits(one.cpf): one for one in people}
        self._check = check

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what a token says if it holds, is for this gateway, and for one of the people; None else."""
        try:
            claims = self._check.verify(token)
        except DomainError:
            return None
        digits = cpf_of(claims.subject, claims.salt, self._people)
        if digits is None:
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

    def speaker(self) -> Speaker:
        """Return who makes the request under way; raise PermissionError outside one."""
        token = get_access_token()
        if token is None or token.subject is None or token.claims is None:
            raise PermissionError("no token was checked")
        return Speaker(self._people[token.subject], Role(token.claims["role"]))


def http_server(server: Server[Any], people: People, address: HttpAddress) -> uvicorn.Server:
    """Return what serves at `address` once it runs with that socket, until it is asked to end."""
    url = AnyHttpUrl(address.url)
    auth = AuthSettings(issuer_url=url, resource_server_url=url, required_scopes=["read"], validate_token_resource=True)
    scheme = address.url.partition(":")[0]
    names = [address.host, *([f"localhost:{address.host.rpartition(':')[2]}"] if is_loopback(address.host) else ())]
    app = server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=_LARGEST_BODY,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"{scheme}://{name}" for name in names]
        ),
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
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
        server_header=False,
    )
    return uvicorn.Server(config)
