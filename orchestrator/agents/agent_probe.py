"""Ask an agent who it is, whether it is well, and which tools it offers. None of this takes a token."""

from __future__ import annotations

from collections.abc import Mapping

import grpc
from google.protobuf import struct_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from generated.clinic.v1.clinic_service_pb2 import GetClinicRequest, GetClinicResponse
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from generated.mesh.v1.tool_service_pb2 import CallRequest
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh.errors import DomainError
from mesh.sanitizer import clean_text, sanitized
from orchestrator.turn import SERVICE, Introduction

_HEALTH = health_pb2.HealthCheckRequest(service=SERVICE.full_name)


_MOST_TOOLS = 100
_LONGEST_TOOL = 120


def ask_clinic(channel: grpc.Channel, timeout_s: float) -> GetClinicResponse:
    """Return what a clinic says of itself, sanitized.

    Raise `grpc.RpcError` if it does not answer, or is no clinic, and `DomainError` if its answer cannot be used.
    """
    answer = ClinicServiceStub(channel).GetClinic(GetClinicRequest(), timeout=timeout_s)
    if sanitized(answer) is None:
        raise DomainError("WRONG_ANSWER", "what the clinic says of itself is not what the contract says")
    return answer


def introduction_of(clinic: GetClinicResponse) -> Introduction:
    """Return what a clinic says of itself as the rest of the program knows it."""
    return Introduction(clinic.name, {doctor.name: doctor.specialty for doctor in clinic.doctors if doctor.name})


def ask_health(channel: grpc.Channel, timeout_s: float, *, wait_for_ready: bool = False) -> bool:
    """Return whether a clinic takes calls; raise `grpc.RpcError` without an answer, `ValueError` if closed."""
    answer = health_pb2_grpc.HealthStub(channel).Check(_HEALTH, timeout=timeout_s, wait_for_ready=wait_for_ready)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def serving(channels: Mapping[str, grpc.Channel], timeout_s: float) -> frozenset[str]:
    """Return the ids of the clinics that say that they take calls; all are asked at once."""
    calls = {
        clinic: health_pb2_grpc.HealthStub(channel).Check.future(_HEALTH, timeout=timeout_s)
        for clinic, channel in channels.items()
    }
    return frozenset(clinic for clinic, call in calls.items() if _is_serving(call))


def ask_tools(channel: grpc.Channel, timeout_s: float) -> tuple[str, ...] | None:
    """Return the names of the tools that an agent offers at the envelope door; None when it does not say."""
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(number_value=1), method="tools/list")
    try:
        answer = ToolServiceStub(channel).Call(request, timeout=timeout_s)
    except grpc.RpcError:
        return None
    if "tools" not in answer.result.fields:
        return None
    listed = answer.result.fields["tools"].list_value.values[:_MOST_TOOLS]
    names = (tool.struct_value.fields["name"].string_value for tool in listed)
    return tuple(clean_text(name[:_LONGEST_TOOL]) for name in names)


def _is_serving(call: grpc.Future[health_pb2.HealthCheckResponse]) -> bool:
    try:
        return bool(call.result().status == health_pb2.HealthCheckResponse.SERVING)
    except (grpc.RpcError, grpc.FutureCancelledError):
        return False
