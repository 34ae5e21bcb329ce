from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import cast

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo

from clinics.database import load
from clinics.program import serve
from clinics.servicer import NOTE_NOBODY
from clinics.startup import StartupError
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from generated.mesh.v1.tool_service_pb2 import CallRequest
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh.arguments import json_of
from mesh.errors import DomainError, Violation
from mesh.reasons import from_call, retry_after_s
from mesh.server import Server

RICARDO = "Dr. Ricardo Lopes"
TIMEOUT_S = 30.0


def booking(date: str = "2025-07-21", time: str = "09:00", **fields: str) -> pb.BookAppointmentRequest:
    who = {"doctor": RICARDO, "patient_name": "Carlos Teste", "cpf": "123.456.789-00", **fields}
    return pb.BookAppointmentRequest(date=date, time=time, **who)


def refusal(call: Callable[[], object]) -> DomainError:
    with pytest.raises(grpc.RpcError) as error:
        call()
    return from_call(cast("grpc.Call", error.value), (pb.SlotAlternatives,))


def starts(stub: ClinicServiceStub, doctor: str | None = None) -> list[tuple[str, str]]:
    answer = stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(doctor=doctor), timeout=TIMEOUT_S)
    return [(slot.date, slot.time) for slot in answer.available_slots]


def test_a_clinic_says_who_it_is(stub: ClinicServiceStub) -> None:
    answer = stub.GetClinic(pb.GetClinicRequest(), timeout=TIMEOUT_S)
    assert (answer.details.city, answer.details.private_price_cents) == ("São Paulo", 42000)
    assert (answer.specialty_words.portuguese, "cardio" in answer.specialty_words.names) == ("Cardiologia", True)
    answer.ClearField("details")
    answer.ClearField("specialty_words")
    assert answer == pb.GetClinicResponse(
        clinic_id="clinic_a",
        name="Clínica A",
        specialty="Cardiology",
        specialty_code="Cardiology",
        doctors=[pb.Doctor(name=RICARDO, specialty="Cardiologia", specialty_code="Cardiology")],
        agenda=pb.AGENDA_BLUEPRINT,
        today="2025-07-15",
        policy=pb.BookingPolicy(),
    )


def test_open_slots_are_listed_as_the_blueprint_shows_them(stub: ClinicServiceStub) -> None:
    answer = stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S)
    assert answer.specialty == "Cardiology"
    assert answer.note == "Para confirmar o agendamento, informe o horário desejado."
    assert len(answer.available_slots) == 6
    assert answer.available_slots[0] == pb.Slot(
        doctor=RICARDO,
        specialty="Cardiologia",
        specialty_code="Cardiology",
        date="2025-07-21",
        time="09:00",
        available=True,
        duration_min=30,
    )


@pytest.mark.parametrize("name", ["Ricardo Lopes", "dr ricardo lopes", "Dr. Ricardo", "Ricardo", "LOPES"])
def test_a_doctor_goes_by_a_part_of_the_name_where_it_is_one_doctors(stub: ClinicServiceStub, name: str) -> None:
    assert starts(stub, name) == starts(stub, RICARDO) != []


@pytest.mark.parametrize("name", ["Dr. Ninguém", "Ricardo Souza", "", "Dr."])
def test_nobody_of_that_name_is_said_with_who_there_is(stub: ClinicServiceStub, name: str) -> None:
    answer = stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(doctor=name), timeout=TIMEOUT_S)
    here = pb.DoctorsHere(names=[RICARDO])
    assert answer == pb.ListAvailableSlotsResponse(
        specialty="Cardiology", specialty_code="Cardiology", note=NOTE_NOBODY, doctors_here=here
    )


def test_past_slots_are_not_listed(silo: Path, connect: Callable[[str], ClinicServiceStub]) -> None:
    with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", "2025-07-22T14:00-03:00") as clinic:
        assert starts(connect(clinic.address))[0] == ("2025-07-23", "08:00")
        assert refusal(lambda: connect(clinic.address).BookAppointment(booking(), timeout=TIMEOUT_S)).reason == (
            "SLOT_UNAVAILABLE"
        )


