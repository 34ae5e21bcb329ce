from __future__ import annotations

import errno
import os
import stat
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinics import schedule
from clinics.database import Database, load
from clinics.file_storage import MOST_IN_DATABASE
from clinics.ledger import Fingerprint, Ledger, Record, Repeatable, WriteOutcome, subject_of
from clinics.request_archive import ARCHIVE, MOST_OF_A_PATIENT, RequestArchive
from clinics.schedule import HouseRules
from clinics.slots import Change, Person, Rule, SlotRef, Snapshot
from clinics.store import SlotStore
from mesh.clock import ZONE
from mesh.errors import DomainError
from mesh.private_file import Disk
from mesh.reasons import retry_after_s
from tests.support.agenda import open_slots

Opened = Callable[..., SlotStore]

NOW = datetime(2025, 7, 15, 8, 0, tzinfo=ZONE)
FIRST = SlotRef("Dr. Ricardo Lopes", "2025-07-21", "09:00")
SECOND = SlotRef("Dr. Ricardo Lopes", "2025-07-21", "10:30")
RULES = HouseRules()
CARLOS = Person("Carlos Teste", "123.456.789-00")
MARIA = Person("Maria Souza", "111.444.777-35")
ID = "550e8400-e29b-41d4-a716-446655440000"
TIMEOUT_S = 30.0


def booking(ref: SlotRef, patient: Person = CARLOS) -> Rule:
    return partial(schedule.book, now=NOW, wanted=ref, patient=patient, rules=RULES)


def repeatable(ref: SlotRef, patient: Person = CARLOS, request_id: str = ID) -> Repeatable:
    return Repeatable(request_id, ("book_appointment", ref.doctor, ref.date, ref.time), patient)


def available(path: Path) -> dict[SlotRef, bool]:
    return {slot.ref: slot.available for slot in load(path).snapshot.slots}


class RecordingDisk(Disk):
    """A real disk that fails where it is told to, and notes the order of calls."""

    __slots__ = ("calls", "failing")

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.failing: set[str] = set()

    def write(self, descriptor: int, data: bytes) -> None:
        if "write" in self.failing:
            super().write(descriptor, data[: len(data) // 2])  # as a disk that fills up does
        self._call("write")
        super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._call("sync folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "sync")
        super().sync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        self._call("rename")
        super().rename(source, target)

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name in self.failing:
            raise OSError(errno.ENOSPC, "No space left on device")


class GatedDisk(Disk):
    """A disk whose writes wait until the test lets them go."""

    __slots__ = ("entered", "gate")

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.gate = threading.Event()

    def write(self, descriptor: int, data: bytes) -> None:
        self.entered.set()
        assert self.gate.wait(TIMEOUT_S)
        super().write(descriptor, data)


def test_an_acknowledged_write_is_in_the_file_and_in_the_snapshot(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    assert store.commit(booking(FIRST), TIMEOUT_S) == WriteOutcome(booked=FIRST)
    assert not available(tmp_path / "db.json")[FIRST]
    assert load(tmp_path / "db.json").snapshot.slots == store.snapshot.slots


def test_the_file_is_synced_before_it_is_renamed_and_its_folder_after(opened: Opened) -> None:
    disk = RecordingDisk()
    store = opened(disk=disk)
    disk.calls.clear()
    store.commit(booking(FIRST), TIMEOUT_S)
    assert disk.calls == ["write", "sync", "rename", "sync folder"]


def test_the_file_is_private_indented_and_keeps_accents(opened: Opened, tmp_path: Path) -> None:
    opened().commit(booking(FIRST, Person("João Araújo", CARLOS.cpf)), TIMEOUT_S)
    path = tmp_path / "db.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert '\n      "patient_name": "João Araújo",\n' in path.read_text("utf-8")
    assert sorted(tmp_path.iterdir()) == [path], "nothing is left beside it"


def test_a_refused_write_touches_no_disk(opened: Opened) -> None:
    disk = RecordingDisk()
    store = opened(disk=disk)
    disk.calls.clear()
    with pytest.raises(DomainError, match="not open"):
        store.commit(booking(SlotRef("Dr. Ninguém", "2025-07-21", "09:00")), TIMEOUT_S)
    assert disk.calls == []


@pytest.mark.parametrize("step", ["write", "sync", "rename"])
def test_a_failure_before_the_rename_changes_nothing_and_the_next_write_works(
    opened: Opened, tmp_path: Path, step: str
) -> None:
    disk = RecordingDisk()
    store = opened(disk=disk)
    store.commit(booking(FIRST), TIMEOUT_S)
    before = (tmp_path / "db.json").read_bytes()

    disk.failing = {step}
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND))
    assert refusal.value.reason == "STORAGE_UNAVAILABLE"
    assert refusal.value.metadata == {"outcome": "unchanged"}
    assert (tmp_path / "db.json").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db.json"]
    assert SECOND in [slot.ref for slot in open_slots(store.snapshot, NOW)]

    disk.failing = set()
    assert store.commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND)) == WriteOutcome(booked=SECOND)


