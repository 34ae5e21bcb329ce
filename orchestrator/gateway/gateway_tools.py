"""The tools that MCP clients see: two over all clinics, those of the clinics, and those of other registered services.

Schemas come from the contracts. What is injected or personal (`phi`) is in no schema and in no answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from generated.gateway.v1 import gateway_service_pb2
from generated.mesh.v1 import options_pb2
from mesh.arguments import Json, Schema, json_of, object_schema
from mesh.catalogue import Argument, Catalogue, Tool, arguments_of
from mesh.errors import DomainError
from orchestrator import turn
from orchestrator.agents import Agent

OVERALL = Catalogue(gateway_service_pb2.DESCRIPTOR.services_by_name["GatewayService"])
"""The tools of `gateway.v1`, which ask all clinics."""

_OF_PATIENTS = frozenset({options_pb2.ACCESS_READ, options_pb2.ACCESS_WRITE, options_pb2.ACCESS_RECORD})
_OUTCOME: Schema = {
    "status": {"type": "string", "enum": ["done", "declined", "proposed"]},
    "proposal": {"type": "string", "description": "The id of what waits for the person's yes in a terminal."},
    "confirm_with": {"type": "string", "description": "The command with which the person makes it."},
}


@dataclass(frozen=True, slots=True)
class GatewayTool:
    """A tool as it is offered."""

    name: str  # unique in the gateway
    tool: Tool  # of the contract
    agents: tuple[str, ...] = ()  # ids of those that have it; none for the gateway's own
    in_clinics: bool = False  # whether an argument names the clinic

    def agent(self, arguments: Mapping[str, Json]) -> tuple[str | None, dict[str, Json]]:
        """Return the agent that arguments name, None for all clinics, and the other arguments."""
        # Who speaks is the process's or the token's word: an argument that would say so is refused, whatever it holds.
        if hidden := [one.name for one in self.tool.arguments if not is_shown(one) and one.name in arguments]:
            raise DomainError("INVALID_ARGUMENTS", f"{', '.join(hidden)}: filled in by the gateway and never given")
        if not self.in_clinics:
            return self.agents[0], dict(arguments)
        rest = dict(arguments)
        clinic = rest.pop("clinic", None)
        if clinic in self.agents or (clinic is None and self.tool.read_only):
            return clinic, rest
        raise DomainError("INVALID_ARGUMENTS", f"clinic: one of {', '.join(self.agents)} is expected")


def gateway_tools(clinics: Sequence[str], others: Mapping[Agent, Catalogue], role: turn.Role) -> dict[str, GatewayTool]:
    """Return what a role is offered, in a fixed order; `others` are the tools of other services."""
    found = [GatewayTool(name, tool) for name, tool in OVERALL.items()]
    found += [GatewayTool(name, tool, tuple(clinics), in_clinics=True) for name, tool in turn.CATALOGUE.items()]
    found += [
        GatewayTool(f"{agent.id}_{name}", tool, (agent.id,))
        for agent, tools in others.items()
        for name, tool in tools.items()
        if agent.takes(name)
    ]
    return {one.name: one for one in found if _is_offered(one.tool, role)}


def _is_offered(tool: Tool, role: turn.Role) -> bool:
    named = all(is_shown(one) or one.options.injected for one in tool.arguments if one.required)
    return named and (role is turn.Role.OPERATOR or tool.options.access in _OF_PATIENTS)


def is_shown(argument: Argument) -> bool:
    """Return whether a client may see and give a field."""
    return not (argument.options.phi or argument.options.injected)


def input_schema(offered: GatewayTool, clinics: Mapping[str, str]) -> Schema:
    """Return what a tool takes; `clinics` says what each clinic is."""
    schema = object_schema(offered.tool.arguments, is_shown)
    if offered.in_clinics:
        said = "; ".join(f"{clinic}: {text}" for clinic, text in clinics.items() if clinic in offered.agents)
        whole = " Left out, all clinics are asked." if offered.tool.read_only else ""
        told = f"{said}.{whole}"
        clinic = {"type": "string", "enum": [*offered.agents], "description": told, "x-mcp-header": "Clinic"}
        schema["properties"] = {"clinic": clinic, **schema["properties"]}
        if not offered.tool.read_only:
            schema["required"] = ["clinic", *schema.get("required", [])]
    return schema


def output_schema(offered: GatewayTool) -> Schema:
    """Return what a tool answers: of several clinics one by one, of a write what became of it."""
    result = object_schema(arguments_of(offered.tool.method.output_type), is_shown)
    if not offered.tool.read_only:
        return {"type": "object", "properties": {**_OUTCOME, "result": result}, "required": ["status"]}
    if not offered.in_clinics:
        return result
    one = {"type": "object", "properties": {"clinic": {"type": "string"}, "result": result}}
    unknown = "Clinics that did not answer: what they have is not known."
    silent = {"type": "array", "items": {"type": "string"}, "description": unknown}
    answers = {"type": "array", "items": {**one, "required": ["clinic", "result"]}}
    return {"type": "object", "properties": {"answers": answers, "silent": silent}, "required": ["answers", "silent"]}


def shown(message: Message) -> dict[str, Any]:
    """Return a message as JSON without what a client may not see."""
    values = json_of(message)
    _hide(values, cast("Descriptor", message.DESCRIPTOR))
    return values


def _hide(value: Json, kind: Descriptor | None) -> None:
    if isinstance(value, list):
        for one in value:
            _hide(one, kind)
    elif isinstance(value, dict) and kind is not None:
        for argument in arguments_of(kind):
            if is_shown(argument):
                _hide(value.get(argument.name), argument.field.message_type)
            else:
                value.pop(argument.name, None)
