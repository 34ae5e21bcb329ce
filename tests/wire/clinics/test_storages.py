"""What a clinic's store promises, whatever keeps its agenda: db.json, or PostgreSQL."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from clinics import schedule
from clinics.agenda import new_visit
from clinics.agenda_service import close_times
from clinics.file_storage import FileStorage
from clinics.ledger import Repeatable, WriteOutcome
from clinics.operation_log import OPERATIONS, OperationLog
from clinics.request_archive import ARCHIVE, MOST_OF_A_PATIENT, RequestArchive
from clinics.schedule import HouseRules
from clinics.silo import DatabaseFile
from clinics.slots import Change, Person, Rule, Slot, SlotRef, Snapshot, Visit
from clinics.store import SlotStore, Storage
from mesh.clock import ZONE
from mesh.errors import DomainError
from mesh.private_file import Disk
from tests.support.form import tries
from tests.support.postgres import PostgresMissingError, postgres

NOW = datetime(2025, 7, 15, 8, 0, tzinfo=ZONE)
STARTED = datetime(2025, 7, 15, 11, 0, tzinfo=UTC)
REFS = tuple(
    SlotRef(doctor, "2025-07-21", time)
    for doctor in ("Dr. Ricardo Lopes", "Dra. Inês Sant'Anna")
    for time in ("09:00", "09:30", "10:30")
)
FIRST, SECOND = REFS[0], REFS[2]
CARLOS, MARIA = Person("Carlos Teste", "123.456.789-00"), Person("Maria Souza", "111.444.777-35")
ID = "550e8400-e29b-41d4-a716-446655440000"
TIMEOUT_S = 30.0
KEY = b"k" * 32
RULES = HouseRules()

Opened = Callable[..., SlotStore]
_CLINICS = count()


class Stores:
    """Opens stores of one agenda of six open slots, again and again; as replicas, where it is in PostgreSQL."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self.schema = f"clinic_{next(_CLINICS)}"
        self._folder = folder
        self._url = url
        self._opened: list[SlotStore] = []

    def __call__(self, now: Callable[[], datetime] = lambda: STARTED) -> SlotStore:
        silo = self._folder / (f"replica-{len(self._opened)}" if self._url else "silo")
        silo.mkdir(exist_ok=True)
        archive = RequestArchive(silo / ARCHIVE, Disk(), STARTED)
        storage: Storage
        if self._url is None:
            storage = FileStorage(DatabaseFile(silo / "db.json", Disk()), archive, KEY)
        else:
            from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - an extra, which db.json does without

            storage = PostgresStorage(self._url, self.schema, RULES, archive)
        operations = OperationLog(silo / OPERATIONS, Disk(), KEY, now)
        store = SlotStore(storage, utc_now=now, max_waiting=64, operations=operations)
        self._opened.append(store)
        slots = tuple(Slot(ref.doctor, "Cardiologia", ref.date, ref.time) for ref in REFS)
        store.commit(partial(schedule.complete, planned=slots, new_visit=new_visit), TIMEOUT_S)
        return store

    def close(self) -> None:
        for store in self._opened:
            store.close()


@pytest.fixture(params=[None, "postgres_server", "system_server"])
def url(request: pytest.FixtureRequest) -> str | None:
    return None if request.param is None else str(request.getfixturevalue(request.param))


