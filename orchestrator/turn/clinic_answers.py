"""What the clinics answered in a turn: as JSON for a model, as typed facts, as receipts of writes.

A receipt is made from a clinic's typed acknowledgement and from nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, time

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.arguments import Json, json_of
from mesh.errors import DomainError
from orchestrator.turn.evidence import Evidence
from orchestrator.turn.result import NOT_ATTEMPTED, StepResult
from orchestrator.turn.session import Receipt, ReceiptKind
from orchestrator.turn.step_actions import REASONS, Appointment


def payload_of(utterance: str, results: Iterable[StepResult]) -> str:
    """Return the payload of a turn.

    Args:
        utterance: What the person said, as it may be shown to a model.
        results: One entry of `clinic_data` each, in this order.
    """
    clinic_data: list[Json] = [_entry(result) for result in results]
    return json.dumps({"user_query": utterance, "clinic_data": clinic_data}, ensure_ascii=False)


def _entry(result: StepResult) -> dict[str, Json]:
    entry: dict[str, Json] = {"clinic": result.step.clinic, "action": result.step.action}
    if result.response is not None:
        return {**entry, "result": json_of(result.response), "error": None}
    return {**entry, "result": None, "error": _error(result.error or NOT_ATTEMPTED)}


def _error(error: DomainError) -> dict[str, Json]:
    # A node of a later contract may say what this one does not list.
    reason = REASONS.get(error.reason, REASONS["INTERNAL"])
    body: dict[str, Json] = {"code": reason.json_rpc_code, "message": error.message}
    details: list[Json] = [json_of(detail) for detail in error.details if isinstance(detail, Message)]
    return {**body, "data": {"details": details}} if details else body


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
        """Return the payload of the turn as a model reads it (`orchestrator.turn.clinic_answers`)."""
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
