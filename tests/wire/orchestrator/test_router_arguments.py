import uuid

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepResult, StepStatus
from orchestrator.turn.step_actions import REASONS
from tests.support.steps import step_of
from tests.wire.orchestrator.scripted import (
    CARLOS,
    TURN,
    Routed,
    ScriptedClinic,
    booked,
    booking,
    listing,
    no_slots,
    routed_to,
)

REQUEST_ID = "7f8c0c1e-52a5-4b0b-8f6e-0f9c9a3f4d21"


class Received:
    """What reached the clinic."""

    def __init__(self) -> None:
        self.bookings: list[pb.BookAppointmentRequest] = []
        self.trace_ids: list[str] = []

    def book(self, request: pb.BookAppointmentRequest, caller: Caller) -> Message:
        self.bookings.append(request)
        self.trace_ids.append(caller.trace_id)
        return booked(request, caller)

    def list(self, request: pb.ListAvailableSlotsRequest, caller: Caller) -> Message:
        self.trace_ids.append(caller.trace_id)
        return no_slots(request, caller)


@pytest.fixture
def received() -> Received:
    return Received()


@pytest.fixture
def clinic(received: Received) -> ScriptedClinic:
    return ScriptedClinic(book_appointment=received.book, list_available_slots=received.list)


def refusal(routed: Routed, step: Step) -> tuple[str, int, str]:
    """Return reason, JSON-RPC code and message of a step that must be refused."""
    (result,) = routed.dispatch(step)
    assert result.status is StepStatus.REFUSED
    assert result.error is not None
    return result.error.reason, REASONS[result.error.reason].json_rpc_code, result.error.message


def test_who_speaks_and_the_request_id_are_filled_in(clinic: ScriptedClinic, received: Received) -> None:
    with routed_to({"clinic_a": clinic}) as routed:
        routed.dispatch(booking(request_id=REQUEST_ID))
    (request,) = received.bookings
    assert (request.patient_name, request.cpf, request.request_id) == (CARLOS.name, CARLOS.cpf, REQUEST_ID)
    assert (request.doctor, request.date, request.time) == ("Dr. Ricardo Lopes", "2025-07-21", "09:00")


def test_a_write_that_was_given_no_request_id_gets_one_of_its_own(clinic: ScriptedClinic, received: Received) -> None:
    with routed_to({"clinic_a": clinic}) as routed:
        routed.dispatch(booking(1), booking(2))
    assert len({uuid.UUID(request.request_id) for request in received.bookings}) == 2


@pytest.mark.parametrize("name", ["patient_name", "cpf", "request_id"])
def test_a_plan_that_brings_what_is_filled_in_is_refused(clinic: ScriptedClinic, received: Received, name: str) -> None:
    step = booking()
    with routed_to({"clinic_a": clinic}) as routed:
        reason, code, message = refusal(
            routed, step_of(1, step.clinic, step.action, {**step.parameters, name: "Maria Souza"})
        )
    assert (reason, code) == ("INVALID_ARGUMENTS", -32602)
    assert name in message
    assert "Maria" not in message
    assert received.bookings == []


@pytest.mark.parametrize(
    ("step", "reason", "code", "named"),
    [
        (step_of(1, "clinic_z", "query", {"query": "asma"}), "UNKNOWN_AGENT", -32601, "clinic_a"),
        (step_of(1, "clinic_a", "raw_response"), "UNKNOWN_TOOL", -32602, "list_available_slots"),
        (step_of(1, "clinic_a", "get_clinic"), "UNKNOWN_TOOL", -32602, "list_available_slots"),
        (step_of(1, "clinic_a", "get_patient"), "INVALID_ARGUMENTS", -32602, "patient_id"),
        (step_of(1, "clinic_a", "query", {"query": "asma", "limit": "3"}), "INVALID_ARGUMENTS", -32602, "limit"),
        (step_of(1, "clinic_a", "query", {"query": " "}), "INVALID_ARGUMENTS", -32602, "query"),
    ],
    ids=["unknown clinic", "unknown tool", "an RPC that is no tool", "missing", "unknown argument", "wrong form"],
)
def test_a_step_that_registry_or_contract_do_not_know_is_refused_naming_what_they_do(
    step: Step, reason: str, code: int, named: str
) -> None:
    with routed_to({"clinic_a": ScriptedClinic()}) as routed:
        said = refusal(routed, step)
    assert said[:2] == (reason, code)
    assert named in said[2]


def test_an_unknown_clinic_costs_its_own_step_only(clinic: ScriptedClinic) -> None:
    with routed_to({"clinic_a": clinic}) as routed:
        unknown, known = routed.dispatch(listing(1, "clinic_z"), listing(2, "clinic_a"))
    assert (unknown.status, known.status) == (StepStatus.REFUSED, StepStatus.DONE)


def test_the_clinic_learns_the_turns_id(clinic: ScriptedClinic, received: Received) -> None:
    with routed_to({"clinic_a": clinic}) as routed:
        routed.dispatch(listing(1), booking(2))
    assert received.trace_ids == [TURN, TURN]


def test_a_result_is_the_typed_response_and_its_representation_tells_none_of_it(clinic: ScriptedClinic) -> None:
    with routed_to({"clinic_a": clinic}) as routed:
        (result,) = routed.dispatch(booking())
    assert isinstance(result, StepResult)
    assert isinstance(result.response, pb.BookAppointmentResponse)
    assert result.response.appointment.cpf == CARLOS.cpf
    assert "Carlos" not in repr(result)
    assert result.error is None
