"""Asks whoever listens at an address, over gRPC, whether it is a clinic, which one, and whether it is well."""

from __future__ import annotations

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from generated.clinic.v1 import clinic_service_pb2, clinic_service_pb2_grpc
from mesh.channel import open_channel
from mesh.tls import ClientTls
from orchestrator.fleet.finding import Present, Stranger
from orchestrator.turn import SERVICE


def interview(address: str, timeout_s: float, tls: ClientTls | None = None) -> Present | Stranger:
    """Return what the listener at an address says of itself.

    Args:
        address: Host and port where somebody listens.
        timeout_s: Seconds for each of two answers.
        tls: What the orchestrator speaks TLS with.
    """
    with open_channel(address, (), tls) as channel:
        try:
            clinic = clinic_service_pb2_grpc.ClinicServiceStub(channel).GetClinic(
                clinic_service_pb2.GetClinicRequest(), timeout=timeout_s
            )
            health = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(service=SERVICE.full_name), timeout=timeout_s
            )
        except grpc.RpcError:
            return Stranger()
    return Present(
        clinic=clinic.clinic_id,
        name=clinic.name,
        agenda=clinic_service_pb2.Agenda.Name(clinic.agenda).removeprefix("AGENDA_").lower(),
        today=clinic.today,
        doctors=tuple(doctor.name for doctor in clinic.doctors),
        is_serving=health.status == health_pb2.HealthCheckResponse.SERVING,
        token_keys=frozenset(clinic.token_keys),
    )
