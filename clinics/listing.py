"""Open slots as protobuf messages, each built once.

An open slot's message says doctor, specialty, date and time, which never change for a position in the agenda, so it
outlives bookings and cancellations. Which slots are open is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterable

from clinics.slots import Slot, Snapshot
from generated.clinic.v1 import clinic_service_pb2 as pb


class SlotMessages:
    """Messages by position, for all snapshots of one clinic's agenda. Safe for concurrent use."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: tuple[pb.Slot, ...] = ()

    def open(self, snapshot: Snapshot, positions: Iterable[int]) -> list[pb.Slot]:
        """Returns the messages of open slots; they are shared and must not be changed.

        Args:
            snapshot: The agenda; it holds what earlier snapshots held, at the same positions.
            positions: Where its open slots are.
        """
        built = self._open
        if len(built) < len(snapshot.slots):
            # Two threads may both build what is new; the messages are equal, and either tuple is complete.
            built += tuple(map(open_slot, snapshot.slots[len(built) :]))
            self._open = built
        return [built[position] for position in positions]


def open_slot(slot: Slot) -> pb.Slot:
    """Returns the message of a slot that is open.

    Args:
        slot: The slot.
    """
    return pb.Slot(doctor=slot.doctor, specialty=slot.specialty, date=slot.date, time=slot.time, available=True)