def test_a_failed_folder_sync_acknowledges_nothing_until_a_flush_succeeds(opened: Opened) -> None:
    disk = RecordingDisk()
    store = opened(disk=disk)
    disk.failing = {"sync folder"}
    for _ in range(2):  # the repeat is known, but must not be acknowledged either
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
        assert refusal.value.metadata == {"outcome": "unknown"}
    assert FIRST in [slot.ref for slot in open_slots(store.snapshot, NOW)]

    disk.failing = set()
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)
    assert FIRST not in [slot.ref for slot in open_slots(store.snapshot, NOW)]


def test_a_disk_that_fails_before_the_rename_does_not_unmake_what_an_earlier_try_may_have_made(opened: Opened) -> None:
    disk = RecordingDisk()
    store = opened(disk=disk)
    disk.failing = {"sync folder"}
    with pytest.raises(DomainError):
        store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    disk.failing = {"write"}
    for request_id in (ID, ID.upper()):
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST, request_id=request_id))
        assert refusal.value.metadata == {"outcome": "unknown"}


def test_what_an_earlier_process_left_unsynced_is_synced_before_a_repeat_is_answered_from_it(opened: Opened) -> None:
    store = opened()
    store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    store.close()
    disk = RecordingDisk()
    disk.failing = {"sync folder"}
    reopened = opened(disk=disk)
    with pytest.raises(DomainError, match="did not confirm"):
        reopened.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    disk.failing = set()
    assert reopened.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)


def test_a_refusal_after_a_failed_folder_sync_settles_what_was_written(opened: Opened) -> None:
    disk = RecordingDisk()
    store = opened(disk=disk)
    disk.failing = {"sync folder"}
    with pytest.raises(DomainError, match="did not confirm"):
        store.commit(booking(FIRST), TIMEOUT_S)
    disk.failing = set()
    with pytest.raises(DomainError, match="not open"):
        store.commit(booking(FIRST, MARIA), TIMEOUT_S)
    store.close()  # a refusal is answered before the flush that follows it
    assert CARLOS.holds(store.snapshot.slots[1])


def test_waiting_writes_share_one_flush_and_a_refused_one_costs_the_others_nothing(opened: Opened) -> None:
    disk = GatedDisk()
    store = opened(disk=disk)
    order: list[str] = []

    def noted(name: str, rule: Rule) -> Rule:
        def noting(snapshot: Snapshot) -> Change:
            order.append(name)
            return rule(snapshot)

        return noting

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(store.commit, booking(FIRST), TIMEOUT_S)
        assert disk.entered.wait(TIMEOUT_S)
        rest = [
            pool.submit(store.commit, noted("taken", booking(FIRST, MARIA)), TIMEOUT_S),
            pool.submit(store.commit, noted("free", booking(SECOND, MARIA)), TIMEOUT_S),
        ]
        disk.gate.set()
        assert first.result(TIMEOUT_S) == WriteOutcome(booked=FIRST)
        with pytest.raises(DomainError, match="not open"):
            rest[0].result(TIMEOUT_S)
        assert rest[1].result(TIMEOUT_S) == WriteOutcome(booked=SECOND)
    assert sorted(order) == ["free", "taken"]


