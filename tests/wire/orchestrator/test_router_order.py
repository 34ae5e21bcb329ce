import threading

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.policies import Handler
from orchestrator.events import ClinicAnswered, ClinicAsked, Event
from orchestrator.result import StepResult, StepStatus
from tests.wire.orchestrator.scripted import (
    TURN,
    WAIT_S,
    ScriptedClinic,
    booking,
    listing,
    no_slots,
    routed_to,
)

SIX = [f"clinic_{letter}" for letter in "abcdef"]


def statuses(results: tuple[StepResult, ...]) -> list[StepStatus]:
    return [result.status for result in results]


def test_six_clinics_are_asked_at_the_same_time() -> None:
    everybody = threading.Barrier(6)

    def together(request: Message, caller: Caller) -> Message:
        everybody.wait(WAIT_S)
        return no_slots(request, caller)

    with routed_to(dict.fromkeys(SIX, ScriptedClinic(list_available_slots=together))) as routed:
        results = routed.dispatch(*(listing(number, clinic) for number, clinic in enumerate(SIX, 1)))
    assert statuses(results) == [StepStatus.DONE] * 6


def test_results_are_in_the_steps_order_whichever_clinic_answers_first() -> None:
    later_answered = threading.Event()

    def after_the_other(request: Message, caller: Caller) -> Message:
        assert later_answered.wait(WAIT_S)
        return no_slots(request, caller)

    clinics = {"clinic_a": ScriptedClinic(list_available_slots=after_the_other), "clinic_c": ScriptedClinic()}
    with routed_to(clinics) as routed:

        def hear(event: Event) -> None:
            if isinstance(event, ClinicAnswered) and event.clinic == "clinic_c":
                later_answered.set()

        routed.subscribe(hear)
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

    steps = [listing(number) for number in range(1, 9)]
    with routed_to({"clinic_a": ScriptedClinic(list_available_slots=one_at_a_time)}) as routed:
        results = routed.dispatch(*(_for_doctor(step.step_id) for step in steps))
    assert statuses(results) == [StepStatus.DONE] * 8
    assert asked == [f"Doctor {number}" for number in range(1, 9)]
