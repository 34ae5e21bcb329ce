from __future__ import annotations

from datetime import datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinics import schedule
from clinics.agenda import new_visit
from clinics.schedule import HouseRules, SlotUnavailableError, begin_of
from clinics.slots import Person, Slot, SlotRef, Snapshot
from mesh.clock import ZONE
from mesh.errors import DomainError
from mesh.text_folding import doctor_key
from tests.support.agenda import open_slots

RICARDO, INES = "Dr. Ricardo Lopes", "Dra. Inês Sant'Anna"
FIRST = SlotRef(RICARDO, "2025-07-21", "09:00")
SECOND = SlotRef(RICARDO, "2025-07-21", "10:30")
SAME_TIME = SlotRef(INES, "2025-07-21", "09:00")
OTHER_TIME = SlotRef(INES, "2025-07-21", "11:00")
PAST = SlotRef(RICARDO, "2025-07-14", "09:00")
RULES = HouseRules()
CARLOS = Person("Carlos Teste", "123.456.789-00")
MARIA = Person("Maria Souza", "111.444.777-35")


def booked(snapshot: Snapshot, now: datetime, ref: SlotRef, patient: Person) -> Snapshot:
    return snapshot.changed(schedule.book(snapshot, now, ref, patient, RULES))


def slot(snapshot: Snapshot, ref: SlotRef) -> Slot:
    position = snapshot.find(ref)
    assert position is not None
    return snapshot.slots[position]


def test_open_slots_are_in_order_and_leave_out_the_past(snapshot: Snapshot, now: datetime) -> None:
    listed = [(one.date, one.time, one.doctor) for one in open_slots(snapshot, now)]
    assert listed == sorted(listed)
    assert len(listed) == 5
    assert PAST not in [one.ref for one in open_slots(snapshot, now)]


@pytest.mark.parametrize(("minutes", "still_open"), [(-1, True), (0, False), (1, False)])
def test_a_slot_closes_at_the_minute_it_begins(snapshot: Snapshot, minutes: int, still_open: bool) -> None:
    now = datetime(2025, 7, 21, 9, 0, tzinfo=ZONE) + timedelta(minutes=minutes)
    assert (FIRST in [one.ref for one in open_slots(snapshot, now)]) is still_open


def test_now_is_understood_in_the_clinics_time_zone(snapshot: Snapshot) -> None:
    before = datetime.fromisoformat("2025-07-21T11:59:00+00:00")
    assert FIRST in [one.ref for one in open_slots(snapshot, before)]
    assert FIRST not in [one.ref for one in open_slots(snapshot, before + timedelta(minutes=1))]


def test_one_doctors_slots_can_be_asked_for_in_any_spelling(snapshot: Snapshot, now: datetime) -> None:
    assert {one.doctor for one in open_slots(snapshot, now, "ines santanna")} == {INES}
    assert open_slots(snapshot, now, "Dr. Ninguém") == []


def test_a_booked_slot_holds_name_and_cpf_and_is_no_longer_open(snapshot: Snapshot, now: datetime) -> None:
    after = booked(snapshot, now, SlotRef("ricardo lopes", "2025-07-21", "09:00"), Person("Carlos  Teste ", CARLOS.cpf))
    assert slot(after, FIRST) == Slot(
        RICARDO, "Cardiologia", "2025-07-21", "09:00", False, "Carlos Teste", "123.456.789-00"
    )
    assert FIRST not in [one.ref for one in open_slots(after, now)]
    assert slot(snapshot, FIRST).available, "the earlier snapshot must not change"