def test_a_booking_is_confirmed_and_is_in_the_file(stub: ClinicServiceStub, silo: Path) -> None:
    answer = stub.BookAppointment(booking(doctor="dr ricardo lopes"), timeout=TIMEOUT_S)
    assert answer == pb.BookAppointmentResponse(
        status="confirmed",
        appointment=pb.Appointment(
            doctor=RICARDO,
            date="2025-07-21",
            time="09:00",
            patient_name="Carlos Teste",
            cpf="123.456.789-00",
            specialty="Cardiology",
            specialty_code="Cardiology",
            duration_min=30,
            appointment_id=answer.appointment.appointment_id,
        ),
        message="Consulta agendada com sucesso.",
    )
    assert ("2025-07-21", "09:00") not in starts(stub)
    assert [slot.patient_name for slot in load(silo / "db.json").snapshot.slots if not slot.available] == [
        "Carlos Teste"
    ]


def test_a_move_answers_with_both_appointments(stub: ClinicServiceStub) -> None:
    stub.BookAppointment(booking(), timeout=TIMEOUT_S)
    answer = stub.RescheduleAppointment(
        pb.RescheduleAppointmentRequest(
            original_date="2025-07-21",
            original_time="09:00",
            doctor=RICARDO,
            new_date="2025-07-23",
            new_time="08:00",
            patient_name="carlos teste",
            cpf="12345678900",
        ),
        timeout=TIMEOUT_S,
    )
    assert (answer.status, answer.message) == ("rescheduled", "Consulta reagendada com sucesso.")
    assert (answer.original_appointment.date, answer.original_appointment.time) == ("2025-07-21", "09:00")
    assert (answer.new_appointment.date, answer.new_appointment.time) == ("2025-07-23", "08:00")
    assert ("2025-07-21", "09:00") in starts(stub)
    assert ("2025-07-23", "08:00") not in starts(stub)


def test_a_cancellation_gives_the_slot_back_and_erases_the_holder(stub: ClinicServiceStub, silo: Path) -> None:
    stub.BookAppointment(booking(), timeout=TIMEOUT_S)
    answer = stub.CancelAppointment(
        pb.CancelAppointmentRequest(
            doctor=RICARDO, date="2025-07-21", time="09:00", patient_name="Carlos Teste", cpf="123.456.789-00"
        ),
        timeout=TIMEOUT_S,
    )
    assert (answer.status, answer.message) == ("cancelled", "Consulta cancelada com sucesso.")
    assert answer.cancelled_appointment.patient_name == "Carlos Teste"
    assert ("2025-07-21", "09:00") in starts(stub)
    assert "Carlos" not in (silo / "db.json").read_text("utf-8")


def test_a_slot_that_is_not_open_is_refused_with_typed_alternatives(stub: ClinicServiceStub) -> None:
    error = refusal(lambda: stub.BookAppointment(booking(time="09:01"), timeout=TIMEOUT_S))
    assert error.reason == "SLOT_UNAVAILABLE"
    (alternatives,) = error.details
    assert isinstance(alternatives, pb.SlotAlternatives)
    assert [(slot.date, slot.time) for slot in alternatives.slots] == [
        ("2025-07-21", "09:00"),
        ("2025-07-21", "10:30"),
        ("2025-07-22", "14:00"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("doctor", "x" * 121, 120),
        ("doctor", "\ufdfa" * 20_000, 120),
        ("patient_name", "ß" * 61, 120),
        ("patient_name", "x" * 60_000, 120),
    ],
)
def test_a_text_that_is_too_long_is_refused_alike_by_both_doors(
    stub: ClinicServiceStub, clinic: Server, name: str, text: str, most: int
) -> None:
    request = booking(**{name: text})
    error = refusal(lambda: stub.BookAppointment(request, timeout=TIMEOUT_S))
    fault = Violation(name, f"expected at most {most} characters", "TOO_LONG")
    assert (error.reason, error.violations) == ("INVALID_ARGUMENTS", (fault,))
    call = CallRequest(jsonrpc="2.0", method="tools/call")
    call.id.string_value = "1"
    call.params.name = "book_appointment"
    call.params.arguments.update(json_of(request) | {"request_id": str(uuid.uuid4())})
    with grpc.insecure_channel(clinic.address) as channel:
        answer = ToolServiceStub(channel).Call(call, timeout=TIMEOUT_S)
    assert answer.error.message == error.message


def test_what_is_not_the_callers_is_not_found(stub: ClinicServiceStub) -> None:
    stub.BookAppointment(booking(), timeout=TIMEOUT_S)
    theirs = pb.CancelAppointmentRequest(
        doctor=RICARDO, date="2025-07-21", time="09:00", patient_name="Maria Souza", cpf="111.444.777-35"
    )
    error = refusal(lambda: stub.CancelAppointment(theirs, timeout=TIMEOUT_S))
    assert error.reason == "APPOINTMENT_NOT_FOUND"
    assert "Carlos" not in error.message


