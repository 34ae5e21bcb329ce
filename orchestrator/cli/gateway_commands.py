"""Run the gateway for MCP clients (`mcp`), and make what it proposed once the person says yes (`confirm`)."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec

from mesh.errors import DomainError
from mesh.limits import DEFAULT, read_limits
from mesh.tls import Renewed
from mesh.tokens import TokenCheck, read_public_keys
from orchestrator.agents import Registry
from orchestrator.agents.service_contract import Contract, ContractError, contract_of
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import started
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.cli.speaker import given_identity, identity_of, people_of
from orchestrator.composition import Connection, connect_fleet, fleet_of, open_router, serving_memory
from orchestrator.gateway import LIFE_S, MeshGateway, ProposalError, ProposalFolder
from orchestrator.journal import EventChannel
from orchestrator.security import KeyFolder
from orchestrator.settings import Settings, SettingsError
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import TurnScope

_log = logging.getLogger(__name__)


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    if arguments.command == "confirm":
        return _confirm(arguments, settings, registry)
    if find_spec("mcp") is None:
        advice = "run `make extra-mcp` in the folder of clinic-mesh"
        raise SettingsError(f"the gateway takes the MCP SDK, which is not installed: {advice}")
    return (_http if arguments.http else _stdio)(arguments, settings, registry)


def _stdio(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    from orchestrator.gateway.mcp_server import McpGateway, serve_stdio  # noqa: PLC0415 - loads the MCP SDK

    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    scope = partial(TurnScope, identity, settings.role)
    with _opened(arguments, settings, registry) as gateway:
        asyncio.run(serve_stdio(McpGateway(gateway, scope, texts_in(settings.language)).server()))
    return ExitCode.OK


def _http(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    from orchestrator.gateway.mcp_http import OwnIssuer, People, http_server, open_address  # noqa: PLC0415 - loads the MCP SDK
    from orchestrator.gateway.mcp_server import McpGateway  # noqa: PLC0415 - as above

    known = people_of(settings, arguments.identity_file, arguments.identity_fd)
    issuer = None if settings.mcp_issuer is None else OwnIssuer(settings.mcp_issuer, settings.mcp_jwks)
    try:
        address = open_address(arguments.http, settings.tls_dir)
    except (OSError, OverflowError, ValueError) as error:
        raise SettingsError(f"--http: HOST:PORT is expected, of this machine: {error}") from None
    with address.listening, _opened(arguments, settings, registry) as gateway:
        keys = Renewed(partial(read_public_keys, KeyFolder(settings.keys_dir).public))
        people = People(known, TokenCheck(keys, address.url, ""), issuer)
        server = McpGateway(gateway, people.scope, texts_in(settings.language)).server()
        complain(f"MCP is served at {address.url}")
        http_server(server, people, address).run(sockets=[address.listening])
    return ExitCode.OK


def _confirm(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    texts = texts_in(settings.language)
    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))

    def agrees(told: str) -> bool:
        print(told, flush=True)
        if arguments.consent_given or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return arguments.consent_given
        return input(f"{texts.text('gateway.confirm')} ").strip().casefold() in texts.lines("terminal.yes_words")

    with _opened(arguments, settings, registry) as gateway:
        code, said = confirm(gateway, arguments.proposal, TurnScope(identity, settings.role), agrees, texts)
    if code is ExitCode.OK:
        print(said)
    else:
        complain(said)
    return code


def confirm(
    gateway: MeshGateway, proposal_id: str, scope: TurnScope, agrees: Callable[[str], bool], texts: Texts
) -> tuple[ExitCode, str]:
    """Make what waits for a person, once, if they agree to its words; return the answer as JSON, or why not."""
    try:
        if not agrees(gateway.told(gateway.proposals.look(proposal_id, scope.identity), texts)):
            return ExitCode.CONFIRM, texts.text("gateway.waits")
        proposal = gateway.proposals.take(proposal_id, scope.identity)
    except ProposalError:
        return ExitCode.USAGE, texts.text("gateway.gone", minutes=LIFE_S // 60)
    try:
        written = gateway.write(proposal, scope, "clinic-mesh confirm")
    except DomainError as error:
        said = f"{error.reason}: {error.message}"
        if not gateway.may_have_changed(proposal, error):
            return ExitCode.REFUSED, said
        return ExitCode.UNKNOWN_WRITE, f"{said} {texts.text('gateway.unknown')}"
    return ExitCode.OK, json.dumps(written, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)


@contextmanager
def _opened(arguments: Arguments, settings: Settings, registry: Registry) -> Iterator[MeshGateway]:
    fleet = fleet_of(settings, registry)
    with started(settings, fleet, settings.role, starts=arguments.starts_clinics), serving_memory(settings, registry):
        fleet.await_health()
        with connect_fleet(registry, fleet) as connection, open_gateway(settings, connection) as gateway:
            yield gateway


@contextmanager
def open_gateway(settings: Settings, connection: Connection) -> Iterator[MeshGateway]:
    """Yield the gateway over clinics that run."""
    limits = DEFAULT if settings.rate is None else read_limits(settings.rate)
    proposals = ProposalFolder(settings.data_dir / "proposals", KeyFolder(settings.keys_dir), settings.role)
    with open_router(connection, EventChannel(), settings.clock) as router:
        yield MeshGateway(router, connection.directory, _others(connection), proposals, limits)


def _others(connection: Connection) -> dict[str, Contract]:
    contracts = {}
    for agent in connection.registry.with_services.values():
        if agent.id not in connection.registry:
            try:
                contracts[agent.id] = contract_of(agent, connection.calls.to(agent))
            except ContractError as error:
                _log.warning("%s", error)
    return contracts
