"""Ask agents, without a token, who they are and what they offer; clinics all at once, over channels that are kept."""

import logging
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, TypeVar, cast

import grpc
from google.protobuf import struct_pb2
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from generated.clinic.v1.clinic_service_pb2 import GetClinicRequest, GetClinicResponse
from generated.mesh.v1.refusal_service_pb2 import ListRefusalsRequest, ListRefusalsResponse, Refusal
from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse
from mesh.channel import bearer, open_channel
from mesh.errors import DomainError
from mesh.sanitizer import clean_text, received
from mesh.text_folding import fold
from mesh.tls import TlsNow
from orchestrator.agents.registry import Agent, Registry
from orchestrator.turn import SERVICE, Clinic, Introduction, SpecialtyWords

_GET_CLINIC = f"/{SERVICE.full_name}/GetClinic"
_CALL = "/mesh.v1.ToolService/Call"
_REFUSALS = "/mesh.v1.RefusalService/ListRefusals"
_CHECK = "/grpc.health.v1.Health/Check"
_HEALTH = health_pb2.HealthCheckRequest(service=SERVICE.full_name)
_MOST_TOOLS = 100
_LONGEST_TOOL = 120

_Response = TypeVar("_Response", bound=Message)
if TYPE_CHECKING:
    from mesh.telemetry_sdk import OpenTelemetry

    # grpc's classes are generic in its type stubs only.
    _Method = grpc.UnaryUnaryMultiCallable[Message, tuple[_Response, ...]]

MOST_AT_ONCE = 64  # agents that are asked at the same time, however many there are: each takes a thread
ASK_AGAIN_AFTER_S = 2.0  # seconds for which a clinic that did not answer is left alone
_TIMEOUT_S = 1.0

_Asked = TypeVar("_Asked")
_Said = TypeVar("_Said")
_log = logging.getLogger(__name__)


def ask_clinic(channel: grpc.Channel, timeout_s: float) -> GetClinicResponse:
    """Return what a clinic says of itself; raise `grpc.RpcError` without an answer, `DomainError` for a useless one."""
    for answer in _method(channel, _GET_CLINIC, GetClinicResponse)(GetClinicRequest(), timeout=timeout_s):
        return answer
    raise DomainError("WRONG_ANSWER", "what the clinic says of itself is not what the contract says")


def introduction_of(clinic: GetClinicResponse) -> Introduction:
    """Return what a clinic says of itself as the rest of the program knows it."""
    doctors = {doctor.name: doctor.specialty for doctor in clinic.doctors if doctor.name}
    said = clinic.specialty_words
    # A clinic of an earlier release says what its specialty is called with each doctor.
    called = said.portuguese or next(iter(doctors.values()), "")
    words = SpecialtyWords(called, tuple(said.names), tuple(said.complaints), tuple(said.body))
    return Introduction(clinic.name, doctors, clinic.details, clinic.policy, bool(clinic.token_keys), words)


def ask_health(
    channel: grpc.Channel, timeout_s: float, token: str | None = None, *, wait_for_ready: bool = False
) -> bool:
    """Return whether a clinic takes calls; raise `grpc.RpcError` without an answer, `ValueError` if closed."""
    # No token is needed, but a busy clinic keeps places for callers with one.
    check = _method(channel, _CHECK, health_pb2.HealthCheckResponse)
    answers = check(_HEALTH, timeout=timeout_s, wait_for_ready=wait_for_ready, metadata=bearer(token))
    return any(answer.status == health_pb2.HealthCheckResponse.SERVING for answer in answers)


def ask_tools(channel: grpc.Channel, timeout_s: float) -> tuple[str, ...] | None:
    """Return the names of the tools that an agent offers at the envelope door; None when it does not say."""
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(number_value=1), method="tools/list")
    with suppress(grpc.RpcError):
        for answer in _method(channel, _CALL, CallResponse)(request, timeout=timeout_s):
            if "tools" in answer.result.fields:
                listed = answer.result.fields["tools"].list_value.values[:_MOST_TOOLS]
                names = (tool.struct_value.fields["name"].string_value for tool in listed)
                return tuple(clean_text(name[:_LONGEST_TOOL]) for name in names)
    return None


