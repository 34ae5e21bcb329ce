"""The rules by which operators change an agenda: which times they open, which they close, and what is in the way.

Pure functions of a snapshot. A slot that is held is never taken from its holder: it is marked, and closes when they
leave it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clinics.house_rules import HouseRules, overlapping
from clinics.slots import Change, Slot, Snapshot
from mesh.errors import DomainError


@dataclass(frozen=True, slots=True)
class AgendaChange:
    """What a change of the agenda does; slots are as they are after it, by date and time."""

    change: Change
    changed: tuple[Slot, ...]  # those that open or close now
    held: tuple[Slot, ...] = ()  # those that patients hold
    unchanged: int = 0  # how many are already what they should be


def open_times(snapshot: Snapshot, wanted: Iterable[Slot], planned: Iterable[Slot], rules: HouseRules) -> AgendaChange:
    """Open times; raise SLOT_OVERLAPS for one that overlaps another of the doctor that is not closed.

    `wanted` are the slots as they should be, `planned` those that the weekly hours may yet add.
    """
    replaced: dict[int, Slot] = {}
    added: list[Slot] = []
    unchanged = 0
    for slot in wanted:
        at = snapshot.find(slot.ref)
        if at is None:
            added.append(slot)
            continue
        there = snapshot.slots[at]
        unchanged += there.is_held or there.available
        if there.closed is not None:  # a held one is not marked any more
            replaced[at] = replace(there, available=not there.is_held, closed=None)
    change = Change(replaced, added=tuple(added))
    opened = [*(slot for slot in replaced.values() if slot.available), *added]
    _check_no_overlap(snapshot.changed(change), opened, planned, rules)
    return AgendaChange(change, _in_order(opened), unchanged=unchanged)


def close_times(snapshot: Snapshot, inside: Sequence[int], planned: Iterable[Slot], reason: str) -> AgendaChange:
    """Close the slots at positions `inside`, and those of `planned` that the agenda lacks; held ones are marked."""
    slots = [(at, snapshot.slots[at]) for at in inside]
    closed = {at: replace(slot, available=False, closed=reason) for at, slot in slots if slot.available}
    # They keep the reason that they were marked with before.
    held = {at: replace(slot, closed=slot.closed or reason) for at, slot in slots if slot.is_held}
    marked = {at: slot for at, slot in held.items() if snapshot.slots[at].closed is None}
    added = tuple(replace(slot, available=False, closed=reason) for slot in planned if snapshot.find(slot.ref) is None)
    unchanged = len(slots) - len(closed) - len(held)
    change = Change({**closed, **marked}, added=added)
    return AgendaChange(change, _in_order([*closed.values(), *added]), _in_order(held.values()), unchanged)


def _check_no_overlap(snapshot: Snapshot, opened: Iterable[Slot], planned: Iterable[Slot], rules: HouseRules) -> None:
    to_come = [slot for slot in planned if snapshot.find(slot.ref) is None]
    full = Snapshot((*snapshot.slots, *to_come)) if to_come else snapshot
    doubled = overlapping(full.layout, rules)
    for slot in opened:
        others = doubled.get(full.find(slot.ref) or 0, ())
        if any(full.slots[at].available or full.slots[at].is_held for at in others):
            raise DomainError(
                "SLOT_OVERLAPS",
                f"{slot.time} on {slot.date} overlaps another visit of this doctor; nothing was changed.",
                metadata={"date": slot.date, "time": slot.time},
            )


def _in_order(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    return tuple(sorted(slots, key=lambda slot: slot.start))