@pytest.mark.parametrize(
    "wanted",
    [
        FIRST,
        PAST,
        SlotRef("Dr. Ninguém", "2025-07-21", "09:00"),
        SlotRef(RICARDO, "2025-07-22", "09:00"),
        SlotRef(RICARDO, "2025-02-30", "99:99"),
    ],
    ids=["taken", "past", "unknown doctor", "not in the agenda", "impossible"],
)
def test_whatever_is_not_open_is_refused_in_the_same_words(snapshot: Snapshot, now: datetime, wanted: SlotRef) -> None:
    taken = booked(snapshot, now, FIRST, MARIA)
    with pytest.raises(SlotUnavailableError) as refusal:
        schedule.book(taken, now, wanted, CARLOS, RULES)
    assert refusal.value.reason == "SLOT_UNAVAILABLE"
    assert refusal.value.message == "This slot is not open. Choose one that list_available_slots returns."
    assert len(refusal.value.alternatives) == 3
    assert all(one.available for one in refusal.value.alternatives)


def test_alternatives_are_of_the_same_doctor_first_then_near_in_time(snapshot: Snapshot, now: datetime) -> None:
    taken = booked(snapshot, now, FIRST, MARIA)
    with pytest.raises(SlotUnavailableError) as refusal:
        schedule.book(taken, now, FIRST, CARLOS, RULES)
    assert [one.ref for one in refusal.value.alternatives] == [
        SECOND,
        SlotRef(RICARDO, "2025-07-23", "08:00"),
        SAME_TIME,
    ]


def test_an_agenda_without_open_slots_offers_none() -> None:
    with pytest.raises(SlotUnavailableError) as refusal:
        schedule.book(Snapshot(), datetime(2025, 7, 15, tzinfo=ZONE), FIRST, CARLOS, RULES)
    assert refusal.value.alternatives == ()


def test_one_patient_cannot_be_in_two_places_at_one_time(snapshot: Snapshot, now: datetime) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    with pytest.raises(DomainError) as refusal:
        schedule.book(held, now, SAME_TIME, Person("CARLOS TESTE", "12345678900"), RULES)
    assert refusal.value.reason == "APPOINTMENT_CONFLICT"
    assert not slot(booked(held, now, SAME_TIME, MARIA), SAME_TIME).available


@pytest.mark.parametrize("name", ["Carlos Teste", "Carlos A. Teste", "Outra Pessoa"])
def test_a_person_is_a_cpf_and_has_one_appointment_at_a_time_however_the_name_is_spelled(
    snapshot: Snapshot, now: datetime, name: str
) -> None:
    held = booked(booked(snapshot, now, FIRST, CARLOS), now, SECOND, MARIA)
    person = Person(name, "12345678900")
    with pytest.raises(DomainError) as refusal:
        schedule.book(held, now, SAME_TIME, person, RULES)
    assert refusal.value.reason == "APPOINTMENT_CONFLICT"
    with pytest.raises(DomainError) as refusal:
        schedule.reschedule(booked(held, now, OTHER_TIME, person), now, OTHER_TIME, SAME_TIME, person, RULES)
    assert refusal.value.reason == "APPOINTMENT_CONFLICT"


def test_who_books_a_slot_that_is_theirs_is_told_so_and_others_are_not(snapshot: Snapshot, now: datetime) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    for name in ("Carlos Teste", "Carlos A. Teste"):
        with pytest.raises(DomainError) as refusal:
            schedule.book(held, now, FIRST, Person(name, "12345678900"), RULES)
        assert refusal.value.reason == "ALREADY_BOOKED"
    begun = datetime(2025, 7, 21, 9, 0, tzinfo=ZONE)
    for moment, person in ((now, MARIA), (begun, CARLOS)):
        with pytest.raises(DomainError) as refusal:
            schedule.book(held, moment, FIRST, person, RULES)
        assert refusal.value.reason == "SLOT_UNAVAILABLE"


def test_moving_frees_the_original_and_takes_the_new(snapshot: Snapshot, now: datetime) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    change = schedule.reschedule(held, now, FIRST, SECOND, Person("carlos teste", "12345678900"), RULES)
    moved = held.changed(change)
    assert (change.released, change.booked) == (FIRST, SECOND)
    assert slot(moved, FIRST) == slot(snapshot, FIRST)
    assert CARLOS.holds(slot(moved, SECOND))


def test_moving_to_a_taken_slot_changes_nothing(snapshot: Snapshot, now: datetime) -> None:
    held = booked(booked(snapshot, now, FIRST, CARLOS), now, SECOND, MARIA)
    with pytest.raises(SlotUnavailableError):
        schedule.reschedule(held, now, FIRST, SECOND, CARLOS, RULES)


