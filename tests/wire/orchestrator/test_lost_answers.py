"""A real clinic behind a network that loses answers: the write is made, and nobody is told."""

import json
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from orchestrator.turn.routing import StepStatus
from orchestrator.turn.step_actions import CATALOGUE
from tests.support.steps import step_of
from tests.wire.orchestrator.scripted import CARLOS, WAIT_S, Routed, ScriptedClinic, booking, open_clinic, open_router

NOW = "2025-07-15T08:00-03:00"


@dataclass
class LossyNetwork:
    """Passes bookings and cancellations on to a clinic and loses as many answers as it is told to."""

    to: grpc.Channel
    losing: float = 0
    seen: Counter[str] = field(default_factory=Counter)

    def book(self, request: pb.BookAppointmentRequest, caller: Caller) -> Message:
        return self._carry("book_appointment", request, request.request_id, caller)

    def cancel(self, request: pb.CancelAppointmentRequest, caller: Caller) -> Message:
        return self._carry("cancel_appointment", request, request.request_id, caller)

    def _carry(self, tool: str, request: Message, request_id: str, caller: Caller) -> Message:
        response = call_tool(
            self.to, CATALOGUE[tool], request, CallOptions(timeout_s=caller.remaining_s, trace_id=caller.trace_id)
        ).message
        self.seen[request_id] += 1
        if self.losing > 0:
            self.losing -= 1
            raise DomainError("UNREACHABLE", "the answer is lost")
        return response


@pytest.fixture
def network(tmp_path: Path) -> Iterator[LossyNetwork]:
    with (
        serve("clinic_a", listen="127.0.0.1:0", silo=tmp_path, agenda="blueprint", now=NOW) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        yield LossyNetwork(channel)


@pytest.fixture
def routed(network: LossyNetwork) -> Iterator[Routed]:
    script = ScriptedClinic(book_appointment=network.book, cancel_appointment=network.cancel)
    with open_clinic(script) as server, open_router({"clinic_a": server.address}) as router:
        yield router


def taken(silo: Path) -> list[tuple[str, str, str]]:
    slots = json.loads((silo / "db.json").read_text("utf-8"))["slots"]
    return [(slot["date"], slot["time"], slot["cpf"]) for slot in slots if not slot["available"]]


def test_one_lost_answer_is_asked_for_again_unnoticed_and_books_once(
    routed: Routed, network: LossyNetwork, tmp_path: Path
) -> None:
    network.losing = 1
    step = booking(request_id=str(uuid.uuid4()))
    (result,) = routed.dispatch(step)
    assert result.status is StepStatus.DONE
    assert network.seen == {step.request_id: 2}
    assert taken(tmp_path) == [("2025-07-21", "09:00", CARLOS.cpf)]


def test_the_same_request_id_finds_out_that_a_booking_of_unknown_outcome_was_made(
    routed: Routed, network: LossyNetwork, tmp_path: Path
) -> None:
    network.losing = float("inf")
    step = booking(request_id=str(uuid.uuid4()))
    (lost,) = routed.dispatch(step)
    assert lost.status is StepStatus.UNKNOWN
    network.losing = 0
    (found,) = routed.dispatch(step)
    assert isinstance(found.response, pb.BookAppointmentResponse)
    assert found.response.appointment.date == "2025-07-21"
    assert set(network.seen) == {step.request_id}
    assert taken(tmp_path) == [("2025-07-21", "09:00", CARLOS.cpf)]


def test_another_request_id_finds_its_own_booking_in_the_way(routed: Routed, network: LossyNetwork) -> None:
    network.losing = float("inf")
    routed.dispatch(booking(request_id=str(uuid.uuid4())))
    network.losing = 0
    (again,) = routed.dispatch(booking(request_id=str(uuid.uuid4())))
    assert again.status is StepStatus.REFUSED
    assert again.error is not None
    assert again.error.reason == "ALREADY_BOOKED"


def test_a_cancellation_whose_answer_was_lost_is_found_out_too(
    routed: Routed, network: LossyNetwork, tmp_path: Path
) -> None:
    booked = booking(request_id=str(uuid.uuid4()))
    routed.dispatch(booked)
    cancelling = step_of(1, "clinic_a", "cancel_appointment", booked.parameters, str(uuid.uuid4()))
    network.losing = float("inf")
    (lost,) = routed.dispatch(cancelling)
    assert lost.status is StepStatus.UNKNOWN
    assert taken(tmp_path) == []
    network.losing = 0
    (found,) = routed.dispatch(cancelling)
    assert isinstance(found.response, pb.CancelAppointmentResponse)


def test_a_booking_that_was_stopped_while_it_was_made_is_found_out(network: LossyNetwork, tmp_path: Path) -> None:
    made, release = threading.Event(), threading.Event()

    def hold(request: pb.BookAppointmentRequest, caller: Caller) -> Message:
        response = network.book(request, caller)
        made.set()
        assert release.wait(WAIT_S)
        return response

    with (
        open_clinic(ScriptedClinic(book_appointment=hold)) as server,
        open_router({"clinic_a": server.address}) as routed,
    ):
        step = booking(request_id=str(uuid.uuid4()))

        def stop() -> None:
            assert made.wait(WAIT_S)
            routed.cancel.set()

        stopping = threading.Thread(target=stop)
        stopping.start()
        (stopped,) = routed.dispatch(step)
        stopping.join(WAIT_S)
        release.set()
        assert stopped.status is StepStatus.UNKNOWN
        routed.cancel.clear()
        (found,) = routed.dispatch(step)
    assert found.status is StepStatus.DONE
    assert taken(tmp_path) == [("2025-07-21", "09:00", CARLOS.cpf)]
