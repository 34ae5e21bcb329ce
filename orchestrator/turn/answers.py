"""What the clinics answered in a turn, and the receipts of its writes.

A receipt is made from a clinic's typed acknowledgement and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.actions import Appointment
from orchestrator.turn.evidence import Evidence
from orchestrator.turn.payload import payload_of
from orchestrator.turn.result import StepResult
from orchestrator.turn.session import Receipt, ReceiptKind


@dataclass(frozen=True, slots=True)
class Answers:
    """What a reply rests on: the utterance, and what the clinics returned for it.

    Attributes:
        utterance: What the person wrote.
        results: What became of each step.
        evidence: The same as typed facts.
        receipts: The writes that a clinic acknowledged.
    """

    utterance: str = field(repr=False)
    results: tuple[StepResult, ...] = ()
    evidence: Evidence = field(default_factory=Evidence, repr=False)
    receipts: tuple[Receipt, ...] = ()

    @classmethod
    def of(cls, utterance: str, results: Sequence[StepResult] = ()) -> Answers:
        """Return the answers of a turn.

        Raises:
            ValueError: An acknowledgement holds no date or time in the contract's form.
        """
        return cls(utterance, tuple(results), Evidence.of(results), receipts_of(results))

    def as_json(self) -> str:
        """Return the payload of the turn as a model reads it (`orchestrator.turn.payload`)."""
        return payload_of(self.utterance, self.results)


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
