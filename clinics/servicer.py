"""The handlers of `clinic.v1.ClinicService`: typed request, rule, typed response.

They know no transport: both doors call them with a checked request and a `Caller`.
`clinics.schedule` decides what is allowed, `clinics.store` keeps it.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from clinics import schedule
from clinics.agenda import Agenda, new_visit
from clinics.agenda_service import AgendaService
from clinics.ledger import Repeatable, WriteOutcome
from clinics.operation_log import Operation
from clinics.profile import POLICY, Patient, Patients, Profile
from clinics.schedule import overlapping_ahead
from clinics.slots import Change, Person, Slot, SlotRef, Snapshot, Visit
from clinics.store import SlotStore
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1 import options_pb2
from mesh.caller import Caller
from mesh.clock import Clock
from mesh.errors import DomainError
from mesh.text_folding import cpf_digits, doctors_called
from mesh.tokens import OPERATOR, PublicKey, cpf_of

NOTE_OPEN = "Para confirmar o agendamento, informe o horário desejado."
NOTE_NONE_OPEN = "Não há horários disponíveis no momento."
FIRST_ONLY = "A lista mostra os primeiros {most} de {all} horários livres."
NOTE_NOBODY = "Ninguém com esse nome atende aqui. Escolha um dos médicos da lista."
_OPENINGS = pb.ListAvailableSlotsResponse.DESCRIPTOR.fields_by_name["available_slots"]
MOST_LISTED = _OPENINGS.GetOptions().Extensions[options_pb2.argument].max_items
NOTE_SEVERAL = "Mais de um médico atende aqui com esse nome. Escolha um deles."
_SUBJECTS = 1024  # whose holder is known; a session has one for each clinic
BOOKED = "Consulta agendada com sucesso."
RESCHEDULED = "Consulta reagendada com sucesso."
CANCELLED = "Consulta cancelada com sucesso."
_Write = pb.BookAppointmentRequest | pb.RescheduleAppointmentRequest | pb.CancelAppointmentRequest


class Listing:
    """Responses for the snapshots of one clinic's agenda. Safe for concurrent use."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        # What an open slot says never changes for a position in the agenda, so it outlives bookings.
        self._encoded: tuple[bytes, ...] = ()
        self._of_all = lru_cache(maxsize=1)(self._made)  # one answer for a snapshot within a minute

    def answer(self, snapshot: Snapshot, now: datetime, doctor: str | None) -> pb.ListAvailableSlotsResponse:
        """Return the open slots from `now` on, of one doctor or of all; the message is shared: do not change it."""
        if doctor is not None:
            return self._made(snapshot, now, doctor)
        return self._of_all(snapshot, now.replace(second=0, microsecond=0))

    def _made(self, snapshot: Snapshot, now: datetime, doctor: str | None = None) -> pb.ListAvailableSlotsResponse:
        openings = schedule.open_positions(snapshot, now, self._agenda.rules, doctor)
        positions = openings[:MOST_LISTED]
        encoded = self._encoded
        if len(encoded) < len(snapshot.slots):
            # Two threads may both encode what is new; the texts are equal, and either tuple is complete.
            messages = (self._agenda.open_slot(slot) for slot in snapshot.slots[len(encoded) :])
            alone = (pb.ListAvailableSlotsResponse(available_slots=[one]) for one in messages)
            encoded += tuple(one.SerializeToString() for one in alone)
            self._encoded = encoded
        answer = pb.ListAvailableSlotsResponse.FromString(b"".join([encoded[position] for position in positions]))
        answer.specialty = answer.specialty_code = self._agenda.specialty
        answer.note = NOTE_OPEN if positions else NOTE_NONE_OPEN
        if len(openings) > len(positions):
            answer.remarks.partial = True
            answer.remarks.explanations.append(FIRST_ONLY.format(most=MOST_LISTED, all=len(openings)))
        return answer


@lru_cache(maxsize=1)  # of the newest snapshot alone
def held_in(snapshot: Snapshot) -> Callable[[str, str], tuple[int, ...]]:
    """Return what finds the positions that a token's person holds, by its subject and salt, in the agenda's order."""
    by_cpf: dict[str, list[int]] = {}  # in digits alone
    for at in snapshot.layout.in_order:
        cpf = snapshot.slots[at].cpf
        if cpf is not None:
            by_cpf.setdefault(cpf_digits(cpf), []).append(at)

    @lru_cache(_SUBJECTS)  # a subject is a salted digest, which takes a digest of each CPF to find
    def held_by(subject: str, salt: str) -> tuple[int, ...]:
        cpf = cpf_of(subject, salt, by_cpf)
        return () if cpf is None else tuple(by_cpf[cpf])

    return held_by


