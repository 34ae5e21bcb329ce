"""Run the gateway for MCP clients (`mcp`), and make what it proposed once the person says yes (`confirm`)."""

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from mesh.errors import DomainError
from mesh.keys import read_public_keys
from mesh.limits import DEFAULT, read_limits
from mesh.tls import UnprotectedAddressError
from mesh.tokens import TokenCheck
from orchestrator.agents import Registry
from orchestrator.agents.contracts import ContractError, contract_of
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import prepare_folders
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.cli.speaker import given_identity, identity_of, people_of
from orchestrator.composition import Connection, connect_fleet, fleet_of, open_router
from orchestrator.gateway import MeshGateway, OtherContracts, ProposalError, ProposalFolder, Speaker
from orchestrator.journal import EventChannel
from orchestrator.security import KeyFolder
from orchestrator.settings import Settings, SettingsError
from orchestrator.texts import texts_in

_log = logging.getLogger(__name__)


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands and return its exit code."""
    command = _confirm if arguments.command == "confirm" else _http if arguments.http else _stdio
    try:
        return command(arguments, settings, registry)
    except ModuleNotFoundError as missing:
        if missing.name not in {"mcp", "mcp_types", "uvicorn"}:
            raise
        advice = "run `make extra-mcp` in the folder of clinic-mesh"
        raise SettingsError(f"the gateway takes the MCP SDK, which is not installed: {advice}") from None


def _stdio(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    from orchestrator.gateway.mcp_server import McpGateway, serve_stdio  # noqa: PLC0415 - loads the MCP SDK

    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    speaker = partial(Speaker, identity, settings.role)
    with _opened(arguments, settings, registry) as (gateway, proposals):
        asyncio.run(serve_stdio(McpGateway(gateway, proposals, speaker, texts_in(settings.language)).server()))
    return ExitCode.OK


def _http(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    from orchestrator.gateway.mcp_http import People, http_server, open_address  # noqa: PLC0415 - loads the MCP SDK
    from orchestrator.gateway.mcp_server import McpGateway  # noqa: PLC0415 - as above

    known = people_of(settings, arguments.identity_file, arguments.identity_fd)
    try:
        address = open_address(arguments.http, settings.tls_dir)
    except UnprotectedAddressError as error:
        raise SettingsError(f"--http: {error}; set CLINIC_MESH_TLS_DIR") from None
    except (OSError, OverflowError, ValueError) as error:
        raise SettingsError(f"--http: HOST:PORT is expected, of this machine: {error}") from None
    with address.listening, _opened(arguments, settings, registry) as (gateway, proposals):
        advice = f"send one that `clinic-mesh token --audience {address.url}` prints"
        check = TokenCheck(read_public_keys(KeyFolder(settings.keys_dir).public), address.url, advice)
        people = People(known, check)
        server = McpGateway(gateway, proposals, people.speaker, texts_in(settings.language)).server()
        complain(f"MCP is served at {address.url}")
        http_server(server, people, address).run(sockets=[address.listening])
    return ExitCode.OK


def _confirm(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    texts = texts_in(settings.language)
    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    speaker = Speaker(identity, settings.role)
    with _opened(arguments, settings, registry) as (gateway, proposals):
        try:
            print(gateway.told(proposals.look(arguments.proposal, identity), texts), flush=True)
            if not arguments.consent_given and not _agrees(texts.text("gateway.confirm")):
                return ExitCode.CONFIRM
            proposal = proposals.take(arguments.proposal, identity)
        except ProposalError as error:
            raise SettingsError(str(error)) from None
        try:
            written = gateway.write(proposal, speaker, "clinic-mesh confirm")
        except DomainError as error:
            complain(f"{error.reason}: {error.message}")
            if not gateway.may_have_changed(proposal, error):
                return ExitCode.REFUSED
            complain(texts.text("gateway.unknown"))
            return ExitCode.UNKNOWN_WRITE
    print(json.dumps(written, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))
    return ExitCode.OK


def _agrees(question: str) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        complain("give --yes to make it")
        return False
    return input(f"{question} ").strip().casefold() in {"y", "yes", "s", "sim"}


@contextmanager
def _opened(
    arguments: Arguments, settings: Settings, registry: Registry
) -> Iterator[tuple[MeshGateway, ProposalFolder]]:
    """Yield the gateway with clinics that run, and where its proposals wait."""
    prepare_folders(settings)
    fleet = fleet_of(settings, registry)
    fleet.prepare_keys()
    try:
        if arguments.starts_clinics:
            fleet.launch()
            fleet.await_health()
        with (
            connect_fleet(registry, fleet) as connection,
            open_router(connection, EventChannel(), settings.clock) as router,
        ):
            others = _others(registry, connection)
            limits = DEFAULT if settings.rate is None else read_limits(settings.rate)
            gateway = MeshGateway(registry, router, connection.directory, others, limits)
            keys = KeyFolder(settings.keys_dir)
            yield gateway, ProposalFolder(settings.data_dir / "proposals", keys, settings.role)
    finally:
        fleet.stop()


def _others(registry: Registry, connection: Connection) -> OtherContracts:
    tools, reasons = {}, {}
    for agent in registry.with_services.values():
        if agent.id not in registry:
            try:
                contract = contract_of(agent, connection.calls.to(agent))
            except ContractError as error:
                _log.warning("%s", error)
                continue
            tools[agent.id] = {name: tool for name, tool in contract.tools.items() if agent.takes(name)}
            reasons[agent.id] = contract.reasons
    return OtherContracts(tools, reasons)
