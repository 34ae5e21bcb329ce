"""Compare a clinic's answer with what it was asked for, and with what it says of itself."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.clock import YEARS
from mesh.sanitizer import Sanitized
from mesh.text_folding import doctor_key, person_key
from orchestrator.turn import Introduction, ReceiptKind

_FIRST_DAY, _LAST_DAY = f"{YEARS.start}-01-01", f"{YEARS.stop}-12-31"
_LONGEST_MIN = 24 * 60  # a longer visit is no visit
_MOST_REVISIONS = 2**31 - 1  # what a calendar file can hold

_Visit = pb.Appointment | pb.AppointmentSummary | pb.Slot
_Write = pb.BookAppointmentRequest | pb.RescheduleAppointmentRequest | pb.CancelAppointmentRequest


def is_answer_to(request: Message, response: Message, now: datetime | None = None) -> bool:
    """Return whether a response is about what was asked for: the very write, the very record, visits that can be held.

    Of a write, status, doctor, date, time and person are compared: the doctor without case, accents and title, the
    person without case, accents and spacing, and the CPF by its digits. Without `now` nothing is over.
    """
    match request, response:
        case pb.BookAppointmentRequest(), pb.BookAppointmentResponse(appointment=told):
            return response.status == ReceiptKind.CONFIRMED and _is_it(told, request, request.date, request.time)
        case pb.RescheduleAppointmentRequest(), pb.RescheduleAppointmentResponse():
            return (
                response.status == ReceiptKind.RESCHEDULED
                and _is_it(response.original_appointment, request, request.original_date, request.original_time)
                and _is_it(response.new_appointment, request, request.new_date, request.new_time)
                and response.new_appointment.appointment_id == response.original_appointment.appointment_id
            )
        case pb.CancelAppointmentRequest(), pb.CancelAppointmentResponse(cancelled_appointment=told):
            return response.status == ReceiptKind.CANCELLED and _is_it(told, request, request.date, request.time)
        case pb.GetPatientRequest(), pb.GetPatientResponse():
            return response.patient.patient_id.casefold() == request.patient_id.strip().casefold()
        case pb.ListAppointmentsRequest(), pb.ListAppointmentsResponse():
            listed = response.appointments
            # What begins a day before now may not be over, and clocks differ.
            oldest = "" if now is None or request.include_past else f"{now.date() - timedelta(days=1)}"
            whole = (
                one.appointment_id and one.duration_min and one.date >= oldest and _is_visit(one) for one in listed
            )
            return len({one.appointment_id for one in listed}) == len(listed) and all(whole)
        case _:
            return True


def _is_it(told: pb.Appointment, asked: _Write, day: str, at: str) -> bool:
    return (
        _is_visit(told)
        and (told.date, told.time) == (day, at)
        and doctor_key(told.doctor) == doctor_key(asked.doctor)
        and person_key(told.patient_name, told.cpf) == person_key(asked.patient_name, asked.cpf)
    )


def _is_visit(told: _Visit) -> bool:
    return (
        # What is reckoned from a day must not leave the calendar.
        _FIRST_DAY <= told.date <= _LAST_DAY
        and told.duration_min <= _LONGEST_MIN
        and (isinstance(told, pb.Slot) or told.revision <= _MOST_REVISIONS)
    )


def without_foreign(answer: Sanitized, clinic: Introduction | None) -> Sanitized | None:
    """Return an answer without the openings that do not fit; the answer itself if all do, or if it lists none.

    None fits a clinic that has not said who it is. Appointments are not left out: return None if one does not fit.
    """
    doctors = {} if clinic is None else clinic.doctors
    match answer.message:
        case pb.ListAvailableSlotsResponse(available_slots=slots):
            kept = [slot for slot in slots if _fits(slot, doctors)]
            if len(kept) == len(slots):
                return answer
            listed = answer.message
            message = pb.ListAvailableSlotsResponse(specialty=listed.specialty, available_slots=kept, note=listed.note)
            return Sanitized(message, answer.dropped + len(slots) - len(kept))
        case pb.SlotAlternatives(slots=slots):
            kept = [slot for slot in slots if _fits(slot, doctors)]
            return answer if len(kept) == len(slots) else Sanitized(pb.SlotAlternatives(slots=kept))
        case pb.ListAppointmentsResponse(appointments=visits):
            return answer if all(doctors.get(one.doctor) == one.specialty for one in visits) else None
        case _:
            return answer


def _fits(slot: pb.Slot, doctors: Mapping[str, str]) -> bool:
    return slot.available and doctors.get(slot.doctor) == slot.specialty and _is_visit(slot)
