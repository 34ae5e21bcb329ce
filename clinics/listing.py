"""The response to ListAvailableSlots, made once for all who ask the same until the agenda or the minute changes.

It joins texts that each slot gave once: a message is the concatenation of its parts (protobuf, "Encoding").
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from clinics import schedule
from clinics.slots import Slot, Snapshot
from generated.clinic.v1 import clinic_service_pb2 as pb

NOTE_OPEN = "Para confirmar o agendamento, informe o horário desejado."
NOTE_NONE_OPEN = "Não há horários disponíveis no momento."


@dataclass(frozen=True, slots=True)
class _Kept:
    """The response for a snapshot within a minute; instants, because comparing them costs less than writing them."""

    snapshot: Snapshot
    since: datetime
    until: datetime
    answer: pb.ListAvailableSlotsResponse


class Listing:
    """Responses for the snapshots of one clinic's agenda. Safe for concurrent use."""

    __slots__ = ("_encoded", "_kept", "_specialty")

    def __init__(self, specialty: str) -> None:
        self._specialty = specialty
        # What an open slot says never changes for a position in the agenda, so it outlives bookings.
        self._encoded: tuple[bytes, ...] = ()
        self._kept: _Kept | None = None

    def answer(self, snapshot: Snapshot, now: datetime, doctor: str | None) -> pb.ListAvailableSlotsResponse:
        """Return the open slots from `now` on, of one doctor or of all; the message is shared: do not change it."""
        if doctor is not None:
            return self._made(snapshot, now, doctor)
        kept = self._kept
        if kept is None or kept.snapshot is not snapshot or not kept.since <= now < kept.until:
            minute = now.replace(second=0, microsecond=0)
            answer = self._made(snapshot, now, None)
            # Two threads may both make an answer; the two are equal.
            kept = self._kept = _Kept(snapshot, minute, minute + timedelta(minutes=1), answer)
        return kept.answer

    def _made(self, snapshot: Snapshot, now: datetime, doctor: str | None) -> pb.ListAvailableSlotsResponse:
        positions = schedule.open_positions(snapshot, now, doctor)
        encoded = self._encoded
        if len(encoded) < len(snapshot.slots):
            # Two threads may both encode what is new; the texts are equal, and either tuple is complete.
            encoded += tuple(map(_encoded, snapshot.slots[len(encoded) :]))
            self._encoded = encoded
        answer = pb.ListAvailableSlotsResponse.FromString(b"".join([encoded[position] for position in positions]))
        answer.specialty = self._specialty
        answer.note = NOTE_OPEN if positions else NOTE_NONE_OPEN
        return answer


def open_slot(slot: Slot) -> pb.Slot:
    """Return the message of an open slot."""
    return pb.Slot(doctor=slot.doctor, specialty=slot.specialty, date=slot.date, time=slot.time, available=True)


def _encoded(slot: Slot) -> bytes:
    return pb.ListAvailableSlotsResponse(available_slots=[open_slot(slot)]).SerializeToString()
