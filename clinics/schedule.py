"""The rules of a clinic's agenda: how long visits take, what is open, and who may book, move and cancel.

Pure functions of a snapshot and an instant. The contract lists their refusals, which say nothing about anybody else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from heapq import nsmallest
from itertools import pairwise

from clinics.slots import Change, Layout, Person, Slot, SlotRef, Snapshot, Visit
from mesh.clock import ZONE
from mesh.errors import DomainError
from mesh.text_folding import cpf_digits, doctor_key

DEFAULT_DURATION_MIN = 30
LONGEST_VISIT_MIN = 480
ALTERNATIVES = 3


@dataclass(frozen=True, slots=True, eq=False)
class HouseRules:
    """A clinic's rules; 0 stands for a rule that it does not have. Times are minutes."""

    duration_min: int = DEFAULT_DURATION_MIN
    durations: Mapping[str, int] = field(default_factory=dict)  # of doctors whose visits take another time, by key
    booking_notice_min: int = 0
    change_notice_min: int = 0
    most_open: int = 0  # appointments to come that one patient may hold

    def duration_of(self, doctor: str) -> int:
        """Return how many minutes a visit to a doctor takes."""
        return self.durations.get(doctor_key(doctor), self.duration_min) if self.durations else self.duration_min

    def end_of(self, slot: Slot) -> datetime:
        """Return when a visit ends, in local time."""
        return begin_of(slot.start) + timedelta(minutes=self.duration_of(slot.doctor))

    def near(self, snapshot: Snapshot, doctor: str, start: tuple[str, str]) -> tuple[int, ...]:
        """Return the positions of the slots that overlap a visit to a doctor at a date and time."""
        begin = begin_of(start)
        longest = max(self.duration_min, *self.durations.values()) if self.durations else self.duration_min
        end = begin + timedelta(minutes=self.duration_of(doctor))
        around = snapshot.between(text_of(begin - timedelta(minutes=longest)), text_of(end))
        slots = snapshot.slots
        return tuple(at for at in around if begin_of(slots[at].start) < end and self.end_of(slots[at]) > begin)


def begin_of(start: tuple[str, str]) -> datetime:
    """Return a slot's date and time as an instant in the clinic's zone."""
    return datetime.fromisoformat("T".join(start)).replace(tzinfo=ZONE)


def text_of(instant: datetime) -> tuple[str, str]:
    """Return an instant as slots write theirs: YYYY-MM-DD and HH:MM, local to the clinic."""
    date, _, time = instant.astimezone(ZONE).isoformat(timespec="minutes").partition("T")
    return date, time[:5]


def overlapping_ahead(snapshot: Snapshot, rules: HouseRules, now: datetime) -> list[int]:
    """Return the positions of the slots after this minute that overlap another one of the same doctor, in order."""
    doubled = overlapping(snapshot.layout, rules)
    return [at for at in snapshot.after(text_of(now)) if at in doubled] if doubled else []


@lru_cache(maxsize=16)
def overlapping(layout: Layout, rules: HouseRules) -> Mapping[int, tuple[int, ...]]:
    """Return the slots that overlap others of the same doctor, by position, and those others."""
    found: dict[int, tuple[int, ...]] = {}
    open_ends: dict[str, list[tuple[int, datetime]]] = {}
    for at, start in zip(layout.in_order, layout.starts, strict=True):
        key, begin = layout.doctor_keys[at], begin_of(start)
        end = begin + timedelta(minutes=rules.durations.get(key, rules.duration_min))
        before = [(other, until) for other, until in open_ends.get(key, []) if until > begin]
        for other, _ in before:
            found[other] = (*found.get(other, ()), at)
            found[at] = (*found.get(at, ()), other)
        open_ends[key] = [*before, (at, end)]
    return found


class SlotUnavailableError(DomainError):
    """The slot is taken, begun, or not in the agenda; `alternatives` are open slots nearby, the same doctor's first."""

    def __init__(self, alternatives: tuple[Slot, ...]) -> None:
        super().__init__("SLOT_UNAVAILABLE", "This slot is not open. Choose one that list_available_slots returns.")
        self.alternatives = alternatives


