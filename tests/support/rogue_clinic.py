"""A clinic that need not keep the contract: a gRPC server whose every answer is bytes or a status that a mode chooses.

Modes are in `tests.support.rogue_modes`. Where a mode says nothing, the clinic is an honest one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2
from grpc_status import rpc_status

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse

Answer = Message | bytes
Handler = Callable[[Message, grpc.ServicerContext], Answer]
Write = pb.BookAppointmentRequest | pb.RescheduleAppointmentRequest | pb.CancelAppointmentRequest

DOCTOR, SPECIALTY, LABEL = "Dr. Fernando Mendes", "Cardiology", "Cardiologia"
SLOTS = (("2025-07-18", "10:00"), ("2025-07-19", "14:00"), ("2025-07-22", "09:30"))

REQUESTS: Mapping[str, type[Message]] = {
    "GetClinic": pb.GetClinicRequest,
    "ListAvailableSlots": pb.ListAvailableSlotsRequest,
    "BookAppointment": pb.BookAppointmentRequest,
    "RescheduleAppointment": pb.RescheduleAppointmentRequest,
    "CancelAppointment": pb.CancelAppointmentRequest,
    "ListAppointments": pb.ListAppointmentsRequest,
    "ListPatients": pb.ListPatientsRequest,
    "GetPatient": pb.GetPatientRequest,
    "Query": pb.QueryRequest,
    "Check": health_pb2.HealthCheckRequest,
    "Call": CallRequest,
}
WRITES = frozenset({"BookAppointment", "RescheduleAppointment", "CancelAppointment"})


def slot(day: str, at: str, doctor: str = DOCTOR, label: str = LABEL, *, available: bool = True) -> pb.Slot:
    """Return an opening."""
    return pb.Slot(doctor=doctor, specialty=label, date=day, time=at, available=available)


def described(clinic_id: str = "clinic_c", name: str = "Clínica C", doctor: str = DOCTOR) -> pb.GetClinicResponse:
    """Return what an honest clinic says of itself."""
    return pb.GetClinicResponse(
        clinic_id=clinic_id,
        name=name,
        specialty=SPECIALTY,
        doctors=[pb.Doctor(name=doctor, specialty=LABEL)],
        agenda=pb.AGENDA_BLUEPRINT,
        today="2025-07-15",
    )


def listed(*slots: pb.Slot) -> pb.ListAvailableSlotsResponse:
    """Return a listing."""
    return pb.ListAvailableSlotsResponse(specialty=SPECIALTY, available_slots=slots, note="Informe o horário.")


def held(request: Write, day: str, at: str) -> pb.Appointment:
    """Return the appointment that a request names."""
    return pb.Appointment(
        doctor=request.doctor,
        date=day,
        time=at,
        patient_name=request.patient_name,
        cpf=request.cpf,
        specialty=SPECIALTY,
    )


def acknowledged(request: Message) -> Message:
    """Return the honest acknowledgement of a write."""
    match request:
        case pb.BookAppointmentRequest():
            return pb.BookAppointmentResponse(
                status="confirmed", appointment=held(request, request.date, request.time), message="Feito."
            )
        case pb.RescheduleAppointmentRequest():
            return pb.RescheduleAppointmentResponse(
                status="rescheduled",
                original_appointment=held(request, request.original_date, request.original_time),
                new_appointment=held(request, request.new_date, request.new_time),
                message="Feito.",
            )
        case pb.CancelAppointmentRequest():
            return pb.CancelAppointmentResponse(
                status="cancelled", cancelled_appointment=held(request, request.date, request.time), message="Feito."
            )
        case _:
            raise AssertionError("no write")


def ends(code: grpc.StatusCode, trailing: Sequence[tuple[str, str | bytes]] = ()) -> Handler:
    """Return a handler that ends each call with a bare status."""

    def end(_request: Message, context: grpc.ServicerContext) -> NoReturn:
        context.set_trailing_metadata(tuple(trailing))
        context.abort(code, "Consulta\x1b[2J marcada")

    return end


def refuses(
    reason: str,
    domain: str = "clinic.v1",
    code: grpc.StatusCode = grpc.StatusCode.FAILED_PRECONDITION,
    *,
    metadata: Mapping[str, str] | None = None,
    details: Sequence[Message] = (),
    message: str = "refused",
) -> Handler:
    """Return a handler that refuses each call with an ErrorInfo."""
    info = error_details_pb2.ErrorInfo(reason=reason, domain=domain, metadata=metadata or {})
    status = status_pb2.Status(code=code.value[0], message=message)
    for detail in (info, *details):
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)

    def refuse(_request: Message, context: grpc.ServicerContext) -> NoReturn:
        context.abort_with_status(rpc_status.to_status(status))
        raise AssertionError("abort returned")

    return refuse


@dataclass
class RogueClinic:
    """What a rogue clinic was asked, and what it is to answer.

    Attributes:
        handlers: Answers by the method's name, in the place of the honest ones.
        sent: The writes that came, in order.
    """

    clinic_id: str = "clinic_c"
    name: str = "Clínica C"
    doctor: str = DOCTOR
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    sent: list[Message] = field(default_factory=list)
    address: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, content: bytes, context: grpc.ServicerContext) -> bytes:
        """Answer one call."""
        request = REQUESTS[method].FromString(content)
        if method in WRITES:
            with self._lock:
                self.sent.append(request)
        handler = self.handlers.get(method)
        answer = self._honest(method, request) if handler is None else handler(request, context)
        return answer if isinstance(answer, bytes) else answer.SerializeToString()

    def _honest(self, method: str, request: Message) -> Message:
        match method:
            case "GetClinic":
                return described(self.clinic_id, self.name, self.doctor)
            case "ListAvailableSlots":
                return listed(*(slot(day, at, self.doctor) for day, at in SLOTS))
            case _:
                return _ANSWERS[method] if method in _ANSWERS else acknowledged(request)


_ANSWERS: Mapping[str, Message] = {
    "Check": health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING),
    "ListAppointments": pb.ListAppointmentsResponse(specialty=SPECIALTY),
    "ListPatients": pb.ListPatientsResponse(patients=[pb.PatientSummary(patient_id="CARD-001", condition="Asma")]),
    "GetPatient": pb.GetPatientResponse(patient=pb.Patient(patient_id="CARD-001", name="Ana Lima")),
    "Query": pb.QueryResponse(specialty=SPECIALTY),
    "Call": CallResponse(jsonrpc="2.0"),
}


class _Service(grpc.GenericRpcHandler):
    def __init__(self, clinic: RogueClinic) -> None:
        self._clinic = clinic

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        method = str(details.method).rpartition("/")[2]
        if method not in REQUESTS:
            return None
        return grpc.unary_unary_rpc_method_handler(
            lambda content, context: self._clinic.answer(method, content, context)
        )


@contextmanager
def open_rogue(clinic: RogueClinic) -> Iterator[RogueClinic]:
    """Serve a rogue clinic and yield it with its address."""
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.max_metadata_size", 1 << 20)])
    server.add_generic_rpc_handlers((_Service(clinic),))
    clinic.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield clinic
    finally:
        server.stop(None).wait()