class ClinicServicer(AgendaService):
    """One clinic's handlers, named as its tools; those of the agenda's keepers are inherited."""

    def __init__(
        self,
        profile: Profile,
        agenda: Agenda,
        patients: Patients,
        store: SlotStore,
        clock: Clock,
        keys: Callable[[], Sequence[PublicKey]] = tuple,  # that sign the tokens it accepts now
    ) -> None:
        super().__init__(profile, agenda, store, clock)
        self._patients = patients
        self._keys = keys
        self._rules = agenda.rules
        self._listing = Listing(agenda)

    def get_clinic(self, _request: pb.GetClinicRequest, _caller: Caller) -> pb.GetClinicResponse:
        """Return who the clinic is and which day it is there, also while its storage does not answer."""
        return pb.GetClinicResponse(
            clinic_id=self._profile.clinic_id,
            name=self._profile.name,
            doctors=[
                pb.Doctor(name=name, specialty=self._profile.label, specialty_code=self._profile.specialty)
                for name in self._agenda.doctors
            ],
            agenda=pb.Agenda.Value(f"AGENDA_{self._agenda.name.upper()}"),
            today=self._clock().date().isoformat(),
            token_keys=[key.fingerprint for key in self._keys()],
            details=self._profile.details,
            policy=pb.BookingPolicy(**{name: getattr(self._rules, name) for name in POLICY}),
            overlapping_slots=len(overlapping_ahead(self._store.storage.known, self._rules, self._clock())),
            specialty_words=self._profile.words,
            **self._named,
        )

    def list_available_slots(
        self, request: pb.ListAvailableSlotsRequest, _caller: Caller
    ) -> pb.ListAvailableSlotsResponse:
        """Return the open slots from now on, of all doctors or of one."""
        agenda, doctor = self._store.snapshot, request.doctor if request.HasField("doctor") else None
        if doctor is None or doctor in agenda.layout.keys:
            return self._listing.answer(agenda, self._clock(), doctor)
        # One doctor may be spelled in two ways in an agenda that others wrote.
        names = (*sorted(agenda.layout.keys), *self._agenda.doctors)
        known = sorted({agenda.layout.key_of(name): name for name in names}.values())
        called = doctors_called(doctor, known)
        if len(called) == 1:
            return self._listing.answer(agenda, self._clock(), called[0])
        note = NOTE_SEVERAL if called else NOTE_NOBODY
        here = pb.DoctorsHere(names=called or known)
        return pb.ListAvailableSlotsResponse(note=note, doctors_here=here, **self._named)

    def book_appointment(self, request: pb.BookAppointmentRequest, caller: Caller) -> pb.BookAppointmentResponse:
        """Book an open slot; errors as the contract lists."""
        wanted = SlotRef(request.doctor, request.date, request.time)
        rule = partial(schedule.book, wanted=wanted, visit=new_visit())
        outcome = self._commit(rule, request, [wanted], Operation("book_appointment", "booked", caller))
        booked = self._appointment(outcome.booked, request, outcome.visit)
        return pb.BookAppointmentResponse(status="confirmed", appointment=booked, message=BOOKED)

    def reschedule_appointment(
        self, request: pb.RescheduleAppointmentRequest, caller: Caller
    ) -> pb.RescheduleAppointmentResponse:
        """Move the patient's appointment to another open slot of the same doctor; errors as the contract lists."""
        original = SlotRef(request.doctor, request.original_date, request.original_time)
        wanted = SlotRef(request.doctor, request.new_date, request.new_time)
        rule = partial(schedule.reschedule, original=original, wanted=wanted)
        operation = Operation("reschedule_appointment", "moved", caller)
        outcome = self._commit(rule, request, [original, wanted], operation)
        return pb.RescheduleAppointmentResponse(
            status="rescheduled",
            original_appointment=self._appointment(outcome.released, request, outcome.visit),
            new_appointment=self._appointment(outcome.booked, request, outcome.visit),
            message=RESCHEDULED,
        )

    def cancel_appointment(self, request: pb.CancelAppointmentRequest, caller: Caller) -> pb.CancelAppointmentResponse:
        """Cancel the patient's appointment; errors as the contract lists."""
        held = SlotRef(request.doctor, request.date, request.time)
        rule = partial(schedule.cancel, held=held)
        outcome = self._commit(rule, request, [held], Operation("cancel_appointment", "cancelled", caller))
        released = self._appointment(outcome.released, request, outcome.visit)
        return pb.CancelAppointmentResponse(status="cancelled", cancelled_appointment=released, message=CANCELLED)

    def list_patients(self, _request: pb.ListPatientsRequest, caller: Caller) -> pb.ListPatientsResponse:
        """Return all patients by id and condition."""
        self._store.log_read(Operation("list_patients", "read", caller))
        return pb.ListPatientsResponse(patients=map(_summary, self._patients.all))

    def get_patient(self, request: pb.GetPatientRequest, caller: Caller) -> pb.GetPatientResponse:
        """Return one full record; one that the caller may not read counts as not found."""
        patient = self._patients.get(request.patient_id, caller.may_act_for)
        self._store.log_read(Operation("get_patient", "read", caller, patient.patient_id))
        return pb.GetPatientResponse(patient=pb.Patient(**asdict(patient)))

    def query(self, request: pb.QueryRequest, caller: Caller) -> pb.QueryResponse:
        """Find patients by clinical words; return ids and conditions."""
        self._store.log_read(Operation("query", "read", caller))
        matches = map(_summary, self._patients.matching(request.query))
        return pb.QueryResponse(query=request.query, matches=matches, **self._named)

    def _commit(
        self, rule: Callable[..., Change], request: _Write, refs: Sequence[SlotRef], operation: Operation
    ) -> WriteOutcome:
        patient, repeatable = Person(request.patient_name, request.cpf), None
        if request.HasField("request_id"):
            times = (text for ref in refs for text in (ref.date, ref.time))
            repeatable = Repeatable(request.request_id, (operation.tool, request.doctor, *times), patient)
        made = partial(rule, now=self._clock(), patient=patient, rules=self._rules)
        try:
            return self._store.commit(made, operation.caller.remaining_s, repeatable, operation)
        except schedule.SlotUnavailableError as refusal:
            alternatives = pb.SlotAlternatives(slots=map(self._agenda.open_slot, refusal.alternatives))
            raise DomainError(refusal.reason, refusal.message, details=(alternatives,)) from None

    def list_appointments(self, request: pb.ListAppointmentsRequest, caller: Caller) -> pb.ListAppointmentsResponse:
        """Return what the caller holds here, or raise UNAUTHENTICATED where no token says who that is."""
        if caller.claims is None:
            raise DomainError("UNAUTHENTICATED", "This clinic asks for no token, so it cannot know who asks.")
        if caller.claims.role == OPERATOR:
            self._store.log_read(Operation("list_appointments", "read", caller))
        snapshot, now = self._store.snapshot, self._clock()
        held = [snapshot.slots[at] for at in held_in(snapshot)(caller.claims.subject, caller.claims.salt)]
        shown = (slot for slot in held if request.include_past or self._rules.end_of(slot) > now)
        summaries = (pb.AppointmentSummary(**self._held(slot)) for slot in shown)
        return pb.ListAppointmentsResponse(appointments=summaries, **self._named)

    def _appointment(self, ref: SlotRef | None, request: _Write, visit: Visit | None) -> pb.Appointment:
        if ref is None:  # only a db.json that somebody edited can lead here
            raise ValueError("the recorded outcome of this write names no slot")
        slot = Slot(ref.doctor, self._profile.specialty, ref.date, ref.time, visit=visit)
        return pb.Appointment(patient_name=request.patient_name, cpf=request.cpf, **self._held(slot))

    def _held(self, slot: Slot) -> dict[str, Any]:
        visit = slot.visit or Visit("")
        return {**self._agenda.described(slot), "appointment_id": visit.id, "revision": visit.revision}


def _summary(patient: Patient) -> pb.PatientSummary:
    return pb.PatientSummary(patient_id=patient.patient_id, condition=patient.condition)