def test_of_many_writers_of_one_slot_exactly_one_wins(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    barrier = threading.Barrier(32)

    def attempt(number: int) -> str:
        barrier.wait(TIMEOUT_S)
        try:
            store.commit(booking(FIRST, Person(f"Paciente {number}", f"{number:011d}")), TIMEOUT_S)
        except DomainError as refusal:
            return refusal.reason
        return "BOOKED"

    with ThreadPoolExecutor(32) as pool:
        assert Counter(pool.map(attempt, range(32))) == {"BOOKED": 1, "SLOT_UNAVAILABLE": 31}
    assert [slot.available for slot in load(tmp_path / "db.json").snapshot.slots].count(False) == 1


def test_a_write_that_waits_past_its_deadline_is_withdrawn(opened: Opened) -> None:
    disk = GatedDisk()
    store = opened(disk=disk)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(store.commit, booking(FIRST), TIMEOUT_S)
        assert disk.entered.wait(TIMEOUT_S)
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(SECOND), 0.0)
        disk.gate.set()
        first.result(TIMEOUT_S)
    assert refusal.value.reason == "TIMED_OUT"
    assert "nothing was changed" in refusal.value.message
    store.close()
    assert SECOND in [slot.ref for slot in open_slots(store.snapshot, NOW)]


def test_a_write_that_the_disk_keeps_past_its_deadline_has_an_unknown_outcome(opened: Opened) -> None:
    disk = GatedDisk()
    store = opened(disk=disk)
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(FIRST), 0.05, repeatable(FIRST))
    disk.gate.set()
    assert refusal.value.reason == "TIMED_OUT"
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)


def test_more_writes_than_there_are_places_for_are_refused(opened: Opened) -> None:
    disk = GatedDisk()
    store = opened(disk=disk, max_waiting=1)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(store.commit, booking(FIRST), TIMEOUT_S)
        assert disk.entered.wait(TIMEOUT_S)
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(SECOND), TIMEOUT_S)
        disk.gate.set()
        first.result(TIMEOUT_S)
    assert refusal.value.reason == "OVERLOADED"
    assert store.commit(booking(SECOND), TIMEOUT_S) == WriteOutcome(booked=SECOND), "the place is free again"


def test_readers_see_the_last_durable_agenda_while_the_disk_is_busy(opened: Opened) -> None:
    disk = GatedDisk()
    store = opened(disk=disk)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(store.commit, booking(FIRST), TIMEOUT_S)
        assert disk.entered.wait(TIMEOUT_S)
        assert FIRST in [slot.ref for slot in open_slots(store.snapshot, NOW)]
        disk.gate.set()
        first.result(TIMEOUT_S)
    assert FIRST not in [slot.ref for slot in open_slots(store.snapshot, NOW)]


def test_a_faulty_rule_fails_its_own_write_only(opened: Opened) -> None:
    store = opened()

    def faulty(_: Snapshot) -> Change:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.commit(faulty, TIMEOUT_S)
    assert store.commit(booking(FIRST), TIMEOUT_S) == WriteOutcome(booked=FIRST)


class FaultyDisk(Disk):
    """A disk with a programming error in it, until it is mended."""

    __slots__ = ("mended",)

    def __init__(self) -> None:
        self.mended = False

    def write(self, descriptor: int, data: bytes) -> None:
        if not self.mended:
            raise ZeroDivisionError
        super().write(descriptor, data)


def test_the_writer_outlives_a_fault_that_nobody_foresaw(opened: Opened) -> None:
    disk = FaultyDisk()
    store = opened(disk=disk)
    with pytest.raises(ZeroDivisionError):
        store.commit(booking(FIRST), TIMEOUT_S)
    disk.mended = True
    assert store.commit(booking(FIRST), TIMEOUT_S) == WriteOutcome(booked=FIRST)


def test_closing_makes_what_waits_and_refuses_what_comes_later(opened: Opened) -> None:
    disk = GatedDisk()
    store = opened(disk=disk)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(store.commit, booking(FIRST), TIMEOUT_S)
        assert disk.entered.wait(TIMEOUT_S)
        closing = pool.submit(store.close)
        disk.gate.set()
        closing.result(TIMEOUT_S)
        assert first.result(TIMEOUT_S) == WriteOutcome(booked=FIRST)
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(SECOND), TIMEOUT_S)
    assert refusal.value.metadata == {"outcome": "unchanged"}


