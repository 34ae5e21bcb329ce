"""The rules of a clinic's agenda: what is open, and who may book, move and cancel.

Pure functions of a snapshot and an instant. A refusal says nothing about anybody else.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from heapq import nsmallest

from clinics.slots import Change, Person, Slot, SlotRef, Snapshot
from mesh.clock import ZONE
from mesh.errors import DomainError

ALTERNATIVES = 3


class SlotUnavailableError(DomainError):
    """The slot is taken, begun, or not in the agenda; `alternatives` are open slots nearby, the same doctor's first."""

    def __init__(self, alternatives: tuple[Slot, ...]) -> None:
        super().__init__("SLOT_UNAVAILABLE", "This slot is not open. Choose one that list_available_slots returns.")
        self.alternatives = alternatives


def minute_of(now: datetime) -> tuple[str, str]:
    """Return an instant as slots write theirs: YYYY-MM-DD and HH:MM, local to the clinic."""
    date, _, time = now.astimezone(ZONE).isoformat(timespec="minutes").partition("T")
    return date, time[:5]


def open_positions(snapshot: Snapshot, now: datetime, doctor: str | None = None) -> list[int]:
    """Return the positions of the open slots after this minute, by date, time and doctor; of one `doctor` or of all."""
    slots = snapshot.slots
    return [at for at in snapshot.after(minute_of(now), doctor) if slots[at].available]


def book(snapshot: Snapshot, now: datetime, wanted: SlotRef, patient: Person) -> Change:
    """Give an open slot to a patient, or raise SlotUnavailableError, ALREADY_BOOKED or APPOINTMENT_CONFLICT."""
    _not_booked_yet(snapshot, now, wanted, patient)
    position = _open(snapshot, now, wanted)
    _no_conflict(snapshot, wanted, patient)
    taken = _taken(snapshot.slots[position], patient)
    return Change({position: taken}, booked=taken.ref)


def reschedule(snapshot: Snapshot, now: datetime, original: SlotRef, wanted: SlotRef, patient: Person) -> Change:
    """Move a patient's appointment to another open slot, as one change; the original itself counts as not open.

    Raise SlotUnavailableError, APPOINTMENT_NOT_FOUND, APPOINTMENT_IN_PAST or APPOINTMENT_CONFLICT.
    """
    leaving = _held(snapshot, now, original, patient)
    position = _open(snapshot, now, wanted)
    _no_conflict(snapshot, wanted, patient, leaving)
    freed, taken = _freed(snapshot.slots[leaving]), _taken(snapshot.slots[position], patient)
    return Change({leaving: freed, position: taken}, booked=taken.ref, released=freed.ref)


def cancel(snapshot: Snapshot, now: datetime, held: SlotRef, patient: Person) -> Change:
    """Release a patient's slot, and remove name and CPF from it; raise APPOINTMENT_NOT_FOUND or APPOINTMENT_IN_PAST."""
    position = _held(snapshot, now, held, patient)
    freed = _freed(snapshot.slots[position])
    return Change({position: freed}, released=freed.ref)


def add_missing(snapshot: Snapshot, planned: tuple[Slot, ...]) -> Change:
    """Add the planned slots that the agenda does not hold; leave those that it holds as they are."""
    return Change(added=tuple(slot for slot in planned if snapshot.find(slot.ref) is None))


def _open(snapshot: Snapshot, now: datetime, wanted: SlotRef) -> int:
    position = snapshot.find(wanted)
    if position is not None:
        slot = snapshot.slots[position]
        if slot.available and slot.start > minute_of(now):
            return position
    raise SlotUnavailableError(_alternatives(snapshot, now, wanted))


def _not_booked_yet(snapshot: Snapshot, now: datetime, wanted: SlotRef, patient: Person) -> None:
    position = snapshot.find(wanted)
    slot = None if position is None else snapshot.slots[position]
    if slot is not None and patient.has(slot) and slot.start > minute_of(now):
        raise DomainError("ALREADY_BOOKED", "This slot is this patient's already; nothing was changed.")


def _alternatives(snapshot: Snapshot, now: datetime, wanted: SlotRef) -> tuple[Slot, ...]:
    same_doctor = frozenset(snapshot.after(minute_of(now), wanted.doctor))
    try:
        centre = datetime.fromisoformat(f"{wanted.date}T{wanted.time}")
    except ValueError:  # no such day or time: what comes next is nearest
        centre = now.astimezone(ZONE).replace(tzinfo=None)

    def distance(position: int) -> tuple[bool, float]:
        slot = snapshot.slots[position]
        away = datetime.fromisoformat(f"{slot.date}T{slot.time}") - centre
        return position not in same_doctor, abs(away.total_seconds())

    return tuple(snapshot.slots[at] for at in nsmallest(ALTERNATIVES, open_positions(snapshot, now), key=distance))


def _held(snapshot: Snapshot, now: datetime, ref: SlotRef, patient: Person) -> int:
    position = snapshot.find(ref)
    if position is None or not patient.holds(snapshot.slots[position]):
        raise DomainError(
            "APPOINTMENT_NOT_FOUND", "There is no such appointment of this patient. Check doctor, date and time."
        )
    if snapshot.slots[position].start <= minute_of(now):
        raise DomainError(
            "APPOINTMENT_IN_PAST", "This appointment has begun already; it can be neither moved nor cancelled."
        )
    return position


def _no_conflict(snapshot: Snapshot, wanted: SlotRef, patient: Person, leaving: int | None = None) -> None:
    same_time = snapshot.at((wanted.date, wanted.time))
    if any(at != leaving and patient.has(snapshot.slots[at]) for at in same_time):
        raise DomainError(
            "APPOINTMENT_CONFLICT", "This patient has an appointment in this clinic at that time. Choose another time."
        )


def _taken(slot: Slot, patient: Person) -> Slot:
    return replace(slot, available=False, patient_name=" ".join(patient.name.split()), cpf=patient.cpf.strip())


def _freed(slot: Slot) -> Slot:
    return replace(slot, available=True, patient_name=None, cpf=None)
