"""The answer to who asks for open slots, made once for all who ask the same.

A clinic is asked far more often than it changes. The answer for all doctors is kept until the agenda or the minute is
another; and it is put together from texts that each slot gave once, because protobuf copies a message field by field
but reads it in one go (a message is the concatenation of its parts: protobuf, "Encoding", last one wins). Which slots
are open is `clinics.schedule`.
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
    """The answer for a snapshot within a minute; instants, because to compare them costs less than to write them."""

    snapshot: Snapshot
    since: datetime
    until: datetime
    answer: pb.ListAvailableSlotsResponse


class Listing:
    """Answers for the snapshots of one clinic's agenda. Safe for concurrent use.

    Args:
        specialty: The clinic's.
    """

    __slots__ = ("_encoded", "_kept", "_specialty")

    def __init__(self, specialty: str) -> None:
        self._specialty = specialty
        # What an open slot says never changes for a position in the agenda, so it outlives bookings.
        self._encoded: tuple[bytes, ...] = ()
        self._kept: _Kept | None = None

    def answer(self, snapshot: Snapshot, now: datetime, doctor: str | None) -> pb.ListAvailableSlotsResponse:
        """Returns the open slots from now on; the message is shared and must not be changed.

        Args:
            snapshot: The agenda; it holds what earlier snapshots held, at the same positions.
            now: The current instant, aware.
            doctor: Only this doctor's slots. None: everybody's.
        """
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
    """Returns the message of a slot that is open.

    Args:
        slot: The slot.
    """
    return pb.Slot(doctor=slot.doctor, specialty=slot.specialty, date=slot.date, time=slot.time, available=True)


def _encoded(slot: Slot) -> bytes:
    return pb.ListAvailableSlotsResponse(available_slots=[open_slot(slot)]).SerializeToString()