def test_a_file_that_another_hand_changed_refuses_writes_and_serves_reads(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    store.commit(booking(FIRST), TIMEOUT_S)
    path = tmp_path / "db.json"
    edited = path.read_bytes().replace(b"Carlos", b"Carlas")
    path.write_bytes(edited)
    for ref in (SECOND, SECOND):
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(ref), TIMEOUT_S, repeatable(ref))
        assert refusal.value.metadata == {"outcome": "unchanged"}
    assert path.read_bytes() == edited
    assert SECOND in [slot.ref for slot in open_slots(store.snapshot, NOW)]
    store.close()
    assert opened().commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND)) == WriteOutcome(booked=SECOND)


# Repeats


def test_a_repeat_gets_the_same_outcome_and_changes_nothing_across_restarts(opened: Opened) -> None:
    store = opened()
    outcome = store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST, request_id=ID.upper()))
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == outcome
    store.close()
    disk = RecordingDisk()
    reopened = opened(disk=disk)
    assert reopened.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST, request_id=ID.upper())) == outcome
    assert disk.calls == ["sync folder"], "once, at its start"


def test_a_repeat_is_answered_even_when_the_appointment_has_been_cancelled_since(opened: Opened) -> None:
    store = opened()
    outcome = store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    store.commit(partial(schedule.cancel, now=NOW, held=FIRST, patient=CARLOS, rules=RULES), TIMEOUT_S)
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == outcome
    assert FIRST in [slot.ref for slot in open_slots(store.snapshot, NOW)]


def test_an_id_with_other_content_is_refused(opened: Opened) -> None:
    store = opened()
    store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND))
    assert refusal.value.reason == "REQUEST_ID_REUSED"


def test_a_refused_write_may_be_tried_again_under_its_id(opened: Opened) -> None:
    store = opened()
    store.commit(booking(FIRST, MARIA), TIMEOUT_S)
    with pytest.raises(DomainError, match="not open"):
        store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    store.commit(partial(schedule.cancel, now=NOW, held=FIRST, patient=MARIA, rules=RULES), TIMEOUT_S)
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)


def test_records_hold_no_name_and_no_cpf(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    store.commit(partial(schedule.cancel, now=NOW, held=FIRST, patient=CARLOS, rules=RULES), TIMEOUT_S)
    text = (tmp_path / "db.json").read_text("utf-8")
    assert len(load(tmp_path / "db.json").ledger.records) == 1
    assert ID not in text
    assert "Carlos" not in text
    assert "123.456.789-00" not in text
    assert "12345678900" not in text


def test_a_seal_depends_on_the_secret_the_patient_the_id_and_where_a_part_ends() -> None:
    one = repeatable(FIRST)
    assert one.fingerprint(b"k") == repeatable(FIRST).fingerprint(b"k")
    others = [
        repeatable(FIRST).fingerprint(b"other"),
        repeatable(FIRST, MARIA).fingerprint(b"k"),
        repeatable(FIRST, request_id=ID.replace("5", "6")).fingerprint(b"k"),
    ]
    assert len({fingerprint.key for fingerprint in (one.fingerprint(b"k"), *others)}) == 4
    assert subject_of(others[2].key) == subject_of(one.fingerprint(b"k").key) != subject_of(others[1].key)
    alike = [Repeatable(ID, (*parts, "09:00"), CARLOS) for parts in (("ab", "c"), ("a", "bc"))]
    content = [write.fingerprint(b"k").digest for write in alike]
    assert content[0] != content[1]


@pytest.mark.parametrize(
    ("doctor", "name", "cpf"),
    [
        ("dr. ricardo LOPES", "Carlos Teste", "123.456.789-00"),
        ("Dr. Ricardo Lopes", " carlos  TESTÉ ", "123.456.789-00"),
        ("Dr. Ricardo Lopes", "Carlos Teste", "12345678900"),
    ],
)
def test_a_repeat_that_is_spelled_otherwise_is_the_same(opened: Opened, doctor: str, name: str, cpf: str) -> None:
    store = opened()
    outcome = store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    again = repeatable(SlotRef(doctor, FIRST.date, FIRST.time), Person(name, cpf))
    assert store.commit(booking(SECOND), TIMEOUT_S, again) == outcome


def test_an_id_is_the_patients_own(opened: Opened) -> None:
    store = opened()
    store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    assert store.commit(booking(SECOND, MARIA), TIMEOUT_S, repeatable(SECOND, MARIA)) == WriteOutcome(booked=SECOND)


def test_a_repeat_of_a_request_that_release_0_1_0_made_gets_its_outcome(opened: Opened, tmp_path: Path) -> None:
    former = repeatable(FIRST)
    fingerprint = former.former_fingerprint(b"k" * 32)
    outcome = WriteOutcome(booked=FIRST)
    ledger = Ledger.of([(fingerprint.key, Record(fingerprint.digest, outcome, "2025-07-15T10:00:00+00:00"))])
    content = Database(opened().snapshot, ledger)
    (tmp_path / "db.json").write_bytes(content.encode())
    store = opened()
    assert store.commit(booking(FIRST), TIMEOUT_S, former) == outcome
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND))
    assert refusal.value.reason == "REQUEST_ID_REUSED"


