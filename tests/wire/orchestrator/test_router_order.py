import threading
from dataclasses import replace

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.errors import DomainError
from orchestrator.journal.events import ClinicAnswered, ClinicAsked, Event
from orchestrator.turn.routing import StepStatus
from tests.wire.orchestrator.scripted import (
    WAIT_S,
    ScriptedClinic,
    booked,
    booking,
    listing,
    no_slots,
    routed_to,
    statuses,
    unforeseen,
)

SIX = [f"clinic_{letter}" for letter in "abcdef"]


def test_six_clinics_are_asked_at_the_same_time() -> None:
    everybody = threading.Barrier(6)

    def together(request: Message, caller: Caller) -> Message:
        everybody.wait(WAIT_S)
        return no_slots(request, caller)

    with routed_to(dict.fromkeys(SIX, ScriptedClinic(list_available_slots=together))) as routed:
        results = routed.dispatch(*(listing(number, clinic) for number, clinic in enumerate(SIX, 1)))
    assert statuses(results) == [StepStatus.DONE] * 6


def test_results_are_in_the_steps_order_whichever_clinic_answers_first() -> None:
    other_answered = threading.Event()

    def after_the_other(request: Message, caller: Caller) -> Message:
        assert other_answered.wait(WAIT_S)
        return no_slots(request, caller)

    def hear(event: Event) -> None:
        if isinstance(event, ClinicAnswered) and event.clinic == "clinic_c":
            other_answered.set()

    clinics = {"clinic_a": ScriptedClinic(list_available_slots=after_the_other), "clinic_c": ScriptedClinic()}
    with routed_to(clinics) as routed:
        routed.channel.subscribe(hear)
        results = routed.dispatch(listing(1, "clinic_a"), listing(2, "clinic_c"))
    assert statuses(results) == [StepStatus.DONE] * 2
    assert [result.step.clinic for result in results] == ["clinic_a", "clinic_c"]


def test_steps_of_one_clinic_run_one_after_another_in_order() -> None:
    alone = threading.Lock()
    asked: list[str] = []

    def one_at_a_time(request: pb.ListAvailableSlotsRequest, caller: Caller) -> Message:
        assert alone.acquire(blocking=False), "two steps of one clinic overlap"
        asked.append(request.doctor)
        response = no_slots(request, caller)
        alone.release()
        return response

    with routed_to({"clinic_a": ScriptedClinic(list_available_slots=one_at_a_time)}) as routed:
        results = routed.dispatch(*(listing(number, doctor=f"Doctor {number}") for number in range(1, 9)))
    assert statuses(results) == [StepStatus.DONE] * 8
    assert asked == [f"Doctor {number}" for number in range(1, 9)]


def test_a_failure_skips_what_follows_at_that_clinic_and_nothing_elsewhere() -> None:
    def taken(_request: Message, _caller: Caller) -> Message:
        raise DomainError("SLOT_UNAVAILABLE", "This slot is not open.")

    clinics = {"clinic_a": ScriptedClinic(book_appointment=taken), "clinic_c": ScriptedClinic()}
    steps = (listing(1), booking(2), listing(3), booking(4, "clinic_c"), listing(5), listing(6, "clinic_c"))
    with routed_to(clinics) as routed:
        results = routed.dispatch(*steps)
    assert [result.step for result in results] == list(steps)
    done, refused, skipped = StepStatus.DONE, StepStatus.REFUSED, StepStatus.SKIPPED
    assert statuses(results) == [done, refused, skipped, done, skipped, done]
    assert {event.step_id for event in routed.events if isinstance(event, ClinicAsked)} == {1, 2, 4, 6}


def test_every_step_is_told_when_it_begins_and_when_it_ends() -> None:
    with routed_to(dict.fromkeys(SIX, ScriptedClinic())) as routed:
        routed.dispatch(*(listing(number, clinic) for number, clinic in enumerate(SIX, 1)))
    for clinic in SIX:
        told = [event for event in routed.events if isinstance(event, ClinicAsked | ClinicAnswered)]
        assert [type(event) for event in told if event.clinic == clinic] == [ClinicAsked, ClinicAnswered]


