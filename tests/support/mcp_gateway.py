"""The gateway over real clinics of this process, and the SDK's own client of it, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import mcp_types as types
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from mesh.clock import clock_at
from mesh.limits import Limits
from mesh.tokens import TokenCheck, read_public_keys
from orchestrator.agents.registry import Agent, Registry
from orchestrator.agents.router import MeshRouter
from orchestrator.agents.service_contract import contract_of
from orchestrator.composition.connection import connect
from orchestrator.gateway import MeshGateway, ProposalFolder
from orchestrator.gateway.mcp_http import HttpAddress, OwnIssuer, People, http_server, open_address
from orchestrator.gateway.mcp_server import McpGateway
from orchestrator.journal.events import EventChannel
from orchestrator.security.token_keys import KeyFolder, Protection
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import NOW, Clinics
from tests.support.tokens import JOANA_CPF

LEGACY, MODERN = "legacy", "2026-07-28"
ERAS = (LEGACY, MODERN)
JOANA = Identity.of("Joana Lima", JOANA_CPF)

TOLD = ("123.456.789", "12345678900", "111.444.777", "11144477735", "Carlos Teste", "Joana Lima")
"""What names Carlos or Joana, and no answer and no log may hold."""

_Answer = TypeVar("_Answer")
Talk = Callable[[Client], Awaitable[_Answer]]


@dataclass
class Host:
    """The program of a person who answers every form in one way; None: it cannot ask."""

    answers: bool | None = True
    asked: list[str] = field(default_factory=list)

    async def answer(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params.message)
        return types.ElicitResult(action="accept" if self.answers else "decline", content={"yes": bool(self.answers)})


class Gateway:
    """A gateway that runs, and how clients reach it."""

    def __init__(self, mesh: MeshGateway, keys: KeyFolder) -> None:
        self.mesh = mesh
        self.proposals = mesh.proposals
        self._keys = keys

    def handlers(self, scope: Callable[[], TurnScope]) -> McpGateway:
        """Return the handlers for somebody."""
        return McpGateway(self.mesh, scope, texts_in(Language.EN))

    def talk(self, who: Identity, era: str, host: Host, talk: Talk[_Answer], role: Role = Role.PATIENT) -> _Answer:
        """Let the SDK's client talk to the gateway in this process, for somebody."""

        async def run() -> _Answer:
            server = self.handlers(partial(TurnScope, who, role)).server()
            asks = None if host.answers is None else host.answer
            info = types.Implementation(name="A Host", version="1")
            async with Client(server, mode=era, elicitation_callback=asks, client_info=info) as client:
                return await talk(client)

        return asyncio.run(run())

    @contextmanager
    def over_http(
        self,
        people: Iterable[Identity],
        issuer: OwnIssuer | None = None,
        subjects: Mapping[Identity, str] | None = None,
    ) -> Iterator[HttpAddress]:
        """Serve it over HTTP on a free port; `subjects` are those of `issuer`."""
        address = open_address("127.0.0.1:0", None)
        check = TokenCheck(read_public_keys(self._keys.public), address.url, "send another one")
        known = People({one: (subjects or {}).get(one, "") for one in people}, check, issuer)
        server: uvicorn.Server = http_server(self.handlers(known.scope).server(), known, address)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]})
        thread.start()
        try:
            yield address
        finally:
            server.should_exit = True
            thread.join()
            address.listening.close()


@contextmanager
def open_gateway(
    clinics: Clinics,
    keys: KeyFolder,
    folder: Path,
    limits: Limits | None = None,
    clock: Callable[[], float] = time.time,
    services: Sequence[Agent] = (),
) -> Iterator[Gateway]:
    """Yield a gateway over clinics that ask for tokens, and services; its proposals are as old as `clock` says."""
    registry = Registry(clinics.registry, services={one.id: one for one in services})
    with (
        connect(registry, Protection(keys)) as connection,
        MeshRouter(
            registry, connection.channels, EventChannel(), connection.credentials, connection.directory, clock_at(NOW)
        ) as router,
    ):
        contracts = {one.id: contract_of(one, connection.calls.to(one)) for one in services}
        proposals = ProposalFolder(folder / "proposals", keys, Role.PATIENT, clock)
        yield Gateway(MeshGateway(router, connection.directory, contracts, proposals, limits), keys)


def talk_http(url: str, token: str, era: str, host: Host, talk: Talk[_Answer]) -> _Answer:
    """Let the SDK's client talk to a gateway over HTTP, for whom a token names."""

    async def run() -> _Answer:
        asks = None if host.answers is None else host.answer
        info = types.Implementation(name="A Host", version="1")
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
            transport = streamable_http_client(url, http_client=http)
            async with Client(transport, mode=era, elicitation_callback=asks, client_info=info) as client:
                return await talk(client)

    return asyncio.run(run())
