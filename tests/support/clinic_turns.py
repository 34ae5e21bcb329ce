"""Small words for building what a turn is made of: clinics, a session, steps and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.opening_filter import DateRange, TimeRange
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.reply import Verdict
from orchestrator.turn.routing import StepResult, StepStatus
from orchestrator.turn.session import Session
from orchestrator.turn.wish import ANYTHING, Wish, when_in
from orchestrator.verifier.rules import RuleVerifier
from tests.support.repository_clinics import WORDS
from tests.support.steps import step_of

RICARDO, FERNANDO, MARINA = "Dr. Ricardo Lopes", "Dr. Fernando Mendes", "Dra. Marina Teles"

CLINICS = (
    Clinic("clinic_a", "Clínica A", "Cardiology", (RICARDO,), words=WORDS["Cardiology"]),
    Clinic("clinic_b", "Clínica B", "Dermatology", (MARINA,), words=WORDS["Dermatology"]),
    Clinic("clinic_c", "Clínica C", "Cardiology", (FERNANDO,), words=WORDS["Cardiology"]),
)
SPECIALTIES = {clinic.id: clinic.specialty for clinic in CLINICS}

NAME, CPF = "Carlos Teste", "123.456.789-00"
SESSION = Session(Identity.of(NAME, CPF))
OPERATOR = Session(Identity.of("Paula Recepção", "111.444.777-35"), role=Role.OPERATOR)

ON_18_AT_10 = (FERNANDO, "2025-07-18", "10:00")
ON_19_AT_14 = (FERNANDO, "2025-07-19", "14:00")
ON_21_AT_9 = (RICARDO, "2025-07-21", "09:00")
ON_21_AT_10_30 = (RICARDO, "2025-07-21", "10:30")

FRIDAY_18 = Wish(when_in(dates=(DateRange(date(2025, 7, 18), date(2025, 7, 18)),)))
AFTERNOON = Wish(when_in(times=(TimeRange(time(12), time(23, 59)),)))

Where = tuple[str, str, str]
"""Doctor, date and time as the contract writes them."""

NO_PARAMETERS: Mapping[str, str] = {}
UNREACHABLE = DomainError("UNREACHABLE", "no connection to the clinic")


def slot(where: Where, specialty: str = "Cardiologia") -> pb.Slot:
    doctor, day, at = where
    return pb.Slot(doctor=doctor, specialty=specialty, date=day, time=at, available=True, duration_min=30)


def appointment(where: Where, *, name: str = NAME, cpf: str = CPF) -> pb.Appointment:
    doctor, day, at = where
    return pb.Appointment(
        doctor=doctor,
        date=day,
        time=at,
        patient_name=name,
        cpf=cpf,
        specialty="Cardiology",
        duration_min=30,
        appointment_id="an-id",
    )


def done(clinic: str, action: str, response: Message, **parameters: str) -> StepResult:
    return StepResult(step_of(1, clinic, action, parameters), StepStatus.DONE, response, elapsed_s=0.01)


def failed(
    clinic: str,
    action: str,
    error: DomainError | None = UNREACHABLE,
    status: StepStatus = StepStatus.UNREACHED,
    *,
    given: Mapping[str, str] = NO_PARAMETERS,
) -> StepResult:
    return StepResult(step_of(1, clinic, action, given), status, error=error, elapsed_s=2.0)


def refused(
    clinic: str, action: str, reason: str, *alternatives: Where, given: Mapping[str, str] = NO_PARAMETERS
) -> StepResult:
    details = (pb.SlotAlternatives(slots=map(slot, alternatives)),) if alternatives else ()
    error = DomainError(reason, "refused for a test", details=details)
    return failed(clinic, action, error, StepStatus.REFUSED, given=given)


def openings(clinic: str, *where: Where) -> StepResult:
    response = pb.ListAvailableSlotsResponse(
        specialty=SPECIALTIES[clinic],
        available_slots=map(slot, where),
        note="Para confirmar o agendamento, informe o horário desejado.",
    )
    return done(clinic, "list_available_slots", response)


def parameters(where: Where) -> dict[str, str]:
    return dict(zip(("doctor", "date", "time"), where, strict=True))


def booked(clinic: str, where: Where) -> StepResult:
    response = pb.BookAppointmentResponse(
        status="confirmed", appointment=appointment(where), message="Consulta agendada com sucesso."
    )
    return done(clinic, "book_appointment", response, **parameters(where))


def moved(clinic: str, original: Where, new: Where) -> StepResult:
    response = pb.RescheduleAppointmentResponse(
        status="rescheduled",
        original_appointment=appointment(original),
        new_appointment=appointment(new),
        message="Consulta reagendada com sucesso.",
    )
    return done(clinic, "reschedule_appointment", response, **moving(original, new))


def moving(original: Where, new: Where) -> dict[str, str]:
    return {
        "doctor": new[0],
        "original_date": original[1],
        "original_time": original[2],
        "new_date": new[1],
        "new_time": new[2],
    }


def cancelled(clinic: str, where: Where) -> StepResult:
    response = pb.CancelAppointmentResponse(
        status="cancelled", cancelled_appointment=appointment(where), message="Consulta cancelada com sucesso."
    )
    return done(clinic, "cancel_appointment", response, **parameters(where))


def patient(*, name: str = "Beatriz Antunes Ferraz", cpf: str = "987.654.321-00") -> pb.Patient:
    return pb.Patient(
        patient_id="CARD-001",
        name=name,
        cpf=cpf,
        birth_date="1961-03-05",
        condition="Hipertensão arterial",
        medications=[
            pb.Medication(name="Losartana", dosage="50 mg, 1 vez ao dia"),
            pb.Medication(name="Hidroclorotiazida", dosage="25 mg, pela manhã"),
        ],
        exams=["Ecocardiograma", "Holter 24h"],
        address="Rua das Acácias, 120, São Paulo",
        phone="(11) 98765-4321",
    )


def record(clinic: str = "clinic_a", found: pb.Patient | None = None) -> StepResult:
    response = pb.GetPatientResponse(patient=patient() if found is None else found)
    return done(clinic, "get_patient", response, patient_id="CARD-001")


def patients(clinic: str, *ids: str) -> StepResult:
    summaries = [pb.PatientSummary(patient_id=patient_id, condition="Arritmia") for patient_id in ids]
    return done(clinic, "list_patients", pb.ListPatientsResponse(patients=summaries))


def matches(clinic: str, *ids: str) -> StepResult:
    summaries = [pb.PatientSummary(patient_id=patient_id, condition="Arritmia") for patient_id in ids]
    response = pb.QueryResponse(specialty=SPECIALTIES[clinic], query="arritmia", matches=summaries)
    return done(clinic, "query", response, query="arritmia")


def plan_of(
    results: Sequence[StepResult], language: Language = Language.PT, wish: Wish = ANYTHING, *, nearest: bool = False
) -> Plan:
    steps = tuple(result.step for result in results)
    return Plan(PlanKind.STEPS, language, steps=steps, wish=wish, nearest=nearest)


def verdict_on(
    text: str, results: Sequence[StepResult] = (), *, session: Session = SESSION, plan: Plan | None = None
) -> Verdict:
    """Return what the rules say of a text about these results."""
    return RuleVerifier().check_reply(text, Answers.of("pergunta", results), session, plan or plan_of(results))