def test_moving_to_where_one_is_already_is_refused(snapshot: Snapshot, now: datetime) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    with pytest.raises(SlotUnavailableError):
        schedule.reschedule(held, now, FIRST, FIRST, CARLOS, RULES)


def test_moving_into_a_time_with_another_doctor_is_a_conflict(snapshot: Snapshot, now: datetime) -> None:
    held = booked(booked(snapshot, now, SECOND, CARLOS), now, SAME_TIME, CARLOS)
    with pytest.raises(DomainError) as refusal:
        schedule.reschedule(held, now, SECOND, FIRST, CARLOS, RULES)
    assert refusal.value.reason == "APPOINTMENT_CONFLICT"


def test_moving_to_another_doctor_at_the_same_time_is_no_conflict_with_oneself(
    snapshot: Snapshot, now: datetime
) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    assert schedule.reschedule(held, now, FIRST, SAME_TIME, CARLOS, RULES).booked == SAME_TIME


@pytest.mark.parametrize(
    ("ref", "patient"),
    [
        (FIRST, MARIA),
        (FIRST, Person("Carlos Teste", MARIA.cpf)),
        (FIRST, Person("Maria Souza", CARLOS.cpf)),
        (SECOND, CARLOS),
        (SlotRef("Dr. Ninguém", "2025-07-21", "09:00"), CARLOS),
        (PAST, MARIA),
    ],
    ids=["not mine", "wrong CPF", "wrong name", "open", "does not exist", "past and not mine"],
)
def test_what_is_not_the_callers_is_not_found_whatever_the_cause(
    snapshot: Snapshot, now: datetime, ref: SlotRef, patient: Person
) -> None:
    held = booked(booked(snapshot, now, FIRST, CARLOS), datetime(2025, 7, 1, tzinfo=ZONE), PAST, CARLOS)
    with pytest.raises(DomainError) as cancelling:
        schedule.cancel(held, now, ref, patient, RULES)
    with pytest.raises(DomainError) as moving:
        schedule.reschedule(held, now, ref, SlotRef(INES, "2025-07-21", "11:00"), patient, RULES)
    for refusal in (cancelling.value, moving.value):
        assert refusal.reason == "APPOINTMENT_NOT_FOUND"
        assert refusal.message == "There is no such appointment of this patient. Check doctor, date and time."
        assert not refusal.metadata


def test_an_appointment_that_has_begun_can_be_neither_moved_nor_cancelled(snapshot: Snapshot, now: datetime) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    begun = datetime(2025, 7, 21, 9, 0, tzinfo=ZONE)
    with pytest.raises(DomainError) as cancelling:
        schedule.cancel(held, begun, FIRST, CARLOS, RULES)
    with pytest.raises(DomainError) as moving:
        schedule.reschedule(held, begun, FIRST, SECOND, CARLOS, RULES)
    assert {cancelling.value.reason, moving.value.reason} == {"APPOINTMENT_IN_PAST"}


def test_planned_slots_are_added_once_and_never_overwrite(snapshot: Snapshot, now: datetime) -> None:
    held = booked(snapshot, now, FIRST, CARLOS)
    new = Slot(RICARDO, "Cardiologia", "2025-08-01", "09:00")
    respelled = Slot("Dr Ricardo Lopes", "Outra", FIRST.date, FIRST.time)
    change = schedule.complete(held, (new, respelled), new_visit)
    assert change.added == (new,)
    grown = held.changed(change)
    assert grown.slots == [*held.slots, new]
    assert grown.changed(schedule.complete(grown, (new, respelled), new_visit)) is grown


def test_no_name_and_no_cpf_is_in_a_repr(snapshot: Snapshot, now: datetime) -> None:
    change = schedule.book(snapshot, now, FIRST, CARLOS, RULES)
    shown = repr((CARLOS, change, snapshot.changed(change).slots))
    assert "Carlos" not in shown
    assert "123.456.789-00" not in shown