def test_an_id_for_other_content_is_refused(stub: ClinicServiceStub) -> None:
    request_id = "550e8400-e29b-41d4-a716-446655440000"
    stub.BookAppointment(booking(request_id=request_id), timeout=TIMEOUT_S)
    error = refusal(lambda: stub.BookAppointment(booking(time="10:30", request_id=request_id), timeout=TIMEOUT_S))
    assert error.reason == "REQUEST_ID_REUSED"


def test_patients_are_listed_and_searched_by_id_and_condition_only(stub: ClinicServiceStub) -> None:
    listed = stub.ListPatients(pb.ListPatientsRequest(), timeout=TIMEOUT_S).patients
    assert [patient.patient_id for patient in listed][:2] == ["CARD-001", "CARD-002"]
    assert {field.name for patient in listed for field, _ in patient.ListFields()} == {"patient_id", "condition"}
    found = stub.Query(pb.QueryRequest(query="HIPERTENSAO losartana hidroclorotiazida"), timeout=TIMEOUT_S)
    assert (found.specialty, found.query) == ("Cardiology", "HIPERTENSAO losartana hidroclorotiazida")
    assert list(found.matches) == [pb.PatientSummary(patient_id="CARD-001", condition="Hipertensão arterial")]


def test_one_patients_record_is_whole(stub: ClinicServiceStub) -> None:
    patient = stub.GetPatient(pb.GetPatientRequest(patient_id="card-001"), timeout=TIMEOUT_S).patient
    assert len(patient.ListFields()) == len(pb.Patient.DESCRIPTOR.fields)
    assert patient.medications[0] == pb.Medication(name="Losartana", dosage="50 mg, 1 vez ao dia")
    error = refusal(lambda: stub.GetPatient(pb.GetPatientRequest(patient_id="CARD-999"), timeout=TIMEOUT_S))
    assert error.reason == "PATIENT_NOT_FOUND"


def test_the_address_names_the_real_port(clinic: Server) -> None:
    host, _, port = clinic.address.rpartition(":")
    assert host == "127.0.0.1"
    assert int(port) > 0


def test_a_clinic_whose_lock_was_removed_makes_no_write_and_leaves_the_silo_to_nobody_else(
    stub: ClinicServiceStub, silo: Path
) -> None:
    stub.BookAppointment(booking(), timeout=TIMEOUT_S)
    before = (silo / "db.json").read_bytes()
    (silo / "clinic.lock").unlink()
    with pytest.raises(StartupError, match="another process holds this silo"):
        serve("clinic_a", "127.0.0.1:0", silo, "blueprint")
    (silo / "clinic.lock").unlink()
    error = refusal(lambda: stub.BookAppointment(booking(time="10:30"), timeout=TIMEOUT_S))
    assert (error.reason, error.metadata) == ("STORAGE_UNAVAILABLE", {"outcome": "unchanged"})
    assert (silo / "db.json").read_bytes() == before
    assert ("2025-07-21", "10:30") in starts(stub)


def test_a_patient_of_too_many_request_ids_is_told_when_to_come_again(
    stub: ClinicServiceStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clinics.request_archive.MOST_OF_A_PATIENT", 1)
    stub.BookAppointment(booking(request_id=str(uuid.uuid4())), timeout=TIMEOUT_S)
    with pytest.raises(grpc.RpcError) as failed:
        stub.BookAppointment(booking(time="10:30", request_id=str(uuid.uuid4())), timeout=TIMEOUT_S)
    assert failed.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    error = from_call(cast("grpc.Call", failed.value), (RetryInfo,))
    assert error.reason == "REQUEST_IDS_EXHAUSTED"
    wait_s = retry_after_s(error)
    assert wait_s is not None
    assert 86_000 < wait_s <= 86_400


def test_who_holds_a_slot_and_books_it_again_is_told_that_it_is_theirs(stub: ClinicServiceStub) -> None:
    stub.BookAppointment(booking(), timeout=TIMEOUT_S)
    again = booking(patient_name="Carlos A. Teste", cpf="12345678900")
    assert refusal(lambda: stub.BookAppointment(again, timeout=TIMEOUT_S)).reason == "ALREADY_BOOKED"
    other = booking(cpf="111.444.777-35")
    assert refusal(lambda: stub.BookAppointment(other, timeout=TIMEOUT_S)).reason == "SLOT_UNAVAILABLE"
