"""What the gateway does for a person: reads of one agent or of all clinics at once, and writes with consent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from operator import attrgetter
from typing import Any, cast

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.gateway.v1 import gateway_service_pb2 as gateway_pb
from mesh.arguments import Json, request_of
from mesh.catalogue import Tool
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from mesh.formats import faults_of
from mesh.limits import Limits, TokenBucket
from mesh.policies import count_call, invalid_arguments
from mesh.text_folding import fold
from orchestrator import turn
from orchestrator.agents import MeshDirectory, MeshRouter, filled_in, timeout_of
from orchestrator.agents.service_contract import Contract
from orchestrator.gateway.gateway_tools import GatewayTool, gateway_tools, shown
from orchestrator.gateway.held_proposals import HeldProposal, ProposalFolder
from orchestrator.texts import Texts

_DEFAULT_LISTED, _MOST_LISTED = 20, 200
_HOST = 60  # characters of a host's name that a clinic logs


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
