from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import cast

from clinics import schedule
from clinics.agenda import Agenda, Upkeep, agenda_of
from clinics.ledger import Repeatable, WriteOutcome
from clinics.profile import load_profile
from clinics.slots import Person, Rule, Slot, Snapshot
from clinics.store import SlotStore
from mesh.clock import ZONE


class SettableClock:
    """A clock that the test sets."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class MemorySlotStore:
    """A store that forgets, and counts its writes."""

    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self.writes = 0

    def commit(self, rule: Rule, timeout_s: float, repeatable: Repeatable | None = None) -> WriteOutcome:
        self.writes += 1
        self.snapshot = self.snapshot.changed(rule(self.snapshot))
        return WriteOutcome()


def upkeep_of(store: MemorySlotStore, agenda: Agenda, clock: SettableClock) -> Upkeep:
    return Upkeep(cast("SlotStore", store), agenda, clock)


def test_a_new_day_adds_its_slots_and_leaves_the_rest_alone() -> None:
    agenda = agenda_of(load_profile("clinic_a"), "rolling")
    clock = SettableClock(datetime(2025, 7, 15, 23, 59, tzinfo=ZONE))
    store = MemorySlotStore()
    upkeep = upkeep_of(store, agenda, clock)

    upkeep.run_once()
    assert store.snapshot.slots == [*agenda.planned(clock.now.date())]
    wanted = store.snapshot.slots[-1]
    carlos = Person("Carlos Teste", "12345678900")
    book = partial(schedule.book, now=clock.now, wanted=wanted.ref, patient=carlos, rules=agenda.rules)
    store.commit(book, 1.0)
    before = store.snapshot.slots

    upkeep.run_once()
    assert store.writes == 2, "the day is the same"
    clock.now += timedelta(minutes=1)
    upkeep.run_once()
    assert store.snapshot.slots[: len(before)] == before
    assert {slot.date for slot in store.snapshot.slots[len(before) :]} == {"2025-07-30"}


def test_removed_slots_of_the_fixed_agenda_come_back_and_taken_ones_stay_taken() -> None:
    profile = load_profile("clinic_a")
    taken = Slot("Dr. Ricardo Lopes", "Cardiologia", "2025-07-22", "14:00", False, "Carlos Teste", "12345678900")
    store = MemorySlotStore()
    store.snapshot = Snapshot([taken])
    upkeep_of(store, agenda_of(profile, "blueprint"), SettableClock(datetime(2025, 7, 15, tzinfo=ZONE))).run_once()
    assert len(store.snapshot.slots) == 6
    assert store.snapshot.slots[0] == taken