@pytest.fixture(scope="module")
def system_server() -> Iterator[str]:
    """The URL of a PostgreSQL of the system, which is mostly older than that of the development tools."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra postgres)")
    try:
        with postgres(of_system=True) as url:
            yield url
    except PostgresMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def opened(tmp_path: Path, url: str | None) -> Iterator[Stores]:
    stores = Stores(tmp_path, url)
    yield stores
    stores.close()


@pytest.fixture
def replicated(tmp_path: Path, postgres_server: str) -> Iterator[Stores]:
    stores = Stores(tmp_path, postgres_server)
    yield stores
    stores.close()


def booking(ref: SlotRef, patient: Person = CARLOS) -> Rule:
    return partial(schedule.book, now=NOW, wanted=ref, patient=patient, rules=RULES)


def repeatable(ref: SlotRef, patient: Person = CARLOS, request_id: str = ID) -> Repeatable:
    return Repeatable(request_id, ("book_appointment", ref.doctor, ref.date, ref.time), patient)


def holders(store: SlotStore) -> dict[SlotRef, str]:
    return {slot.ref: slot.patient_name for slot in store.snapshot.slots if slot.patient_name is not None}


def test_an_acknowledged_write_is_there_after_a_restart_with_all_that_is_kept_of_it(opened: Stores) -> None:
    store = opened()
    joao = Person("João Araújo", CARLOS.cpf)
    rule = partial(schedule.book, now=NOW, wanted=FIRST, patient=joao, rules=RULES, visit=Visit("abc"))
    store.commit(rule, TIMEOUT_S)
    before = store.snapshot
    store.close()
    again = opened().snapshot
    assert [replace(slot) for slot in again.slots] == list(before.slots)
    assert again.slots[0].visit == Visit("abc")
    assert again.slots[0].patient_name == "João Araújo"


def test_slots_that_are_closed_and_those_that_close_later_are_so_after_a_restart(opened: Stores) -> None:
    store = opened()
    store.commit(booking(FIRST), TIMEOUT_S)
    store.commit(lambda agenda: close_times(agenda, (0, 1), (), "vacation").change, TIMEOUT_S)
    store.close()
    first, second, third = opened().snapshot.slots[:3]
    assert (first.is_held, first.closed) == (True, "vacation")
    assert (second.is_held, second.available, second.closed) == (False, False, "vacation")
    assert third.available


def test_a_repeat_gets_the_outcome_of_then_also_after_a_restart(opened: Stores) -> None:
    store = opened()
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)
    store.commit(partial(schedule.cancel, now=NOW, held=FIRST, patient=CARLOS, rules=RULES), TIMEOUT_S)
    store.close()
    again = opened()
    assert again.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)
    assert holders(again) == {}
    with pytest.raises(DomainError) as refusal:
        again.commit(booking(SECOND), TIMEOUT_S, repeatable(SECOND))
    assert refusal.value.reason == "REQUEST_ID_REUSED"


def test_of_many_writers_of_one_slot_exactly_one_wins(opened: Stores) -> None:
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
    assert len(holders(store)) == 1


def test_a_faulty_rule_fails_its_own_write_only(opened: Stores) -> None:
    store = opened()

    def faulty(_: Snapshot) -> Change:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.commit(faulty, TIMEOUT_S)
    assert store.commit(booking(FIRST), TIMEOUT_S) == WriteOutcome(booked=FIRST)


@pytest.mark.long(but=1)
def test_a_patient_has_two_hundred_records_until_the_oldest_is_a_day_old(opened: Stores) -> None:
    now = STARTED
    store = opened(lambda: now)
    for number in range(MOST_OF_A_PATIENT):
        store.commit(lambda _: Change(), TIMEOUT_S, repeatable(FIRST, request_id=f"{number}"))
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    assert refusal.value.reason == "REQUEST_IDS_EXHAUSTED"
    now += timedelta(hours=24)
    store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    store.close()
    assert opened(lambda: now).commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)


def test_closing_refuses_what_comes_later(opened: Stores) -> None:
    store = opened()
    store.close()
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(FIRST), TIMEOUT_S)
    assert refusal.value.metadata == {"outcome": "unchanged"}


WHICH, WHO = st.integers(0, len(REFS) - 1), st.integers(0, 1)


class Model(RuleBasedStateMachine):
    """Bookings, cancellations, repeats and restarts beside a dict; where, a subclass says."""

    base: ClassVar[Path]
    url: ClassVar[str | None]

    def __init__(self) -> None:
        super().__init__()
        folder = self.base / f"run-{next(_CLINICS)}"
        folder.mkdir()
        self.stores = Stores(folder, self.url)
        self.store = self.stores()
        self.held: dict[SlotRef, str] = {}
        self.made: dict[str, tuple[SlotRef, Person]] = {}

    def teardown(self) -> None:
        self.stores.close()

    @rule(which=WHICH, who=WHO)
    def book(self, which: int, who: int) -> None:
        ref, person, request_id = REFS[which], (CARLOS, MARIA)[who], f"id-{len(self.made)}"
        clashes = [one for one, name in self.held.items() if name == person.name and one.time == ref.time]
        if ref not in self.held and not clashes:
            self.store.commit(booking(ref, person), TIMEOUT_S, repeatable(ref, person, request_id))
            self.held[ref] = person.name
            self.made[request_id] = ref, person
        else:
            with pytest.raises(DomainError):
                self.store.commit(booking(ref, person), TIMEOUT_S, repeatable(ref, person, request_id))

    @rule(which=WHICH, who=WHO)
    def cancel(self, which: int, who: int) -> None:
        ref, person = REFS[which], (CARLOS, MARIA)[who]
        undo = partial(schedule.cancel, now=NOW, held=ref, patient=person, rules=RULES)
        if self.held.get(ref) == person.name:
            self.store.commit(undo, TIMEOUT_S)
            del self.held[ref]
        else:
            with pytest.raises(DomainError):
                self.store.commit(undo, TIMEOUT_S)

    @rule(pick=st.integers(0, 50))
    def repeat(self, pick: int) -> None:
        if self.made:
            request_id, (ref, person) = list(self.made.items())[pick % len(self.made)]
            again = self.store.commit(booking(ref, person), TIMEOUT_S, repeatable(ref, person, request_id))
            assert again == WriteOutcome(booked=ref)

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = self.stores()

    @invariant()
    def readers_see_it(self) -> None:
        assert holders(self.store) == self.held


def test_the_store_agrees_with_a_plain_model(tmp_path: Path, url: str | None) -> None:
    model = type("OfStorage", (Model,), {"base": tmp_path, "url": url})
    few = settings(
        derandomize=True, max_examples=tries(12), stateful_step_count=25, deadline=None, phases=(Phase.generate,)
    )
    run_state_machine_as_test(model, settings=few)


def test_what_one_replica_wrote_every_other_sees_at_its_next_read(replicated: Stores) -> None:
    one, other = replicated(), replicated()
    assert holders(other) == {}
    for number, ref in enumerate(REFS[:3]):
        one.commit(booking(ref, Person("Ana", f"{number:011d}")), TIMEOUT_S)
        assert holders(other)[ref] == "Ana"


def test_a_booking_is_decided_on_the_database_and_a_repeat_is_known_to_every_replica(replicated: Stores) -> None:
    one, other = replicated(), replicated()
    one.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    assert other.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)
    with pytest.raises(DomainError) as refusal:
        other.commit(booking(FIRST, MARIA), TIMEOUT_S)
    assert refusal.value.reason == "SLOT_UNAVAILABLE"
    with pytest.raises(DomainError) as refusal:
        other.commit(booking(REFS[3]), TIMEOUT_S)  # of another doctor, at the same time
    assert refusal.value.reason == "APPOINTMENT_CONFLICT"


def test_of_writers_at_three_replicas_that_want_six_slots_each_slot_has_one(replicated: Stores) -> None:
    stores = [replicated() for _ in range(3)]
    barrier = threading.Barrier(18)

    def attempt(number: int) -> str:
        barrier.wait(TIMEOUT_S)
        try:
            stores[number % 3].commit(booking(REFS[number // 3], Person(f"P {number}", f"{number:011d}")), TIMEOUT_S)
        except DomainError as refusal:
            return refusal.reason
        return "BOOKED"

    with ThreadPoolExecutor(18) as pool:
        said = list(pool.map(attempt, range(18)))
    assert Counter(said) == {"BOOKED": 6, "SLOT_UNAVAILABLE": 12}
    expected = {REFS[number // 3]: f"P {number}" for number in range(18) if said[number] == "BOOKED"}
    assert len(expected) == 6
    assert all(holders(store) == expected for store in stores)


def test_the_schema_itself_refuses_two_visits_of_one_patient_that_overlap(
    replicated: Stores, postgres_server: str
) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    replicated().commit(booking(FIRST), TIMEOUT_S)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        copy = """UPDATE {0}.slot SET available = false, cpf = one.cpf, patient_name = 'x', holder = one.holder,
            during = one.during FROM {0}.slot one WHERE one.position = 0 AND slot.position = 3"""
        with pytest.raises(psycopg.errors.ExclusionViolation):
            connection.execute(copy.format(replicated.schema).encode())
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(f"UPDATE {replicated.schema}.slot SET \"time\" = '09:00' WHERE position = 1".encode())


def test_a_write_of_a_hand_past_the_lock_fails_the_batch_and_changes_nothing(
    replicated: Stores, postgres_server: str
) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    store = replicated()
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(
            f"UPDATE {replicated.schema}.slot SET holder = 1, cpf = '1', available = false,"
            " during = '[0,99999999)' WHERE position = 5".encode()
        )
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(FIRST, Person("Um", "00000000001")), TIMEOUT_S)
    assert refusal.value.metadata == {"outcome": "unchanged"}
    assert store.commit(booking(FIRST), TIMEOUT_S) == WriteOutcome(booked=FIRST)


def test_connections_that_are_cut_lose_nothing_and_come_back(replicated: Stores, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    store = replicated()
    store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
    assert holders(store)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'clinic-mesh'"
        connection.execute(cut)
    assert holders(store) == {FIRST: CARLOS.name}, "a read connects again"
    with pytest.raises(DomainError) as refusal:
        store.commit(booking(SECOND, MARIA), TIMEOUT_S, repeatable(SECOND, MARIA))
    assert refusal.value.metadata == {"outcome": "unknown"}, "who repeats may have been served before"
    assert store.commit(booking(SECOND, MARIA), TIMEOUT_S, repeatable(SECOND, MARIA)) == WriteOutcome(booked=SECOND)
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)


@pytest.mark.long
def test_a_lock_that_another_holds_too_long_refuses_the_write(replicated: Stores, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    store = replicated()
    with psycopg.connect(postgres_server) as connection:
        connection.execute(f"SELECT 1 FROM {replicated.schema}.clinic FOR UPDATE".encode())
        assert len(store.snapshot.slots) == 6, "reads wait for nobody"
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(FIRST), TIMEOUT_S)
    assert refusal.value.metadata == {"outcome": "unchanged"}
    assert store.commit(booking(FIRST), TIMEOUT_S) == WriteOutcome(booked=FIRST)


@pytest.mark.long
def test_where_the_server_does_not_answer_nothing_old_is_shown_as_new(replicated: Stores, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    store = replicated()
    with psycopg.connect(postgres_server) as connection:
        connection.execute(f"LOCK TABLE {replicated.schema}.slot IN ACCESS EXCLUSIVE MODE".encode())
        with pytest.raises(DomainError) as refusal:
            _ = store.snapshot
    assert refusal.value.reason == "STORAGE_UNAVAILABLE"
    assert len(store.snapshot.slots) == 6


# By the codes: serialization failure, deadlock, disk full; and the one that says of itself that nobody knows.
@pytest.mark.parametrize(
    ("code", "when", "outcome"),
    [
        *((code, when, "unchanged") for code in ("40001", "40P01", "53100") for when in ("IMMEDIATE", "DEFERRED")),
        ("40003", "DEFERRED", "unknown"),
    ],
)
def test_a_fault_that_the_server_reports_fails_the_batch_and_a_repeat_makes_it_once(
    replicated: Stores, postgres_server: str, caplog: pytest.LogCaptureFixture, code: str, when: str, outcome: str
) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    # A trigger raises the server's code: at a statement of the batch, or at its COMMIT.
    store, schema = replicated(), replicated.schema
    faulty = f"""CREATE FUNCTION {schema}.fault() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'of Carlos' USING ERRCODE = '{code}'; END $$;
        CREATE CONSTRAINT TRIGGER fault AFTER UPDATE ON {schema}.slot DEFERRABLE INITIALLY {when}
        FOR EACH ROW EXECUTE FUNCTION {schema}.fault()"""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(faulty.encode())
        with pytest.raises(DomainError) as refusal:
            store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST))
        assert refusal.value.metadata == {"outcome": outcome}
        assert {record.name for record in caplog.records} == {"clinics.postgres_storage"}
        assert "Carlos" not in caplog.text
        assert holders(store) == {}
        connection.execute(f"DROP TRIGGER fault ON {schema}.slot".encode())
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)
    assert store.commit(booking(FIRST), TIMEOUT_S, repeatable(FIRST)) == WriteOutcome(booked=FIRST)
    assert holders(store) == {FIRST: CARLOS.name}
