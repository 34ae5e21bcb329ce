"""The gateway over streamable HTTP, stateless, as an OAuth resource server (RFC 9728): a token says who speaks."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
import uvicorn
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from mesh.errors import DomainError
from mesh.text_folding import cpf_digits
from mesh.tls import is_loopback
from mesh.tokens import Claims, TokenCheck, cpf_of
from orchestrator.gateway.own_issuer import OwnIssuer
from orchestrator.turn import Identity, Role, TurnScope

_PATH = "/mcp"
_LARGEST_BODY = 64 * 1024
_AT_ONCE, _IDLE_S, _DRAIN_S = 64, 30, 5


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
    app = server.streamable_http_app(
        json_response=True,
        stateless_http=True,
        max_request_body_size=_LARGEST_BODY,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[address.url.replace(f"{address.host}{_PATH}", name) for name in names]
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
        ssl_certfile=address.tls and address.tls / "gateway.pem",
        ssl_keyfile=address.tls and address.tls / "gateway.key",
        server_header=False,
    )
    return uvicorn.Server(config)
