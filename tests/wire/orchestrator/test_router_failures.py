import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.server import open_node
from orchestrator.agents import router
from orchestrator.journal.events import ClinicAsked, Event
from orchestrator.turn.plan import Step
from orchestrator.turn.routing import StepStatus
from tests.support.doors import stop
from tests.wire.orchestrator.scripted import (
    WAIT_S,
    Routed,
    ScriptedClinic,
    booked,
    booking,
    listing,
    no_slots,
    open_clinic,
    open_router,
    routed_to,
    statuses,
)

UNCHANGED = {"outcome": "unchanged"}


@pytest.mark.long(but=1)
@pytest.mark.parametrize("step", [listing, booking], ids=["read", "write"])
def test_a_clinic_that_is_down_costs_its_own_answer_only(
    monkeypatch: pytest.MonkeyPatch, step: Callable[..., Step]
) -> None:
    monkeypatch.setattr(router, "CONNECT_TIMEOUT_S", 3.0)
    with routed_to({"clinic_a": ScriptedClinic()}, down=["clinic_b", "clinic_c"]) as routed:
        results = routed.dispatch(step(1, "clinic_b"), step(2, "clinic_a"), step(3, "clinic_c"))
    assert statuses(results) == [StepStatus.UNREACHED, StepStatus.DONE, StepStatus.UNREACHED]
    assert {result.error.reason for result in results if result.error} == {"UNREACHABLE"}


def test_a_write_that_found_no_connection_is_known_not_to_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(router, "CONNECT_TIMEOUT_S", 0.2)
    with routed_to({}, down=["clinic_a"]) as routed:
        (result,) = routed.dispatch(booking())
    assert result.status is StepStatus.UNREACHED
    assert result.error is not None
    assert result.error.metadata == UNCHANGED


def test_an_agent_that_serves_something_else_is_not_reached() -> None:
    with open_node("library", "127.0.0.1:0", {}, []) as other, open_router({"clinic_a": other.address}) as routed:
        results = [*routed.dispatch(listing()), *routed.dispatch(booking())]
    assert statuses(results) == [StepStatus.UNREACHED] * 2


def test_a_write_that_is_cut_after_it_was_sent_may_or_may_not_have_been_made() -> None:
    arrived, released = threading.Event(), threading.Event()

    def slow(request: pb.BookAppointmentRequest, caller: Caller) -> Message:
        arrived.set()
        assert released.wait(WAIT_S)
        return booked(request, caller)

    with ExitStack() as parts:
        server = parts.enter_context(open_clinic(ScriptedClinic(book_appointment=slow)))
        parts.callback(released.set)
        routed = parts.enter_context(open_router({"clinic_a": server.address}))

        def cut() -> None:
            assert arrived.wait(WAIT_S)
            stop(server)

        cutting = threading.Thread(target=cut)
        cutting.start()
        (result,) = routed.dispatch(booking())
        released.set()
        cutting.join(WAIT_S)
    assert result.status is StepStatus.UNKNOWN


@pytest.mark.parametrize(
    ("error", "read", "write"),
    [
        (DomainError("UNREACHABLE", "gone"), StepStatus.UNREACHED, StepStatus.UNKNOWN),
        (DomainError("TIMED_OUT", "late"), StepStatus.UNREACHED, StepStatus.UNKNOWN),
        (DomainError("INTERNAL", "broken"), StepStatus.REFUSED, StepStatus.UNKNOWN),
        (DomainError("OVERLOADED", "full"), StepStatus.UNREACHED, StepStatus.UNREACHED),
        (DomainError("RATE_LIMITED", "too often"), StepStatus.REFUSED, StepStatus.REFUSED),
        (DomainError("SLOT_UNAVAILABLE", "taken"), StepStatus.REFUSED, StepStatus.REFUSED),
        (DomainError("STORAGE_UNAVAILABLE", "disk", metadata=UNCHANGED), StepStatus.REFUSED, StepStatus.REFUSED),
        (
            DomainError("STORAGE_UNAVAILABLE", "disk", metadata={"outcome": "unknown"}),
            StepStatus.REFUSED,
            StepStatus.UNKNOWN,
        ),
    ],
    ids=lambda value: value.reason if isinstance(value, DomainError) else None,
)
def test_what_a_failure_says_of_a_read_and_of_a_write(error: DomainError, read: StepStatus, write: StepStatus) -> None:
    def fail(_request: Message, _caller: Caller) -> Message:
        raise error

    with routed_to({"clinic_a": ScriptedClinic(list_available_slots=fail, book_appointment=fail)}) as routed:
        results = [*routed.dispatch(listing()), *routed.dispatch(booking())]
    assert statuses(results) == [read, write]
    assert [result.error.reason for result in results if result.error] == [error.reason] * 2


