"""Call one tool of one agent, a clinic or another registered service: its contract says how, the answer is JSON.

Name, CPF and the id of a write are filled in where the contract marks them. A write is sent only with consent.
"""

import json
import sys
import uuid
from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from generated.mesh.v1 import options_pb2
from mesh.arguments import json_of, request_of
from mesh.catalogue import Argument, Tool
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from orchestrator.agents import NOT_REACHED, Agent, Registry, filled_in, timeout_of
from orchestrator.agents.service_contract import Contract, contract_of
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import started
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.cli.speaker import given_identity, identity_of
from orchestrator.composition import Connection, connect_fleet, fleet_of, serving_memory
from orchestrator.settings import Settings, SettingsError


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Call the tool, or list the agent's tools where none is named, and return the exit code."""
    agent = registry.with_services.get(arguments.agent)
    if agent is None:
        raise SettingsError(f"there is no such agent; known are {', '.join(registry.with_services)}")
    fleet = fleet_of(settings, registry)
    starts = bool(arguments.tool) and agent.id in registry and arguments.starts_clinics
    with started(settings, fleet, starts=starts), serving_memory(settings, registry):
        fleet.await_health()
        if agent.id in fleet.failed:
            raise fleet.failed[agent.id]
        with connect_fleet(registry, fleet) as connection:
            contract = contract_of(agent, connection.calls.to(agent))
            if not arguments.tool:
                sys.stdout.write("\n".join(map(_described, contract.tools.values())))
                return ExitCode.OK
            return _call(arguments, settings, agent, contract, connection)


def _call(
    arguments: Arguments, settings: Settings, agent: Agent, contract: Contract, connection: Connection
) -> ExitCode:
    identity = identity_of(given_identity(settings, arguments.identity_file, arguments.identity_fd))
    try:
        tool = contract.tools.find(arguments.tool)
        typed = _typed_arguments(arguments, tool)
        request = request_of(tool, {**filled_in(tool, identity), **typed})
    except DomainError as error:  # which names what there is
        raise SettingsError(error.message) from None
    if not agent.takes(tool.name):
        raise SettingsError(f"the registry does not allow {tool.name} at {agent.id}")
    if not tool.read_only and not arguments.consent_given and not _consents(agent, tool, typed):
        return ExitCode.CONFIRM
    token = connection.credentials.token(identity, settings.role, agent.id)
    options = CallOptions(timeout_of(tool, connection.registry.routing), str(uuid.uuid4()), token)
    try:
        answer = call_tool(connection.calls.to(agent), tool, request, options)
    except DomainError as error:
        return _refused(error, tool, request, contract)
    if answer.dropped:
        complain(f"{answer.dropped} entries of the answer break the contract and are left out")
    print(json.dumps(json_of(answer.message), ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))
    return ExitCode.OK


def _refused(error: DomainError, tool: Tool, request: Message, contract: Contract) -> ExitCode:
    complain(f"{error.reason}: {error.message}")
    if not tool.read_only and contract.reasons.may_have_changed(error):
        complain("whether it was done is not known")
        if tool.request_id is not None:
            complain(f"to find out, repeat the call with -a {tool.request_id}={getattr(request, tool.request_id)}")
        return ExitCode.UNKNOWN_WRITE
    return ExitCode.ALL_DOWN if error.reason in NOT_REACHED else ExitCode.REFUSED


def _typed_arguments(arguments: Arguments, tool: Tool) -> dict[str, Any]:
    """Return what was given as JSON and by name; raise SettingsError where it cannot be read, or is not to be given."""
    try:
        text = sys.stdin.read() if arguments.json == "-" else arguments.json
        values = json.loads(text) if text else {}
    except ValueError as error:
        raise SettingsError(f"--json: {error}") from None
    if not isinstance(values, dict):
        raise SettingsError("--json: an object of arguments is expected")
    by_name = {argument.name: argument for argument in tool.arguments}
    for pair in arguments.pairs:
        name, sign, value = pair.partition("=")
        if not sign:
            raise SettingsError("-a: NAME=VALUE is expected")
        values[name] = _value(by_name.get(name), value)
    persons = (*tool.injected(options_pb2.INJECTED_PATIENT_NAME), *tool.injected(options_pb2.INJECTED_CPF))
    if any(name in values for name in persons):
        raise SettingsError(f"who speaks is filled in and never given: {', '.join(persons)}")
    return values


def _value(argument: Argument | None, text: str) -> object:
    if argument is None or (argument.field.type == FieldDescriptor.TYPE_STRING and not argument.field.is_repeated):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text  # which the contract will refuse, or knows as the name of an enum's value


def _consents(agent: Agent, tool: Tool, typed: Mapping[str, object]) -> bool:
    """Ask in a terminal whether a write is sent; elsewhere say that --yes is needed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        complain(f"{tool.name} changes something at {agent.id}; give --yes to send it")
        return False
    print(f"{tool.name} at {agent.id}: {json.dumps(typed, ensure_ascii=False)}")
    return input("Send it? (y/N) ").strip().casefold() in {"y", "yes", "s", "sim"}


def _described(tool: Tool) -> str:
    kind = "reads" if tool.read_only else "changes something, and asks first"
    lines = [f"{tool.name}: {tool.options.description} ({kind})"]
    for argument in tool.arguments:
        if argument.name not in tool.filled_in:
            needed = "required" if argument.required else "optional"
            lines.append(f"  -a {argument.name}=…  {needed}. {argument.options.description}".rstrip())
    return "\n".join([*lines, ""])