def ask_refusals(channel: grpc.Channel, timeout_s: float) -> tuple[Refusal, ...] | None:
    """Return how often an agent refused calls since it serves, by method and reason; None when it does not say."""
    with suppress(grpc.RpcError):
        for answer in _method(channel, _REFUSALS, ListRefusalsResponse)(ListRefusalsRequest(), timeout=timeout_s):
            return tuple(answer.refusals)
    return None


def _method(channel: grpc.Channel, path: str, response: type[_Response]) -> "_Method[_Response]":
    """Return a method whose answer is a message, sanitized, or none: gRPC itself would log what cannot be read."""

    def read(content: bytes) -> tuple[_Response, ...]:
        answer = received(response, content)
        return () if answer is None else (cast("_Response", answer.message),)

    return channel.unary_unary(
        path, request_serializer=lambda message: message.SerializeToString(), response_deserializer=read
    )


class Channels(AbstractContextManager["Channels"]):
    """Channels by address; a context manager that closes them. Without TLS they speak in the clear."""

    def __init__(self, tls: TlsNow = lambda: None, telemetry: "OpenTelemetry | None" = None) -> None:
        self._tls, self._shown = tls, tls()
        self._telemetry = telemetry
        self._lock = threading.Lock()
        self._open: dict[str, grpc.Channel] = {}

    def to(self, agent: Agent) -> grpc.Channel:
        """Return the channel to an agent."""
        with self._lock:
            if (now := self._tls()) != self._shown:
                self._shown, self._open = now, {}  # calls under way end on the channels that they began on
            channel = self._open.get(agent.address)
            if channel is None:
                channel = open_channel(agent.address, [SERVICE], now)
                if self._telemetry is not None:
                    channel = self._telemetry.observed(channel, agent.address)
                self._open[agent.address] = channel
            return channel

    def hang_up(self) -> None:
        """Close all channels: calls under way end at once, and who asks for a channel later gets a new one."""
        with self._lock:
            channels, self._open = self._open, {}
        for channel in channels.values():
            channel.close()

    def __exit__(self, *_: object) -> None:
        self.hang_up()


def at_once(ask: Callable[[_Asked], _Said], whom: Collection[_Asked]) -> list[_Said]:
    """Return what `ask` returns for each, `MOST_AT_ONCE` at a time."""
    with ThreadPoolExecutor(min(len(whom), MOST_AT_ONCE) or 1, "asking") as pool:
        return list(pool.map(ask, whom))


def serving(channels: Mapping[str, grpc.Channel], timeout_s: float) -> frozenset[str]:
    """Return the ids of the clinics that say that they take calls; all are asked at once."""

    def is_serving(channel: grpc.Channel) -> bool:
        try:
            return ask_health(channel, timeout_s)
        except (grpc.RpcError, ValueError):
            return False

    return frozenset(compress(channels, at_once(is_serving, channels.values())))


