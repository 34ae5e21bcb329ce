"""`python -m bench.stores`: db.json beside PostgreSQL, both durable, in one run whose rounds take turns.

Bookings are made at the store, by eight threads with request_ids: what the wire costs is the same for both. Listings
are calls over the wire to clinics in processes of their own.
"""

from __future__ import annotations

import argparse
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bench import agenda
from bench.clinic import clinic_arguments
from bench.measure import calls_per_s, interleaved, p50_us, repeated
from bench.processes import running, scratch
from bench.report import Goal, Section
from clinics import schedule
from clinics.agenda import new_visit
from clinics.database import Database
from clinics.file_storage import FileStorage
from clinics.ledger import Repeatable
from clinics.operation_log import OPERATIONS, OperationLog
from clinics.postgres_storage import PostgresStorage
from clinics.program import MAX_WRITES
from clinics.request_archive import ARCHIVE, MOST_RECORDS, RequestArchive
from clinics.schedule import HouseRules
from clinics.silo import DatabaseFile
from clinics.slots import Change, Person, Slot, Snapshot
from clinics.store import SlotStore, Storage
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import open_channel
from mesh.clock import ZONE
from mesh.private_file import Disk
from tests.support.postgres import postgres

_CALLERS = 8
_RULES = HouseRules()
_NOW = datetime(2025, 7, 15, 8, tzinfo=ZONE)
_JSON, _POSTGRES = "db.json", "PostgreSQL, fsync on"
_BOOKED = {_JSON: 80, _POSTGRES: 2_400}
"""Bookings of a round: a second or two of each."""
_TIMEOUT_S = 300.0


def main() -> int:
    """Measure and print; returns 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.stores", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (5)")
    rounds = min(parser.parse_args().rounds, MOST_RECORDS // _BOOKED[_POSTGRES] - 1)
    with postgres(is_durable=True) as url:
        sections = [_bookings(url, 100_000, rounds), _listings(url, 10_000, 3 * rounds)]
    for section in sections:
        print(section.text(), flush=True)
    return int(not all(goal.is_met for section in sections for goal in section.goals))


def _bookings(url: str, slots: int, rounds: int) -> Section:
    data = agenda.make_slots(slots)
    contenders: dict[str, Callable[[], float]] = {}
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        for name in _BOOKED:
            store = _open(folder / name.partition(",")[0], url if name == _POSTGRES else None, data)
            parts.callback(store.close)
            contenders[name] = _round(store, data[: _BOOKED[name]])
        figures = interleaved(contenders, rounds, "bookings/s")
    return Section(
        f"bookings at the store, {slots:,} slots, {_CALLERS} callers ({rounds} rounds)",
        list(figures.values()),
        [
            Goal(figures[_POSTGRES], 1_500, at_least=True),
            Goal(figures[_POSTGRES].over(figures[_JSON]), 3, at_least=True),
        ],
    )


def _open(silo: Path, url: str | None, slots: tuple[Slot, ...]) -> SlotStore:
    silo.mkdir(parents=True)
    disk, utc_now = Disk(), partial(datetime.now, UTC)
    archive = RequestArchive(silo / ARCHIVE, disk, utc_now())
    storage: Storage = (
        FileStorage(DatabaseFile(silo / "db.json", disk), archive, bytes(32))
        if url is None
        else PostgresStorage(url, "bench", _RULES, archive)
    )
    operations = OperationLog(silo / OPERATIONS, disk, storage.key, utc_now)
    store = SlotStore(storage, utc_now=utc_now, max_waiting=MAX_WRITES, operations=operations)
    store.commit(lambda _: Change(added=slots), _TIMEOUT_S)
    return store


def _round(store: SlotStore, slots: Sequence[Slot]) -> Callable[[], float]:
    def booking(number: int) -> None:
        ref, patient = slots[number].ref, Person(*agenda.patient(number))
        content = ("book_appointment", ref.doctor, ref.date, ref.time)
        rule = partial(schedule.book, now=_NOW, wanted=ref, patient=patient, visit=new_visit(), rules=_RULES)
        store.commit(rule, _TIMEOUT_S, Repeatable(str(uuid.uuid4()), content, patient))

    def cancellation(number: int) -> None:
        patient = Person(*agenda.patient(number))
        rule = partial(schedule.cancel, now=_NOW, held=slots[number].ref, patient=patient, rules=_RULES)
        store.commit(rule, _TIMEOUT_S)

    def measured() -> float:
        value = calls_per_s(booking, range(len(slots)), _CALLERS)
        calls_per_s(cancellation, range(len(slots)), _CALLERS)
        return value

    return measured


def _listings(url: str, slots: int, rounds: int) -> Section:
    data = agenda.make_slots(slots)
    contenders: dict[str, Callable[[], float]] = {}
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        (folder / "json").mkdir()
        (folder / "json" / "db.json").write_bytes(Database(Snapshot(data)).encode())
        fill(url, data)
        for name, silo, options in ((_JSON, "json", ()), (_POSTGRES, "postgres", ("--store", url))):
            clinic = parts.enter_context(running("clinics", *clinic_arguments(folder / silo, None), *options))
            stub = ClinicServiceStub(parts.enter_context(open_channel(clinic.address, ())))
            listing = partial(stub.ListAvailableSlots, pb.ListAvailableSlotsRequest(), timeout=30.0)
            contenders[name] = p50_us(repeated(listing), 40)
        figures = interleaved(contenders, rounds, "µs p50")
    return Section(
        f"list_available_slots, {slots:,} slots, one caller ({rounds} rounds)",
        list(figures.values()),
        [Goal(figures[_POSTGRES].over(figures[_JSON]), 1.5)],
    )


def fill(url: str, slots: tuple[Slot, ...]) -> None:
    """Write an agenda into an empty database."""
    with scratch() as folder:
        archive = RequestArchive(folder, Disk(), datetime.now(UTC))
        storage = PostgresStorage(url, agenda.CLINIC, _RULES, archive, agenda="blueprint")
        change = Change(added=slots)
        empty = storage.begin()
        storage.flush(Database(empty.snapshot.changed(change), empty.ledger), [change], lambda: None)
        storage.close()


if __name__ == "__main__":
    raise SystemExit(main())
