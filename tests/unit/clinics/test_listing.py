from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from clinics import schedule
from clinics.agenda import Agenda
from clinics.schedule import HouseRules
from clinics.servicer import MOST_LISTED, NOTE_NONE_OPEN, NOTE_OPEN, Listing
from clinics.slots import Change, Person, Slot, SlotRef, Snapshot
from generated.clinic.v1 import clinic_service_pb2 as pb

RULES = HouseRules()
AGENDA = Agenda("blueprint", (), lambda _: (), RULES, "Cardiology")
CARLOS = Person("Carlos Teste", "123.456.789-00")


def plainly_made(snapshot: Snapshot, now: datetime, doctor: str | None) -> pb.ListAvailableSlotsResponse:
    positions = schedule.open_positions(snapshot, now, RULES, doctor)
    return pb.ListAvailableSlotsResponse(
        specialty="Cardiology",
        specialty_code="Cardiology",
        available_slots=[AGENDA.open_slot(snapshot.slots[at]) for at in positions],
        note=NOTE_OPEN if positions else NOTE_NONE_OPEN,
    )


@pytest.mark.parametrize("doctor", [None, "ricardo lopes", "Dr. Ninguém"])
def test_an_answer_says_what_is_open_now_after_every_change_and_as_time_goes_by(
    snapshot: Snapshot, now: datetime, doctor: str | None
) -> None:
    listing = Listing(AGENDA)
    wanted = SlotRef("Dr. Ricardo Lopes", "2025-07-21", "09:00")
    booked = snapshot.changed(schedule.book(snapshot, now, wanted, CARLOS, RULES))
    cancelled = booked.changed(schedule.cancel(booked, now, wanted, CARLOS, RULES))
    longer = cancelled.changed(Change(added=(Slot("Dr. Ricardo Lopes", "Cardiologia", "2025-07-20", "08:00"),)))
    for agenda in (snapshot, booked, snapshot, cancelled, longer):
        for at in (now, now, now + timedelta(days=7), now + timedelta(days=400), now):
            assert listing.answer(agenda, at, doctor) == plainly_made(agenda, at, doctor)


def test_a_slot_leaves_the_answer_at_the_minute_it_begins(snapshot: Snapshot, now: datetime) -> None:
    listing = Listing(AGENDA)
    last = now.replace(day=21, hour=8, minute=59, second=59)
    before, after = (
        len(listing.answer(snapshot, at, None).available_slots) for at in (last, last + timedelta(seconds=1))
    )
    assert before - after == 2


@pytest.mark.parametrize("over", [0, 1])
def test_a_listing_holds_as_many_slots_as_the_contract_says_and_tells_what_is_missing(now: datetime, over: int) -> None:
    times = (now + timedelta(days=1, minutes=15 * number) for number in range(MOST_LISTED + over))
    slots = (Slot("Dr. Ricardo Lopes", "Cardiologia", f"{at:%Y-%m-%d}", f"{at:%H:%M}") for at in times)
    answer = Listing(AGENDA).answer(Snapshot(slots), now, None)
    assert len(answer.available_slots) == MOST_LISTED == 2000
    told = [f"A lista mostra os primeiros {MOST_LISTED} de {MOST_LISTED + 1} horários livres."]
    assert (answer.remarks.partial, list(answer.remarks.explanations)) == (bool(over), told * over)
