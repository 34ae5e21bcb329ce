"""An answer that comes again byte by byte is read once; one that only some may read is not kept at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.channel import CallOptions, call_tool, open_channel
from mesh.errors import DomainError
from orchestrator.turn.step_actions import CATALOGUE, SERVICE
from tests.wire.orchestrator.scripted import TURN, WAIT_S, ScriptedClinic, open_clinic

Ask = Callable[[str, Message], Message]


def slots(*times: str) -> pb.ListAvailableSlotsResponse:
    open_ = [pb.Slot(doctor="Dra. Ana", date="2025-07-15", time=time, available=True) for time in times]
    return pb.ListAvailableSlotsResponse(specialty="Cardiology", available_slots=open_)


def record(patient_id: str) -> pb.GetPatientResponse:
    patient = pb.Patient(patient_id=patient_id, name="Ana Lima", cpf="529.982.247-25", birth_date="1980-02-29")
    return pb.GetPatientResponse(patient=patient)


@pytest.fixture
def connect() -> Iterator[Callable[[ScriptedClinic], Ask]]:
    with ExitStack() as parts:

        def to(clinic: ScriptedClinic) -> Ask:
            address = parts.enter_context(open_clinic(clinic)).address
            channel = parts.enter_context(open_channel(address, [SERVICE]))

            def ask(tool: str, request: Message) -> Message:
                options = CallOptions(timeout_s=WAIT_S, trace_id=TURN)
                return call_tool(channel, CATALOGUE[tool], request, options).message

            return ask

        yield to


def test_the_same_listing_is_read_once_and_another_one_anew(connect: Callable[[ScriptedClinic], Ask]) -> None:
    said = iter([slots("09:00"), slots("09:00"), slots("09:30"), slots("09:00")])
    ask = connect(ScriptedClinic(list_available_slots=lambda _request, _caller: next(said)))
    answers = [ask("list_available_slots", pb.ListAvailableSlotsRequest()) for _ in range(4)]
    assert answers == [slots("09:00"), slots("09:00"), slots("09:30"), slots("09:00")]
    assert answers[0] is answers[1]


def test_an_answer_that_cannot_be_read_is_refused_every_time(connect: Callable[[ScriptedClinic], Ask]) -> None:
    endless = pb.ListAvailableSlotsResponse(note="." * 501)
    ask = connect(ScriptedClinic(list_available_slots=lambda _request, _caller: endless))
    for _ in range(2):
        with pytest.raises(DomainError) as refused:
            ask("list_available_slots", pb.ListAvailableSlotsRequest())
        assert refused.value.reason == "WRONG_ANSWER"


def test_an_opening_that_cannot_be_read_is_left_out_every_time(connect: Callable[[ScriptedClinic], Ask]) -> None:
    ask = connect(ScriptedClinic(list_available_slots=lambda _request, _caller: slots("noon", "09:00")))
    assert [ask("list_available_slots", pb.ListAvailableSlotsRequest()) for _ in range(2)] == [slots("09:00")] * 2


def test_a_patients_record_is_not_kept(connect: Callable[[ScriptedClinic], Ask]) -> None:
    def tell(request: pb.GetPatientRequest, _caller: Caller) -> pb.GetPatientResponse:
        return record(request.patient_id)

    ask = connect(ScriptedClinic(get_patient=tell))
    first, second = (ask("get_patient", pb.GetPatientRequest(patient_id="CARD-001")) for _ in range(2))
    assert first == second
    assert first is not second