def open_positions(snapshot: Snapshot, now: datetime, rules: HouseRules, doctor: str | None = None) -> list[int]:
    """Return the positions of the slots that can be booked now, by date, time and doctor; of one `doctor` or of all."""
    slots, doubled = snapshot.slots, overlapping(snapshot.layout, rules)
    since = text_of(now + timedelta(minutes=rules.booking_notice_min))
    free = [at for at in snapshot.after(since, doctor) if slots[at].available]
    return [at for at in free if not any(slots[other].is_held for other in doubled.get(at, ()))] if doubled else free


def book(
    snapshot: Snapshot, now: datetime, wanted: SlotRef, patient: Person, rules: HouseRules, visit: Visit | None = None
) -> Change:
    """Give an open slot to a patient, as the appointment `visit`."""
    there = snapshot.find(wanted)
    if there is not None and patient.has(slot := snapshot.slots[there]) and slot.start > text_of(now):
        raise DomainError("ALREADY_BOOKED", "This slot is this patient's already; nothing was changed.")
    position = _open(snapshot, now, wanted, rules)
    _no_conflict(snapshot, wanted, patient, rules)
    _not_too_many(snapshot, now, patient, rules)
    taken = _taken(snapshot.slots[position], patient, visit)
    return Change({position: taken}, booked=taken.ref, visit=visit)


def reschedule(
    snapshot: Snapshot, now: datetime, original: SlotRef, wanted: SlotRef, patient: Person, rules: HouseRules
) -> Change:
    """Move a patient's appointment to another open slot, as one change; the original itself counts as not open."""
    leaving = _held(snapshot, now, original, patient, rules)
    position = _open(snapshot, now, wanted, rules, leaving)
    _no_conflict(snapshot, wanted, patient, rules, leaving)
    visit = _changed(snapshot.slots[leaving].visit)
    freed, taken = _freed(snapshot.slots[leaving]), _taken(snapshot.slots[position], patient, visit)
    return Change({leaving: freed, position: taken}, booked=taken.ref, released=freed.ref, visit=visit)


def cancel(snapshot: Snapshot, now: datetime, held: SlotRef, patient: Person, rules: HouseRules) -> Change:
    """Release a patient's slot, which opens or, if that was decided, closes, and remove name and CPF from it."""
    position = _held(snapshot, now, held, patient, rules)
    freed = _freed(snapshot.slots[position])
    return Change({position: freed}, released=freed.ref, visit=_changed(snapshot.slots[position].visit))


def complete(snapshot: Snapshot, planned: tuple[Slot, ...], new_visit: Callable[[], Visit]) -> Change:
    """Add the planned slots that the agenda does not hold, and give taken slots of earlier releases their ids."""
    slots = snapshot.slots
    nameless = [at for at, slot in enumerate(slots) if slot.is_held and slot.visit is None]
    named = {at: replace(slots[at], visit=new_visit()) for at in nameless}
    return Change(named, added=tuple(slot for slot in planned if snapshot.find(slot.ref) is None))


def conflicts(snapshot: Snapshot, now: datetime, rules: HouseRules) -> list[int]:
    """Return the positions of the appointments to come that overlap another one of the same patient, in order."""
    slots = snapshot.slots
    ahead = [at for at in snapshot.after(text_of(now)) if slots[at].is_held]
    by_patient: dict[str, list[int]] = {}
    for at in ahead:
        by_patient.setdefault(cpf_digits(slots[at].cpf or ""), []).append(at)
    pairs = (pair for held in by_patient.values() for pair in pairwise(held))
    found = {
        at for one, other in pairs if rules.end_of(slots[one]) > begin_of(slots[other].start) for at in (one, other)
    }
    return [at for at in ahead if at in found]