# Properties over arbitrary sequences of requests

DOCTORS = ("Dr. A Um", "Dra. B Dois")
REFS = st.builds(
    SlotRef,
    st.sampled_from(DOCTORS),
    st.sampled_from(["2025-07-16", "2025-07-17"]),
    st.sampled_from(["09:00", "10:00"]),
)
PEOPLE = st.sampled_from([CARLOS, MARIA, Person("Maria Souza", CARLOS.cpf)])
REQUESTS = st.lists(
    st.one_of(
        st.tuples(st.just("book"), REFS, REFS, PEOPLE),
        st.tuples(st.just("move"), REFS, REFS, PEOPLE),
        st.tuples(st.just("cancel"), REFS, REFS, PEOPLE),
    ),
    max_size=40,
)
INSTANTS = st.sampled_from(["2025-07-15T00:00", "2025-07-16T09:30", "2025-07-17T09:00"]).map(
    lambda text: datetime.fromisoformat(text).replace(tzinfo=ZONE)
)
LONG = st.sampled_from([15, 45, 120])
EMPTY = Snapshot(
    Slot(doctor, "Cardiologia", date, time)
    for doctor in DOCTORS
    for date in ("2025-07-16", "2025-07-17")
    for time in ("09:00", "10:00")
)


LENGTHS = st.builds(
    HouseRules, st.sampled_from([30, 60, 90]), st.dictionaries(st.sampled_from(list(map(doctor_key, DOCTORS))), LONG)
)


@given(REQUESTS, INSTANTS, LENGTHS)
def test_no_sequence_of_requests_breaks_the_agenda(
    requests: list[tuple[str, SlotRef, SlotRef, Person]], now: datetime, rules: HouseRules
) -> None:
    agenda = EMPTY
    for action, ref, target, patient in requests:
        try:
            match action:
                case "book":
                    change = schedule.book(agenda, now, ref, patient, rules)
                case "move":
                    change = schedule.reschedule(agenda, now, ref, target, patient, rules)
                case _:
                    change = schedule.cancel(agenda, now, ref, patient, rules)
        except DomainError:
            continue
        following = agenda.changed(change)
        touched = {at for at, (a, b) in enumerate(zip(agenda.slots, following.slots, strict=True)) if a != b}
        assert touched == set(change.replaced)
        for at in touched:  # nobody loses a slot to somebody else, and nothing happens in the past
            assert patient.holds(agenda.slots[at]) or patient.holds(following.slots[at])
            assert following.slots[at].start > (now.date().isoformat(), f"{now:%H:%M}")
        agenda = following
    assert [one.ref for one in agenda.slots] == [one.ref for one in EMPTY.slots]
    for one in agenda.slots:
        assert one.available == (one.patient_name is None) == (one.cpf is None)
    taken = [one for one in agenda.slots if not one.available]
    for one, other in combinations(taken, 2):
        if one.doctor == other.doctor or any(person.holds(one) and person.holds(other) for person in (CARLOS, MARIA)):
            assert rules.end_of(one) <= begin_of(other.start) or rules.end_of(other) <= begin_of(one.start)


@given(REFS, PEOPLE)
def test_cancelling_a_booking_restores_the_agenda(ref: SlotRef, patient: Person) -> None:
    now = datetime(2025, 7, 15, tzinfo=ZONE)
    held = booked(EMPTY, now, ref, patient)
    assert held.changed(schedule.cancel(held, now, ref, patient, RULES)).slots == EMPTY.slots


@given(REFS, REFS, PEOPLE)
def test_moving_there_and_back_restores_the_booking(here: SlotRef, there: SlotRef, patient: Person) -> None:
    if here.doctor != there.doctor or here == there:
        return
    now = datetime(2025, 7, 15, tzinfo=ZONE)
    held = booked(EMPTY, now, here, patient)
    moved = held.changed(schedule.reschedule(held, now, here, there, patient, RULES))
    assert moved.changed(schedule.reschedule(moved, now, there, here, patient, RULES)).slots == held.slots
