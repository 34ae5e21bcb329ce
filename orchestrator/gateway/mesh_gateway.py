"""The tools that MCP clients see, two over all clinics and those of all services, and what is done for a person.

Schemas come from the contracts. What is injected or personal (`phi`) is in no schema and in no answer. Reads ask one
agent or all clinics at once; writes take consent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from operator import attrgetter
from typing import Any, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.gateway.v1 import gateway_service_pb2 as gateway_pb
from generated.mesh.v1 import options_pb2
from mesh.arguments import Json, Schema, json_of, object_schema, request_of
from mesh.catalogue import Argument, Catalogue, Tool, arguments_of, faults_of
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from mesh.limits import Limits, TokenBucket
from mesh.policies import count_call, invalid_arguments
from mesh.text_folding import fold
from orchestrator import turn
from orchestrator.agents import Agent, MeshDirectory, MeshRouter, filled_in, timeout_of
from orchestrator.agents.service_contract import Contract
from orchestrator.gateway.held_proposals import HeldProposal, ProposalFolder
from orchestrator.texts import Texts

OVERALL = Catalogue(gateway_pb.DESCRIPTOR.services_by_name["GatewayService"])
"""The tools of `gateway.v1`, which ask all clinics."""

_OF_PATIENTS = frozenset({options_pb2.ACCESS_READ, options_pb2.ACCESS_WRITE, options_pb2.ACCESS_RECORD})
_OUTCOME: Schema = {
    "status": {"type": "string", "enum": ["done", "declined", "proposed"]},
    "proposal": {"type": "string", "description": "The id of what waits for the person's yes in a terminal."},
    "confirm_with": {"type": "string", "description": "The command with which the person makes it."},
}
_DEFAULT_LISTED, _MOST_LISTED = 20, 200
_HOST = 60  # characters of a host's name that a clinic logs


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


@dataclass(eq=False)
class MeshGateway:
    """The tools of the mesh for MCP clients; safe for threads."""

    router: MeshRouter
    directory: MeshDirectory
    others: Mapping[str, Contract]  # of registered services that are no clinics, by id
    proposals: ProposalFolder  # where writes wait for a terminal
    limits: Limits | None

    def __post_init__(self) -> None:
        registry, limits = self.router.registry, self.limits
        tools = {registry.with_services[agent]: contract.tools for agent, contract in self.others.items()}
        self.tools = {role: gateway_tools(tuple(registry), tools, role) for role in turn.Role}
        self._calls = None if limits is None else TokenBucket(limits.read_burst, limits.reads_per_s)

    def find(self, name: str, role: turn.Role) -> GatewayTool:
        """Return a tool that a role is offered, or raise UNKNOWN_TOOL."""
        offered = self.tools[role].get(name)
        if offered is None:
            raise DomainError("UNKNOWN_TOOL", "no such tool here")
        return offered

    def count(self, scope: turn.TurnScope) -> None:
        """Count a call of a person, or raise RATE_LIMITED."""
        count_call(self._calls, scope.identity.cpf, "there are too many calls of one person")

    def read(self, offered: GatewayTool, arguments: Mapping[str, Json], scope: turn.TurnScope) -> dict[str, Any]:
        """Return what a tool that changes nothing answers, or raise DomainError."""
        if not offered.agents:
            request = _well_formed(offered.tool, arguments)
            if isinstance(request, gateway_pb.FindOpeningsRequest):
                return shown(self._openings(request, scope))
            return shown(self._appointments(scope))
        agent, rest = offered.agent(arguments)
        if not offered.in_clinics:
            return self._call(offered, HeldProposal(offered.name, offered.agents[0], rest), scope)
        results = self._dispatch([agent] if agent else offered.agents, offered.tool.name, rest, scope)
        answered = [result for result in results if result.response is not None]
        refused = [result.error for result in results if result.error and result.status is turn.StepStatus.REFUSED]
        if refused and not answered:
            raise refused[0]
        told = [{"clinic": one.step.clinic, "result": shown(one.response)} for one in answered if one.response]
        return {"answers": told, "silent": _silent(results)}

    def proposal(self, offered: GatewayTool, arguments: Mapping[str, Json], scope: turn.TurnScope) -> HeldProposal:
        """Return a write that can be asked about; raise DomainError for arguments that it does not take."""
        agent, rest = offered.agent(arguments)
        if hidden := [name for name, value in rest.items() if not str(value).isprintable()]:
            # What turns text around, or draws nothing, would show the person another write than is made.
            raise DomainError("INVALID_ARGUMENTS", f"{', '.join(map(ascii, hidden))}: holds what cannot be shown")
        _well_formed(offered.tool, {**filled_in(offered.tool, scope.identity), **rest})
        return HeldProposal(offered.name, cast("str", agent), rest)

    def write(self, proposal: HeldProposal, scope: turn.TurnScope, confirmed_by: str) -> dict[str, Any]:
        """Make a write that the person agreed to, once however often it is sent; raise DomainError."""
        offered = self.find(proposal.tool, scope.role)
        scope = replace(scope, confirmed_by="".join(filter(str.isprintable, confirmed_by))[:_HOST] or "unknown")
        if not offered.in_clinics:
            return self._call(offered, proposal, scope)
        call = turn.ToolCall(offered.tool.name, cast("Mapping[str, str]", proposal.arguments))
        (result,) = self.router.dispatch([turn.Step(1, proposal.agent, call, proposal.request_id)], scope)
        if result.response is None:
            raise result.error or turn.NOT_ATTEMPTED
        return shown(result.response)

    def told(self, proposal: HeldProposal, texts: Texts) -> str:
        """Return a write in one line for the person who is asked; it holds nothing but what the client gave."""
        title = texts.table("responder.consent.titles").get(proposal.tool, proposal.tool)
        names = {clinic.id: clinic.name for clinic in self.directory.clinics()}
        given = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in proposal.arguments.items())
        return f"{title} ({names.get(proposal.agent, proposal.agent)}): {given}"

    def may_have_changed(self, proposal: HeldProposal, error: DomainError) -> bool:
        """Return whether a write that failed may have been made all the same."""
        other = self.others.get(proposal.agent)
        return (turn.REASONS if other is None else other.reasons).may_have_changed(error)

    def _call(self, offered: GatewayTool, proposal: HeldProposal, scope: turn.TurnScope) -> dict[str, Any]:
        agent, tool = self.router.registry.with_services[proposal.agent], offered.tool
        request = request_of(tool, {**filled_in(tool, scope.identity, proposal.request_id), **proposal.arguments})
        token = self.router.credentials.token(scope.identity, scope.role, agent.id)
        timeout_s = timeout_of(tool, self.router.registry.routing)
        options = CallOptions(timeout_s, scope.turn_id, token, confirmed_by=scope.confirmed_by)
        return shown(call_tool(self.router.channels.to(agent), tool, request, options).message)

    def _dispatch(
        self, clinics: Sequence[str], tool: str, arguments: Mapping[str, Json], scope: turn.TurnScope
    ) -> tuple[turn.StepResult, ...]:
        call = turn.ToolCall(tool, cast("Mapping[str, str]", arguments))
        steps = [turn.Step(number, clinic, call) for number, clinic in enumerate(clinics, 1)]
        return self.router.dispatch(steps, scope)

    def _openings(self, request: gateway_pb.FindOpeningsRequest, scope: turn.TurnScope) -> Message:
        limit = request.limit if request.HasField("limit") else _DEFAULT_LISTED
        if not 0 < limit <= _MOST_LISTED:
            raise DomainError("INVALID_ARGUMENTS", f"limit: 1 to {_MOST_LISTED} is expected")
        doctor = {"doctor": request.doctor} if request.HasField("doctor") else {}
        results = self._dispatch(self._clinics_asked(request), turn.LIST, doctor, scope)
        found = turn.openings_of(results, turn.Wish(_filter_of(request)))
        fitting, nearest = (found.listed, ()) if found.fits else ((), found.listed)
        return gateway_pb.FindOpeningsResponse(
            openings=map(_opening, fitting[:limit]),
            found=len(fitting),
            nearest=map(_opening, nearest[:limit]),
            silent=_silent(results),
        )

    def _clinics_asked(self, request: gateway_pb.FindOpeningsRequest) -> list[str]:
        registry, specialty, insurance = self.router.registry, fold(request.specialty), fold(request.insurance)
        codes = dict.fromkeys(code for agent in registry.values() for code in agent.domains)
        if specialty and specialty not in map(fold, codes):
            raise DomainError("INVALID_ARGUMENTS", f"specialty: one of {', '.join(codes)} is expected")
        if unknown := [one for one in request.not_clinics if one not in registry]:
            raise DomainError("INVALID_ARGUMENTS", f"not_clinics: {len(unknown)} of them are no clinics of this mesh")
        asked = [one for one in self.directory.clinics() if one.id not in request.not_clinics]
        if specialty:
            asked = [one for one in asked if specialty in map(fold, registry[one.id].domains)]
        if insurance:
            asked = [one for one in asked if one.details and insurance in fold("\n".join(one.details.insurance))]
        return [one.id for one in asked]

    def _appointments(self, scope: turn.TurnScope) -> gateway_pb.MyAppointmentsResponse:
        results = self._dispatch(tuple(self.router.registry), "list_appointments", {}, scope)
        held = [
            gateway_pb.HeldAppointment(clinic=result.step.clinic, appointment=appointment)
            for result in results
            if isinstance(result.response, pb.ListAppointmentsResponse)
            for appointment in result.response.appointments
        ]
        held.sort(key=attrgetter("appointment.date", "appointment.time"))
        return gateway_pb.MyAppointmentsResponse(appointments=held, silent=_silent(results))


def _well_formed(tool: Tool, arguments: Mapping[str, Json]) -> Message:
    request = request_of(tool, arguments)
    if faults := faults_of(tool.arguments, request):
        raise invalid_arguments(tool, faults)
    return request


def _silent(results: Sequence[turn.StepResult]) -> list[str]:
    return [result.step.clinic for result in results if result.response is None]


def _filter_of(request: gateway_pb.FindOpeningsRequest) -> turn.Filter:
    first, last = getattr(request, "from") or str(date.min), request.to or str(date.max)
    after, before = request.after or str(time.min), request.before or str(time.max)
    days = turn.DateRange(date.fromisoformat(first), date.fromisoformat(last))
    hours = turn.TimeRange(time.fromisoformat(after), time.fromisoformat(before))
    unwanted = turn.WithDoctors(frozenset(request.not_doctors))
    return turn.all_of((turn.OnDates((days,)), turn.AtTimes((hours,)), turn.Not(unwanted)))


def _opening(offer: turn.Offer) -> gateway_pb.Opening:
    day, at = offer.date.isoformat(), turn.clock(offer.time)
    return gateway_pb.Opening(clinic=offer.clinic, doctor=offer.doctor, date=day, time=at, specialty=offer.specialty)