def _open(snapshot: Snapshot, now: datetime, wanted: SlotRef, rules: HouseRules, leaving: int | None = None) -> int:
    position = snapshot.find(wanted)
    if position is not None and _is_free(snapshot, position, rules, leaving):
        start = snapshot.slots[position].start
        if start > text_of(now + timedelta(minutes=rules.booking_notice_min)):
            return position
        if start > text_of(now):
            notice_min = str(rules.booking_notice_min)
            problem = f"This clinic takes bookings until {notice_min} minutes before. Choose a later slot."
            raise DomainError("NOTICE_TOO_SHORT", problem, metadata={"notice_min": notice_min})
    raise SlotUnavailableError(_alternatives(snapshot, now, wanted, rules))


def _is_free(snapshot: Snapshot, position: int, rules: HouseRules, leaving: int | None) -> bool:
    doubled = overlapping(snapshot.layout, rules).get(position, ())
    is_alone = not any(at != leaving and snapshot.slots[at].is_held for at in doubled)
    return is_alone and snapshot.slots[position].available


def _alternatives(snapshot: Snapshot, now: datetime, wanted: SlotRef, rules: HouseRules) -> tuple[Slot, ...]:
    same_doctor = frozenset(snapshot.after(text_of(now), wanted.doctor))
    try:
        centre = begin_of((wanted.date, wanted.time))
    except ValueError:  # no such day or time: what comes next is nearest
        centre = now.astimezone(ZONE)

    def distance(position: int) -> tuple[bool, float]:
        away = begin_of(snapshot.slots[position].start) - centre
        return position not in same_doctor, abs(away.total_seconds())

    free = open_positions(snapshot, now, rules)
    return tuple(snapshot.slots[at] for at in nsmallest(ALTERNATIVES, free, key=distance))


def _held(snapshot: Snapshot, now: datetime, ref: SlotRef, patient: Person, rules: HouseRules) -> int:
    position = snapshot.find(ref)
    if position is None or not patient.holds(snapshot.slots[position]):
        problem = "There is no such appointment of this patient. Check doctor, date and time."
        raise DomainError("APPOINTMENT_NOT_FOUND", problem)
    start = snapshot.slots[position].start
    if start <= text_of(now):
        problem = "This appointment has begun already; it can be neither moved nor cancelled."
        raise DomainError("APPOINTMENT_IN_PAST", problem)
    if start <= text_of(now + timedelta(minutes=rules.change_notice_min)):
        problem = f"Appointments can be changed until {rules.change_notice_min} minutes before. Call the clinic."
        raise DomainError("CHANGE_TOO_LATE", problem, metadata={"notice_min": str(rules.change_notice_min)})
    return position


def _no_conflict(
    snapshot: Snapshot, wanted: SlotRef, patient: Person, rules: HouseRules, leaving: int | None = None
) -> None:
    near = rules.near(snapshot, wanted.doctor, (wanted.date, wanted.time))
    if any(at != leaving and patient.has(snapshot.slots[at]) for at in near):
        problem = "This patient has an appointment in this clinic that overlaps this one. Choose another time."
        raise DomainError("APPOINTMENT_CONFLICT", problem)


def _not_too_many(snapshot: Snapshot, now: datetime, patient: Person, rules: HouseRules) -> None:
    if not rules.most_open:
        return
    held = sum(patient.has(snapshot.slots[at]) for at in snapshot.after(text_of(now)))
    if held >= rules.most_open:
        problem = f"A patient may hold {rules.most_open} appointments to come here. Cancel one, or call the clinic."
        raise DomainError("TOO_MANY_APPOINTMENTS", problem, metadata={"most_open": str(rules.most_open)})


def _taken(slot: Slot, patient: Person, visit: Visit | None) -> Slot:
    name, cpf = " ".join(patient.name.split()), patient.cpf.strip()
    return replace(slot, available=False, patient_name=name, cpf=cpf, visit=visit)


def _freed(slot: Slot) -> Slot:
    return replace(slot, available=slot.closed is None, patient_name=None, cpf=None, visit=None)


def _changed(visit: Visit | None) -> Visit | None:
    return None if visit is None else Visit(visit.id, visit.revision + 1)