def ticks(store: SlotStore, times: int, patient: Person = CARLOS, first: int = 0) -> None:
    """Make so many writes under ids of their own, which change nothing."""
    for number in range(first, first + times):
        store.commit(lambda _: Change(), TIMEOUT_S, repeatable(FIRST, patient, f"{number:08d}{ID[8:]}"))


def test_a_patient_of_two_hundred_records_is_refused_until_the_oldest_is_a_day_old(opened: Opened) -> None:
    times = [datetime(2025, 7, 15, 11, tzinfo=UTC)]
    store = opened(utc_now=lambda: times[-1])
    ticks(store, MOST_OF_A_PATIENT)
    times.append(times[0] + timedelta(hours=23))
    with pytest.raises(DomainError, match="as many request_ids") as refusal:
        ticks(store, 1, first=MOST_OF_A_PATIENT)
    assert retry_after_s(refusal.value) == 3600
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST, request_id=f"00000000{ID[8:]}")) == WriteOutcome()
    ticks(store, 1, MARIA)
    times.append(times[0] + timedelta(hours=24))
    ticks(store, 1, first=MOST_OF_A_PATIENT)


def test_a_refused_write_of_one_patient_leaves_the_others_of_its_batch_alone(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    ticks(store, MOST_OF_A_PATIENT)
    with pytest.raises(DomainError, match="nothing was changed"):
        store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST, request_id=ID))
    assert available(tmp_path / "db.json")[FIRST]


