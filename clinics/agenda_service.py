"""The handlers of the tools by which operators keep the agenda, and the rules by which they change it.

The rules are pure functions of a snapshot. A held slot is never taken: it is marked, and closes when its holder leaves.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any

from clinics.agenda import Agenda
from clinics.operation_log import Operation
from clinics.profile import Profile
from clinics.schedule import HouseRules, overlapping, text_of
from clinics.slots import Change, Slot, Snapshot
from clinics.store import SlotStore
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.caller import Caller
from mesh.clock import Clock
from mesh.errors import DomainError
from mesh.text_folding import doctors_called
from mesh.tokens import Scope

MOST_OPENED = 500
DAYS_AHEAD = 366
MOST_DAYS_CLOSED = 61
_REASON = "CLOSING_REASON_"


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
            problem = f"{slot.time} on {slot.date} overlaps another visit of this doctor; nothing was changed."
            raise DomainError("SLOT_OVERLAPS", problem, metadata={"date": slot.date, "time": slot.time})


def _in_order(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    return tuple(sorted(slots, key=lambda slot: slot.start))


class AgendaService:
    """Handlers that are named as their tools; the caller was found to be an operator."""

    def __init__(self, profile: Profile, agenda: Agenda, store: SlotStore, clock: Clock) -> None:
        self._profile = profile
        self._agenda = agenda
        self._store = store
        self._clock = clock
        # Answers of a whole clinic name its specialty twice: in the field of the blueprint, and as a code.
        self._named: dict[str, Any] = dict.fromkeys(("specialty", "specialty_code"), profile.specialty)

    def open_slots(self, request: pb.OpenSlotsRequest, caller: Caller) -> pb.OpenSlotsResponse:
        """Open times of a doctor; raise NOT_IN_AGENDA or SLOT_OVERLAPS."""
        doctor, now = self._doctor(request.doctor), self._clock()
        days = self._days_to_open(request, now.date())
        since, label = text_of(now), self._profile.label
        times = sorted(set(request.times))
        named = (Slot(doctor, label, day.isoformat(), time) for day in days for time in times)
        wanted = list(islice((slot for slot in named if slot.start > since), MOST_OPENED + 1))
        if len(wanted) > MOST_OPENED:
            raise _refused(f"At most {MOST_OPENED} slots are opened at once.")
        if not wanted:
            raise _refused("None of these times is to come.")
        planned = [slot for day in days for slot in self._agenda.slots_on(day, doctor)]
        rule = partial(open_times, wanted=wanted, planned=planned, rules=self._agenda.rules)
        made = self._make(rule, Operation("open_slots", "opened", caller))
        return pb.OpenSlotsResponse(slots=map(self._agenda.open_slot, made.changed), unchanged=made.unchanged)

    def close_slots(self, request: pb.CloseSlotsRequest, caller: Caller) -> pb.CloseSlotsResponse:
        """Close the open times of a doctor in a span, and return who is in the way; raise NOT_IN_AGENDA."""
        doctor, now = self._doctor(request.doctor), self._clock()
        first = date.fromisoformat(request.date)
        last = date.fromisoformat(request.last_date) if request.HasField("last_date") else first
        self._check_days([first, last], now.date())
        days = _days_between(first, last)
        if not 0 < len(days) <= MOST_DAYS_CLOSED:
            raise _refused(f"From 1 to {MOST_DAYS_CLOSED} days are closed at once.")
        since = text_of(now)
        first_time = request.first_time if request.HasField("first_time") else "00:00"
        last_time = request.last_time if request.HasField("last_time") else "24:00"

        def is_inside(slot: Slot) -> bool:
            return first_time <= slot.time < last_time and slot.start > since

        planned = [slot for day in days for slot in self._agenda.slots_on(day, doctor) if is_inside(slot)]
        reason = pb.ClosingReason.Name(request.reason or pb.CLOSING_REASON_OTHER).removeprefix(_REASON).lower()

        def change(agenda: Snapshot) -> AgendaChange:
            around = agenda.between((first.isoformat(), first_time), (last.isoformat(), last_time))
            key = agenda.layout.key_of(doctor)
            own = [at for at in around if agenda.layout.doctor_keys[at] == key and is_inside(agenda.slots[at])]
            return close_times(agenda, own, planned, reason)

        made = self._make(change, Operation("close_slots", "closed", caller))
        if made.held and not made.change.replaced:
            self._store.log_read(Operation("close_slots", "read", caller, request.date))
        closed, held = ([self._entry(slot, caller) for slot in slots] for slots in (made.changed, made.held))
        return pb.CloseSlotsResponse(closed=closed, held=held, unchanged=made.unchanged)

    def list_agenda(self, request: pb.ListAgendaRequest, caller: Caller) -> pb.ListAgendaResponse:
        """Return a day's slots, and who comes where the caller may know; raise NOT_IN_AGENDA."""
        day = request.date if request.HasField("date") else self._clock().date().isoformat()
        doctor = self._doctor(request.doctor) if request.HasField("doctor") else None
        self._store.log_read(Operation("list_agenda", "read", caller, day))
        snapshot = self._store.snapshot
        slots = (snapshot.slots[at] for at in snapshot.between((day, "00:00"), (day, "24:00")))
        key = snapshot.layout.key_of
        entries = [self._entry(slot, caller) for slot in slots if doctor is None or key(slot.doctor) == key(doctor)]
        return pb.ListAgendaResponse(date=day, entries=entries, **self._named)

    def _doctor(self, name: str) -> str:
        called = doctors_called(name, self._agenda.doctors)
        if len(called) != 1:
            raise _refused(f"One doctor of this clinic is expected: {', '.join(self._agenda.doctors)}.")
        return called[0]

    def _days_to_open(self, request: pb.OpenSlotsRequest, today: date) -> Sequence[date]:
        weekdays = {number - 1 for number in request.weekdays if number}
        if bool(weekdays) == bool(request.dates) or not request.times:
            raise _refused("Times and either dates or weekdays are expected.")
        if request.dates:
            days = sorted({date.fromisoformat(day) for day in request.dates})
        elif request.HasField("last_date"):
            first = max(today, date.fromisoformat(request.first_date) if request.HasField("first_date") else today)
            last = date.fromisoformat(request.last_date)
            self._check_days([last], today)
            days = [day for day in _days_between(first, last) if day.weekday() in weekdays]
        else:
            raise _refused("Weekdays need last_date.")
        self._check_days(days, today)
        return days

    def _check_days(self, days: Sequence[date], today: date) -> None:
        if any(not today <= day <= today + timedelta(days=DAYS_AHEAD) for day in days):
            raise _refused("Days from today to a year ahead are expected.")

    def _make(self, rule: Callable[[Snapshot], AgendaChange], operation: Operation) -> AgendaChange:
        made: list[AgendaChange] = []

        def change(agenda: Snapshot) -> Change:
            made.append(rule(agenda))
            return made[-1].change

        self._store.commit(change, operation.caller.remaining_s, operation=operation)
        return made[-1]

    def _entry(self, slot: Slot, caller: Caller) -> pb.AgendaEntry:
        state = pb.SLOT_STATE_HELD if slot.is_held else pb.SLOT_STATE_OPEN if slot.available else pb.SLOT_STATE_CLOSED
        is_named = caller.claims is None or Scope.RECORDS in caller.claims.scopes
        return pb.AgendaEntry(
            **self._agenda.described(slot),
            state=state,
            reason=_reason(slot.closed),
            patient_name=slot.patient_name if is_named else None,
            cpf=slot.cpf if is_named else None,
            appointment_id="" if slot.visit is None else slot.visit.id,
        )


def _days_between(first: date, last: date) -> Sequence[date]:
    return [first + timedelta(days=ahead) for ahead in range((last - first).days + 1)]


def _reason(closed: str | None) -> pb.ClosingReason.ValueType:
    if closed is None:
        return pb.CLOSING_REASON_UNSPECIFIED
    name = f"{_REASON}{closed.upper()}"  # one that another release wrote may be unknown here
    return pb.ClosingReason.Value(name) if name in pb.ClosingReason.keys() else pb.CLOSING_REASON_OTHER  # noqa: SIM118


def _refused(problem: str) -> DomainError:
    return DomainError("NOT_IN_AGENDA", f"{problem} Nothing was changed.")
