"""Ask an agent who it is, whether it is well, and which tools it offers. None of this takes a token."""

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar, cast

import grpc
from google.protobuf import struct_pb2
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from generated.clinic.v1.clinic_service_pb2 import GetClinicRequest, GetClinicResponse
from generated.mesh.v1.refusal_service_pb2 import ListRefusalsRequest, ListRefusalsResponse, Refusal
from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse
from mesh.channel import bearer
from mesh.errors import DomainError
from mesh.sanitizer import clean_text, received
from orchestrator.turn import SERVICE, Introduction, SpecialtyWords

_GET_CLINIC = f"/{SERVICE.full_name}/GetClinic"
_CALL = "/mesh.v1.ToolService/Call"
_REFUSALS = "/mesh.v1.RefusalService/ListRefusals"
_CHECK = "/grpc.health.v1.Health/Check"
_HEALTH = health_pb2.HealthCheckRequest(service=SERVICE.full_name)
_MOST_TOOLS = 100
_LONGEST_TOOL = 120

_Response = TypeVar("_Response", bound=Message)
if TYPE_CHECKING:
    # grpc's classes are generic in its type stubs only.
    _Method = grpc.UnaryUnaryMultiCallable[Message, tuple[_Response, ...]]


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
