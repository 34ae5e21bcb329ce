"""What a clinic's agenda shows as open, slot by slot."""

from __future__ import annotations

from datetime import datetime

from clinics.schedule import HouseRules, open_positions
from clinics.slots import Slot, Snapshot


def open_slots(snapshot: Snapshot, now: datetime, doctor: str | None = None) -> list[Slot]:
    """Return the slots at the positions that the rules call open."""
    return [snapshot.slots[at] for at in open_positions(snapshot, now, HouseRules(), doctor)]