def test_an_answer_that_is_not_what_the_contract_says_costs_itself_only_and_leaves_a_write_unknown() -> None:
    def listed(_request: Message, _caller: Caller) -> Message:
        return pb.ListAvailableSlotsResponse(note="." * 501)

    def acknowledged(_request: Message, _caller: Caller) -> Message:
        return pb.BookAppointmentResponse(status="confirmed", appointment=pb.Appointment(date="soon", time="09:00"))

    def refused(_request: Message, _caller: Caller) -> Message:
        near = pb.SlotAlternatives(slots=[pb.Slot(date="2025-02-30", time="09:00")])
        raise DomainError("SLOT_UNAVAILABLE", "taken", details=(near,))

    wrong = ScriptedClinic(list_available_slots=listed, book_appointment=acknowledged)
    with routed_to({"clinic_a": wrong, "clinic_c": ScriptedClinic(book_appointment=refused)}) as routed:
        results = [*routed.dispatch(listing(), listing(2, "clinic_c")), *routed.dispatch(booking())]
        (taken,) = routed.dispatch(booking(clinic="clinic_c"))
    assert statuses(results) == [StepStatus.REFUSED, StepStatus.DONE, StepStatus.UNKNOWN]
    assert taken.error is not None
    assert (taken.status, taken.error.details) == (StepStatus.REFUSED, (pb.SlotAlternatives(),))


@pytest.mark.parametrize(
    ("step", "status"), [(listing, StepStatus.UNREACHED), (booking, StepStatus.UNKNOWN)], ids=["read", "write"]
)
def test_stopping_the_turn_ends_what_runs_and_skips_what_follows(step: Callable[..., Step], status: StepStatus) -> None:
    released = threading.Event()
    with ExitStack() as parts:
        routed: Routed

        def hold(_request: Message, _caller: Caller) -> Message:
            routed.cancel.set()
            assert released.wait(WAIT_S)
            return pb.QueryResponse()

        clinic = ScriptedClinic(list_available_slots=hold, book_appointment=hold)
        routed = parts.enter_context(routed_to({"clinic_a": clinic}))
        parts.callback(released.set)
        first, second = routed.dispatch(step(1), step(2))
    assert (first.status, second.status) == (status, StepStatus.SKIPPED)
    assert first.error is not None
    assert "cancelled" in first.error.message


def test_stopping_the_turn_ends_the_wait_for_a_connection() -> None:
    with routed_to({}, down=["clinic_a"]) as routed:

        def stop(event: Event) -> None:
            if isinstance(event, ClinicAsked):
                routed.cancel.set()

        routed.channel.subscribe(stop)
        (result,) = routed.dispatch(booking())
    assert result.status is StepStatus.UNREACHED
    assert result.error is not None
    assert "stopped" in result.error.message
    assert result.error.metadata == UNCHANGED


def test_a_turn_that_was_stopped_before_it_began_asks_nobody() -> None:
    with routed_to({"clinic_a": ScriptedClinic()}) as routed:
        routed.cancel.set()
        results = routed.dispatch(listing(1), booking(2))
    assert statuses(results) == [StepStatus.SKIPPED] * 2
    assert routed.events == []


def test_the_next_turn_is_answered_after_one_that_was_stopped() -> None:
    with routed_to({"clinic_a": ScriptedClinic(list_available_slots=no_slots)}) as routed:
        routed.cancel.set()
        routed.dispatch(listing())
        routed.cancel.clear()
        assert statuses(routed.dispatch(listing())) == [StepStatus.DONE]


def test_a_clinic_that_comes_back_is_reached_by_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_clinic(ScriptedClinic()) as first, open_router({"clinic_a": first.address}) as routed:
        assert statuses(routed.dispatch(booking())) == [StepStatus.DONE]
        stop(first)
        with monkeypatch.context() as patch:
            patch.setattr(router, "CONNECT_TIMEOUT_S", 0.2)
            assert statuses(routed.dispatch(booking())) == [StepStatus.UNREACHED]
        with open_clinic(ScriptedClinic(), first.address):
            assert statuses(routed.dispatch(booking())) == [StepStatus.DONE]
