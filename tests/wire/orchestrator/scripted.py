"""Real gRPC servers of the clinic's contract whose handlers a test writes, and a router that calls them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import error_reason_pb2
from mesh.caller import Caller
from mesh.policies import Handler
from mesh.server import Server, open_node
from orchestrator.agents.mesh_directory import Channels
from orchestrator.agents.registry import Agent, Registry
from orchestrator.agents.router import MeshRouter
from orchestrator.journal.events import Event, EventChannel
from orchestrator.turn.identity import Identity
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepResult, StepStatus, TurnScope
from orchestrator.turn.step_actions import SERVICE
from tests.support.steps import step_of
from tests.support.tokens import any_credentials

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")
TURN = "0d9f3c5e-8f0a-4f7e-9d43-2f1f7c0a6b11"
WAIT_S = 20.0
"""Seconds after which a test that waits has failed."""


def statuses(results: Sequence[StepResult]) -> list[StepStatus]:
    """Return how the steps ended."""
    return [result.status for result in results]


def unforeseen(_request: Message, _caller: Caller) -> Message:
    """Answer what the test did not script."""
    raise AssertionError("this test scripts no such call")


def no_slots(_request: Message, _caller: Caller) -> pb.ListAvailableSlotsResponse:
    """Answer an empty agenda."""
    return pb.ListAvailableSlotsResponse(specialty="Cardiology", note="Não há horários.")


def booked(request: pb.BookAppointmentRequest, _caller: Caller) -> pb.BookAppointmentResponse:
    """Agree to any booking."""
    appointment = pb.Appointment(
        doctor=request.doctor,
        date=request.date,
        time=request.time,
        patient_name=request.patient_name,
        cpf=request.cpf,
        specialty="Cardiology",
    )
    return pb.BookAppointmentResponse(status="confirmed", appointment=appointment, message="Feito.")


@dataclass(frozen=True, slots=True)
class ScriptedClinic:
    """An implementation of the contract, handler by handler."""

    get_clinic: Handler = unforeseen
    list_available_slots: Handler = no_slots
    book_appointment: Handler = booked
    reschedule_appointment: Handler = unforeseen
    cancel_appointment: Handler = unforeseen
    list_patients: Handler = unforeseen
    get_patient: Handler = unforeseen
    query: Handler = unforeseen
    list_appointments: Handler = unforeseen
    open_slots: Handler = unforeseen
    close_slots: Handler = unforeseen
    list_agenda: Handler = unforeseen


def open_clinic(clinic: ScriptedClinic, listen: str = "127.0.0.1:0") -> Server:
    """Serve a scripted clinic."""
    return open_node("clinic", listen, {SERVICE: clinic}, [error_reason_pb2.ErrorReason.DESCRIPTOR])


@contextmanager
def nobody_listening() -> Iterator[str]:
    """Yield an address that refuses connections as long as the context lasts."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{held.getsockname()[1]}"


def registry_of(addresses: Mapping[str, str]) -> Registry:
    """Return a registry of cardiology clinics."""
    return Registry({clinic: Agent(clinic, "Cardiology", address) for clinic, address in addresses.items()})


@dataclass
class Routed:
    """A router and what it told its listeners."""

    router: MeshRouter
    channel: EventChannel
    events: list[Event]
    cancel: threading.Event = field(default_factory=threading.Event)

    def dispatch(self, *steps: Step) -> tuple[StepResult, ...]:
        """Execute the steps of one turn of Carlos."""
        return self.router.dispatch(steps, TurnScope(CARLOS, cancel=self.cancel, turn_id=TURN))


@contextmanager
def open_router(addresses: Mapping[str, str]) -> Iterator[Routed]:
    """Yield a router to clinics that run elsewhere."""
    events: list[Event] = []
    channel = EventChannel([events.append])
    with Channels() as channels, MeshRouter(registry_of(addresses), channels, channel, any_credentials()) as router:
        yield Routed(router, channel, events)


@contextmanager
def routed_to(clinics: Mapping[str, ScriptedClinic], down: Sequence[str] = ()) -> Iterator[Routed]:
    """Yield a router to scripted clinics, and to some that are down."""
    with ExitStack() as parts:
        addresses = {clinic: parts.enter_context(nobody_listening()) for clinic in down}
        for clinic, script in clinics.items():
            addresses[clinic] = parts.enter_context(open_clinic(script)).address
        yield parts.enter_context(open_router(addresses))


def listing(step_id: int = 1, clinic: str = "clinic_a", **parameters: str) -> Step:
    """Return a step that reads."""
    return step_of(step_id, clinic, "list_available_slots", parameters)


def booking(step_id: int = 1, clinic: str = "clinic_a", request_id: str | None = None) -> Step:
    """Return a step that writes."""
    slot = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
    return step_of(step_id, clinic, "book_appointment", slot, request_id)
