"""No sequence of bookings, moves and cancellations leaves a patient, or a doctor, in two places at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from clinics import schedule
from clinics.schedule import HouseRules
from clinics.slots import Change, Person, Slot, SlotRef, Snapshot
from mesh.clock import ZONE
from mesh.errors import DomainError
from tests.support.form import tries

DAY = "2025-07-21"
BEFORE = datetime(2025, 7, 20, 12, tzinfo=ZONE)
DURATIONS = {"Dr. Ricardo Lopes": 20, "Dra. Inês Sant'Anna": 50, "Dr. Caio Menezes": 30}
RULES = HouseRules(30, {"ricardolopes": 20, "inessantanna": 50})
TIMES = [f"{hour:02}:{minute:02}" for hour in (8, 9) for minute in range(0, 60, 15)] + ["23:45"]
PEOPLE = [
    *(Person("Carlos Teste", cpf) for cpf in ("123.456.789-00", "12345678900")),
    *(Person("Maria Souza", cpf) for cpf in ("111.444.777-35", "529.982.247-25")),
]
SLOTS = [SlotRef(doctor, DAY, at) for at in TIMES for doctor in DURATIONS]
ANY_SLOT, ANYBODY = st.sampled_from(SLOTS), st.sampled_from(PEOPLE)


class Overlaps(RuleBasedStateMachine):
    """A clinic whose visits take 20, 30 and 50 minutes and whose slots begin every quarter of an hour."""

    def __init__(self) -> None:
        super().__init__()
        self.snapshot = Snapshot(Slot(one.doctor, "Cardiologia", one.date, one.time) for one in SLOTS)

    @rule(slot=ANY_SLOT, person=ANYBODY)
    def book(self, slot: SlotRef, person: Person) -> None:
        self.change(lambda: schedule.book(self.snapshot, BEFORE, slot, person, RULES))

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99), there=ANY_SLOT)
    def move(self, pick: int, there: SlotRef) -> None:
        here, person = self.picked(pick)
        self.change(lambda: schedule.reschedule(self.snapshot, BEFORE, here, there, person, RULES))

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99))
    def cancel(self, pick: int) -> None:
        here, person = self.picked(pick)
        self.change(lambda: schedule.cancel(self.snapshot, BEFORE, here, person, RULES))

    @invariant()
    def nobody_is_in_two_places_at_a_time(self) -> None:
        taken = self.held()
        for number, one in enumerate(taken):
            for other in taken[:number]:
                apart = ends(one) <= begins(other) or ends(other) <= begins(one)
                assert apart or (digits(one) != digits(other) and one.doctor != other.doctor), (one.ref, other.ref)

    def held(self) -> list[Slot]:
        return [slot for slot in self.snapshot.slots if not slot.available]

    def picked(self, pick: int) -> tuple[SlotRef, Person]:
        slot = self.held()[pick % len(self.held())]
        return slot.ref, Person(slot.patient_name or "", slot.cpf or "")

    def change(self, rule_: Callable[[], Change]) -> None:
        try:
            self.snapshot = self.snapshot.changed(rule_())
        except DomainError as refusal:
            assert refusal.reason in {"APPOINTMENT_CONFLICT", "SLOT_UNAVAILABLE", "ALREADY_BOOKED"}  # noqa: PT017


def begins(slot: Slot) -> datetime:
    return datetime.fromisoformat(f"{slot.date}T{slot.time}")


def ends(slot: Slot) -> datetime:
    return begins(slot) + timedelta(minutes=DURATIONS[slot.doctor])


def digits(slot: Slot) -> str:
    return "".join(filter(str.isdigit, slot.cpf or ""))


TestOverlaps = Overlaps.TestCase
TestOverlaps.settings = settings(derandomize=True, max_examples=tries(60), stateful_step_count=40, deadline=None)