@dataclass(eq=False)
class MeshDirectory:
    """The `Directory` of a registry's clinics, as they describe themselves."""

    registry: Registry
    channels: Channels
    met: Mapping[str, Introduction] = field(default_factory=dict)  # what some have just said
    # for which one that does not answer is left alone: asking it would delay every turn
    ask_again_after_s: float = ASK_AGAIN_AFTER_S

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        # By all that the registry says of an agent: one that has moved since is asked again.
        self._said = {agent: self.met[agent.id] for agent in self.registry.values() if agent.id in self.met}
        self._known = _believed(self._said)
        self._asked_at: dict[Agent, float] = {}
        # What was returned last, and what it was made of.
        self._composed: tuple[tuple[Sequence[Agent], Mapping[Agent, Introduction]], tuple[Clinic, ...]] = ((), {}), ()

    def clinics(self) -> tuple[Clinic, ...]:
        """Return every clinic of the registry; those that never answered have no doctors."""
        agents = tuple(self.registry.values())
        known = self._introductions(agents)
        before, clinics = self._composed
        if before != (agents, known):
            clinics = tuple(_clinics(agents, known))
            self._composed = (agents, known), clinics
        return clinics

    def introduction(self, agent: Agent, unlike: Introduction | None = None) -> Introduction | None:
        """Return what a clinic says of itself, asked again where it is still `unlike`; None until it has answered."""
        if unlike is not None:  # it may have other doctors by now
            with self._lock:
                if self._known.get(agent) == unlike and self._is_due(agent, time.monotonic()):
                    self._ask([agent])
        return self._introductions((agent,)).get(agent)

    def _introductions(self, agents: Sequence[Agent]) -> Mapping[Agent, Introduction]:
        with self._lock:
            now = time.monotonic()
            if due := [agent for agent in agents if agent not in self._known and self._is_due(agent, now)]:
                self._ask(due)
            return {agent: self._known[agent] for agent in agents if agent in self._known}

    def _is_due(self, agent: Agent, now: float) -> bool:
        return now - self._asked_at.get(agent, float("-inf")) >= self.ask_again_after_s

    def _ask(self, agents: Sequence[Agent]) -> None:
        answers = at_once(partial(self._describe, time.monotonic() + _TIMEOUT_S), agents)
        self._said |= {agent: said for agent, said in zip(agents, answers, strict=True) if said is not None}
        self._known = _believed(self._said)
        self._asked_at.update(dict.fromkeys(agents, time.monotonic()))

    def _describe(self, until: float, agent: Agent) -> Introduction | None:
        try:
            answer = ask_clinic(self.channels.to(agent), until - time.monotonic())
        except grpc.RpcError:
            return None
        except DomainError as error:
            _log.error("%s is not believed: %s", agent.id, error.message)
            return None
        if answer.clinic_id != agent.id:
            _log.error("%s is registered at %s, but %s answers there", agent.id, agent.address, answer.clinic_id)
            return None
        return introduction_of(answer)


def _believed(said: Mapping[Agent, Introduction]) -> Mapping[Agent, Introduction]:
    """Return introductions without the doctors of specialties that are other agents' by the registry."""
    names = {agent: introduction.words.portuguese for agent, introduction in said.items()}
    believed: dict[Agent, Introduction] = {}
    for agent, introduction in said.items():
        foreign = {name for other, name in names.items() if other.specialty not in agent.domains} - {names[agent]}
        own = {name: specialty for name, specialty in introduction.doctors.items() if specialty not in foreign}
        if len(own) < len(introduction.doctors):
            _log.warning("%s names %d doctors of other specialties", agent.id, len(introduction.doctors) - len(own))
        believed[agent] = replace(introduction, doctors=own)
    return believed


def _clinics(agents: Sequence[Agent], known: Mapping[Agent, Introduction]) -> Iterator[Clinic]:
    words = {agent.specialty: said.words for agent, said in known.items()}
    for agent, name in zip(agents, _distinct_names(agents, known), strict=True):
        said = known.get(agent)
        if said is None:
            yield Clinic(agent.id, name, agent.specialty, words=words.get(agent.specialty, SpecialtyWords()))
        else:
            known_of_it = said.details, said.policy, said.knows_callers, said.words
            yield Clinic(agent.id, name, agent.specialty, tuple(said.doctors), *known_of_it)


def _distinct_names(agents: Sequence[Agent], known: Mapping[Agent, Introduction]) -> Iterator[str]:
    """Yield the name of each agent; with its id where another agent may be taken for it."""
    names = [agent.name or (known[agent].name if agent in known else "") or agent.id for agent in agents]
    alike = Counter(map(fold, names)) + Counter(agent.id for agent in agents)
    for agent, name in zip(agents, names, strict=True):
        own = 2 if name == agent.id else 1
        is_plain = all(unicodedata.name(letter, "").startswith("LATIN") for letter in name if letter.isalpha())
        is_sure = agent.name is not None or (is_plain and alike[fold(name)] <= own)
        yield name if is_sure else f"{name} ({agent.id})"
