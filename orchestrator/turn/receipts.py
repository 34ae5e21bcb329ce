"""Reads the receipt of a write from the clinic's typed acknowledgement; there is no other source of receipts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.result import StepResult
from orchestrator.turn.session import Appointment, Receipt, ReceiptKind


def receipts_of(results: Iterable[StepResult]) -> tuple[Receipt, ...]:
    """Return the receipts of a turn, in the order of its steps."""
    return tuple(receipt for receipt in map(receipt_of, results) if receipt is not None)


def receipt_of(result: StepResult) -> Receipt | None:
    """Return the receipt of a step; None when it wrote nothing or its outcome is not an acknowledgement.

    Raises:
        ValueError: The acknowledgement holds no date or time in the contract's form.
    """
    clinic = result.step.clinic
    match result.response:
        case pb.BookAppointmentResponse(appointment=booked):
            return Receipt(ReceiptKind.CONFIRMED, _appointment(clinic, booked))
        case pb.RescheduleAppointmentResponse(new_appointment=new, original_appointment=original):
            return Receipt(ReceiptKind.RESCHEDULED, _appointment(clinic, new), _appointment(clinic, original))
        case pb.CancelAppointmentResponse(cancelled_appointment=cancelled):
            return Receipt(ReceiptKind.CANCELLED, _appointment(clinic, cancelled))
        case _:
            return None


def _appointment(clinic: str, message: pb.Appointment) -> Appointment:
    return Appointment(clinic, message.doctor, date.fromisoformat(message.date), time.fromisoformat(message.time))