def test_a_listener_is_told_one_event_at_a_time() -> None:
    inside = threading.Semaphore()
    overlap = threading.Event()

    def hear(_event: Event) -> None:
        if not inside.acquire(blocking=False):
            overlap.set()
            return
        overlap.wait(0.1)  # the other clinic's event would come now
        inside.release()

    with routed_to({"clinic_a": ScriptedClinic(), "clinic_c": ScriptedClinic()}) as routed:
        routed.channel.subscribe(hear)
        routed.dispatch(listing(1, "clinic_a"), listing(2, "clinic_c"))
    assert not overlap.is_set()


def test_an_answer_is_told_with_its_status_reason_and_count() -> None:
    slot = pb.Slot(doctor="Dr. Ricardo Lopes", date="2025-07-21", time="09:00", available=True)

    def two(_request: Message, _caller: Caller) -> Message:
        return pb.ListAvailableSlotsResponse(available_slots=[slot, slot])

    def taken(_request: Message, _caller: Caller) -> Message:
        raise DomainError("SLOT_UNAVAILABLE", "This slot is not open.")

    clinics = {
        "clinic_a": ScriptedClinic(list_available_slots=two),
        "clinic_b": ScriptedClinic(),
        "clinic_c": ScriptedClinic(book_appointment=taken),
    }
    with routed_to(clinics) as routed:
        routed.dispatch(listing(1), booking(2, "clinic_b"), booking(3, "clinic_c"))
    told = {event.clinic: event for event in routed.events if isinstance(event, ClinicAnswered)}
    assert {clinic: (event.status, event.reason, event.items) for clinic, event in told.items()} == {
        "clinic_a": (StepStatus.DONE, None, 2),
        "clinic_b": (StepStatus.DONE, None, None),
        "clinic_c": (StepStatus.REFUSED, "SLOT_UNAVAILABLE", None),
    }


def test_a_step_that_waits_for_another_clinic_is_sent_only_when_that_is_done() -> None:
    made = threading.Event()

    def make(request: pb.BookAppointmentRequest, caller: Caller) -> Message:
        made.set()
        return booked(request, caller)

    def after_it(request: pb.BookAppointmentRequest, caller: Caller) -> Message:
        assert made.is_set(), "sent before what it waits for was done"
        return booked(request, caller)

    clinics = {"clinic_a": ScriptedClinic(book_appointment=after_it), "clinic_c": ScriptedClinic(book_appointment=make)}
    with routed_to(clinics) as routed:
        results = routed.dispatch(booking(1, "clinic_c"), replace(booking(2, "clinic_a"), after=1))
    assert statuses(results) == [StepStatus.DONE] * 2


def test_a_step_that_waits_for_one_that_fails_is_skipped_with_all_behind_it() -> None:
    def taken(_request: Message, _caller: Caller) -> Message:
        raise DomainError("SLOT_UNAVAILABLE", "This slot is not open.")

    clinics = {
        "clinic_a": ScriptedClinic(book_appointment=taken),
        "clinic_b": ScriptedClinic(book_appointment=unforeseen),
        "clinic_c": ScriptedClinic(book_appointment=unforeseen),
    }
    steps = (booking(1, "clinic_a"), replace(booking(2, "clinic_b"), after=1), replace(booking(3, "clinic_c"), after=2))
    with routed_to(clinics) as routed:
        results = routed.dispatch(*steps)
    assert statuses(results) == [StepStatus.REFUSED, StepStatus.SKIPPED, StepStatus.SKIPPED]


def test_a_step_whose_predecessor_is_not_among_the_steps_waits_for_nothing() -> None:
    with routed_to({"clinic_a": ScriptedClinic()}) as routed:
        results = routed.dispatch(replace(booking(2, "clinic_a"), after=1))
    assert statuses(results) == [StepStatus.DONE]
