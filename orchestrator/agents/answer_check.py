"""Compare a clinic's answer with what it was asked for, and with what it says of itself."""

import re
from collections.abc import Mapping

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.clock import YEARS
from mesh.sanitizer import Sanitized
from mesh.text_folding import fold
from orchestrator.turn import Introduction, ReceiptKind

_FIRST_DAY, _LAST_DAY = f"{YEARS.start}-01-01", f"{YEARS.stop}-12-31"
_TITLES = frozenset({"dr", "dra", "doutor", "doutora", "doctor", "prof", "profa", "professor", "professora"})


def is_answer_to(request: Message, response: Message) -> bool:
    """Return whether a response is about what was asked for: the very write, the very record.

    Of a write, status, doctor, date, time and person are compared: the doctor without case, accents and title, the
    person without case, accents and spacing, and the CPF by its digits.
    """
    match request, response:
        case pb.BookAppointmentRequest(), pb.BookAppointmentResponse():
            return response.status == ReceiptKind.CONFIRMED and _is_it(
                response.appointment, request, request.date, request.time
            )
        case pb.RescheduleAppointmentRequest(), pb.RescheduleAppointmentResponse():
            return (
                response.status == ReceiptKind.RESCHEDULED
                and _is_it(response.original_appointment, request, request.original_date, request.original_time)
                and _is_it(response.new_appointment, request, request.new_date, request.new_time)
            )
        case pb.CancelAppointmentRequest(), pb.CancelAppointmentResponse():
            return response.status == ReceiptKind.CANCELLED and _is_it(
                response.cancelled_appointment, request, request.date, request.time
            )
        case pb.GetPatientRequest(), pb.GetPatientResponse():
            return response.patient.patient_id.casefold() == request.patient_id.strip().casefold()
        case _:
            return True


_Write = pb.BookAppointmentRequest | pb.RescheduleAppointmentRequest | pb.CancelAppointmentRequest


def _is_it(told: pb.Appointment, asked: _Write, day: str, at: str) -> bool:
    return (
        (told.date, told.time) == (day, at)
        and _doctor(told.doctor) == _doctor(asked.doctor)
        and _words(told.patient_name) == _words(asked.patient_name)
        and _digits(told.cpf) == _digits(asked.cpf)
    )


def _doctor(name: str) -> list[str]:
    words = _words(name)
    while len(words) > 1 and words[0] in _TITLES:
        del words[0]
    return words


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub("['’]", "", fold(text)))


def _digits(cpf: str) -> str:
    return re.sub(r"[^0-9]", "", cpf)


def lists_openings(message: Message) -> bool:
    """Return whether a message lists openings."""
    return isinstance(message, pb.ListAvailableSlotsResponse | pb.SlotAlternatives)


def drop_foreign_openings(answer: Sanitized, clinic: Introduction | None) -> Sanitized:
    """Return an answer without the openings that do not fit; the answer itself if all do, or if it lists none.

    None fits a clinic that has not said who it is.
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
        case _:
            return answer


def _fits(slot: pb.Slot, doctors: Mapping[str, str]) -> bool:
    return (
        slot.available
        and doctors.get(slot.doctor) == slot.specialty
        # What is reckoned from a day must not leave the calendar.
        and _FIRST_DAY <= slot.date <= _LAST_DAY
    )


def has_lost_all_openings(answer: Sanitized) -> bool:
    """Return whether all that a clinic listed as open was left out."""
    listed = answer.message
    return isinstance(listed, pb.ListAvailableSlotsResponse) and answer.dropped > 0 and not listed.available_slots