def test_nothing_younger_than_a_day_is_forgotten_and_what_all_may_have_is_bounded(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clinics.request_archive.MOST_RECORDS", 300)
    store = opened()
    people = [Person("Ana", f"{number:011d}") for number in range(4)]
    for patient in people[:3]:
        ticks(store, 100, patient)
    with pytest.raises(DomainError, match="as many request_ids") as refusal:
        ticks(store, 1, people[3])
    assert retry_after_s(refusal.value) == 24 * 3600
    store.close()
    store = opened()
    for patient in people[:3]:  # each is known, and changes nothing
        for number in (0, 57, 99):
            request = repeatable(FIRST, patient, f"{number:08d}{ID[8:]}")
            assert store.commit(booking(FIRST), TIMEOUT_S, request) == WriteOutcome()
    with pytest.raises(DomainError, match="as many request_ids"):
        ticks(store, 1, people[3])


def test_records_are_forgotten_after_a_day() -> None:
    start = datetime(2025, 7, 15, tzinfo=UTC)
    ledger = Ledger()
    ledger.enter(Fingerprint("old", "d"), WriteOutcome(), start)
    early, late = ledger.copy(), ledger.copy()
    early.forget(start + timedelta(hours=23, minutes=59))
    late.forget(start + timedelta(hours=24))
    assert [set(each.records) for each in (ledger, early, late)] == [{"old"}, {"old"}, set()]
    assert (early.subjects, late.subjects) == ({"": 1}, {})


@given(st.lists(st.datetimes(timezones=st.just(UTC)), max_size=8))
def test_records_stand_in_the_order_in_which_they_were_made_whatever_the_clock_says(clock: list[datetime]) -> None:
    ledger = Ledger()
    for number, now in enumerate(clock):
        ledger.enter(Fingerprint(str(number), "d"), WriteOutcome(), now)
        assert list(ledger.records)[-1] == str(number)
    assert list(Ledger.of(ledger.records.items()).records) == list(ledger.records) == sorted(ledger.records, key=int)


@pytest.fixture
def ticking() -> Callable[[], datetime]:
    times = iter(range(10_000))
    return lambda: datetime(2025, 7, 15, tzinfo=UTC) + timedelta(hours=13 * next(times))


def test_the_age_of_records_follows_the_real_clock(
    opened: Opened, tmp_path: Path, ticking: Callable[[], datetime]
) -> None:
    store = opened(utc_now=ticking)
    book = partial(schedule.book, now=NOW, wanted=FIRST, patient=CARLOS, rules=RULES)
    cancel = partial(schedule.cancel, now=NOW, held=FIRST, patient=CARLOS, rules=RULES)
    for number, rule in enumerate((book, cancel, book, cancel)):
        store.commit(rule, TIMEOUT_S, Repeatable(f"{ID[:-1]}{number}", ("tool", str(number)), CARLOS))
    assert len(load(tmp_path / "db.json").ledger.records) == 2


def test_many_records_move_to_the_archive_and_the_database_stays_small(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    for person in range(6):
        ticks(store, 100, Person("Ana", f"{person:011d}"))
    assert len(load(tmp_path / "db.json").ledger.records) <= MOST_IN_DATABASE
    assert any((tmp_path / "requests").iterdir())
    store.close()
    reopened = opened()
    for person in range(6):
        again = repeatable(FIRST, Person("Ana", f"{person:011d}"), f"00000099{ID[8:]}")
        assert reopened.commit(booking(FIRST), TIMEOUT_S, again) == WriteOutcome()


def test_the_records_of_release_0_1_0_move_to_the_archive_and_are_answered_from_there(
    opened: Opened, tmp_path: Path
) -> None:
    outcome = WriteOutcome(booked=FIRST)
    ids = [f"{number:08d}{ID[8:]}" for number in range(2_000)]
    fingerprints = [repeatable(FIRST, request_id=request_id).former_fingerprint(b"k" * 32) for request_id in ids]
    ledger = Ledger.of((one.key, Record(one.digest, outcome, "2025-07-15T10:00:00+00:00")) for one in fingerprints)
    (tmp_path / "db.json").write_bytes(Database(opened().snapshot, ledger).encode())
    store = opened()
    store.commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND))
    assert len(load(tmp_path / "db.json").ledger.records) == 1
    for request_id in (ids[0], ids[999], ids[-1].upper()):
        assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST, request_id=request_id)) == outcome


def test_no_record_moves_to_the_archive_that_a_power_failure_could_take_from_the_database(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clinics.file_storage.MOST_IN_DATABASE", 2)
    disk = RecordingDisk()
    store = opened(disk=disk)
    ticks(store, 4)  # the archive is there
    sure = set(load(tmp_path / "db.json").ledger.records)
    disk.failing = {"sync folder"}
    for number in range(4, 10):
        with pytest.raises(DomainError, match="did not confirm"):
            ticks(store, 1, first=number)
    unsure = set(load(tmp_path / "db.json").ledger.records)
    archived = {key for key in sure | unsure if opened_archive(tmp_path).find(key) is not None}
    # The archive's folder fails as well: what it did not surely take stays in the database.
    assert (archived, len(unsure)) == (sure, 8)
    disk.failing = set()
    ticks(store, 2, first=10)
    assert {key for key in unsure if opened_archive(tmp_path).find(key) is not None} == unsure


def opened_archive(folder: Path) -> RequestArchive:
    return RequestArchive(folder / ARCHIVE, Disk(), NOW)


def test_records_that_the_archive_does_not_take_stay_in_the_database(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("clinics.file_storage.MOST_IN_DATABASE", 3)
    (tmp_path / "requests").write_bytes(b"")
    store = opened()
    ticks(store, 10)
    assert len(load(tmp_path / "db.json").ledger.records) == 10
    assert len([record for record in caplog.records if "takes no records" in record.getMessage()]) == 1
