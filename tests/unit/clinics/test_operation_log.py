"""The log of operations: bounded, private, whole lines, and nothing happens that it does not hold."""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from clinics import schedule
from clinics.database import Database
from clinics.file_storage import FileStorage
from clinics.operation_log import KEPT, OPERATIONS, Operation, OperationLog
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.schedule import HouseRules
from clinics.silo import DatabaseFile
from clinics.slots import Person, SlotRef, Snapshot
from clinics.store import SlotStore
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.private_file import Disk

NOW = datetime(2025, 7, 15, 11, 0, tzinfo=UTC)
SLOT = SlotRef("Dr. Ricardo Lopes", "2025-07-21", "09:00")
RULES = HouseRules()
CARLOS = Person("Carlos Teste", "123.456.789-00")


def caller() -> Caller:
    return Caller("0d9f3c5e-8f0a-4f7e-9d43-2f1f7c0a6b07", time.monotonic() + 20)


def reading(record: str) -> Operation:
    return Operation("get_patient", "read", caller(), record)


def log_files(folder: Path) -> list[Path]:
    """Return the files of a silo's log that there are, the oldest first."""
    names = [f"{OPERATIONS}.{number}" for number in range(KEPT, 0, -1)]
    return [folder / name for name in (*names, OPERATIONS) if (folder / name).exists()]


def read(folder: Path) -> list[str]:
    return [json.loads(line).get("record") for path in log_files(folder) for line in path.read_bytes().splitlines()]


class FaultyDisk(Disk):
    """A disk that fails to write, or to sync, the files that a test names."""

    def __init__(self, fails: Callable[[str], bool]) -> None:
        self.fails = fails

    def write(self, descriptor: int, data: bytes) -> None:
        name = Path(f"/proc/self/fd/{descriptor}").readlink().name
        if self.fails(name):
            os.write(descriptor, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        super().write(descriptor, data)


@pytest.fixture
def open_log(tmp_path: Path) -> Callable[..., OperationLog]:
    return partial(OperationLog, tmp_path / OPERATIONS, Disk(), b"k" * 32, lambda: NOW)


def test_what_is_appended_is_on_the_disk_private_and_in_order(
    open_log: Callable[..., OperationLog], tmp_path: Path
) -> None:
    log = open_log()
    for number in range(3):
        log.append([(reading(f"CARD-{number}"), None)]).result(20)
    assert read(tmp_path) == ["CARD-0", "CARD-1", "CARD-2"]
    assert stat.S_IMODE((tmp_path / OPERATIONS).stat().st_mode) == 0o600
    log.close()


def test_a_large_log_begins_anew_and_the_oldest_goes(
    open_log: Callable[..., OperationLog], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clinics.operation_log.LARGEST", 400)
    log = open_log()
    for number in range(40):
        log.append([(reading(f"CARD-{number:03d}"), None)]).result(20)
    log.close()
    files = log_files(tmp_path)
    assert len(files) == KEPT + 1
    assert all(path.stat().st_size <= 400 for path in files)
    kept = read(tmp_path)
    assert kept == [f"CARD-{number:03d}" for number in range(40 - len(kept), 40)]


def test_half_a_line_of_a_killed_process_costs_no_other_line(
    open_log: Callable[..., OperationLog], tmp_path: Path
) -> None:
    (tmp_path / OPERATIONS).write_bytes(b'{"at": "2025-07-')
    log = open_log()
    log.append([(reading("CARD-001"), None)]).result(20)
    log.close()
    *_, last = (tmp_path / OPERATIONS).read_bytes().splitlines()
    assert json.loads(last)["record"] == "CARD-001"


def test_a_log_that_was_moved_away_goes_on_in_a_new_file(open_log: Callable[..., OperationLog], tmp_path: Path) -> None:
    log = open_log()
    log.append([(reading("CARD-001"), None)]).result(20)
    (tmp_path / OPERATIONS).rename(tmp_path / "kept.jsonl")
    log.append([(reading("CARD-002"), None)]).result(20)
    log.close()
    assert read(tmp_path) == ["CARD-002"]


def open_store(folder: Path, snapshot: Snapshot, disk: Disk) -> SlotStore:
    path = folder / "db.json"
    path.write_bytes(Database(snapshot).encode())
    log = OperationLog(folder / OPERATIONS, disk, b"k" * 32, lambda: NOW)
    archive = RequestArchive(folder / ARCHIVE, disk, NOW)
    storage = FileStorage(DatabaseFile(path, disk), archive, b"k" * 32)
    return SlotStore(storage, utc_now=lambda: NOW, max_waiting=8, operations=log)


def book(store: SlotStore) -> None:
    rule = partial(schedule.book, now=NOW, wanted=SLOT, patient=CARLOS, rules=RULES)
    store.commit(rule, 20, operation=Operation("book_appointment", "booked", caller()))


def outcomes(folder: Path) -> list[str]:
    return [json.loads(line)["outcome"] for line in (folder / OPERATIONS).read_bytes().splitlines()]


def test_a_write_that_cannot_be_logged_is_not_made_and_a_record_is_not_read(tmp_path: Path, snapshot: Snapshot) -> None:
    disk = FaultyDisk(lambda name: name == OPERATIONS)
    store = open_store(tmp_path, snapshot, disk)
    before = (tmp_path / "db.json").read_bytes()
    with pytest.raises(DomainError, match="nothing was changed") as refused:
        book(store)
    assert refused.value.metadata == {"outcome": "unchanged"}
    with pytest.raises(DomainError) as refused:
        store.log_read(reading("CARD-001"))
    assert refused.value.reason == "STORAGE_UNAVAILABLE"
    assert (tmp_path / "db.json").read_bytes() == before
    assert store.snapshot.slots[1].available
    disk.fails = lambda _: False
    book(store)
    store.close()
    assert outcomes(tmp_path) == ["booked"]  # no half line


def test_a_logged_write_that_the_disk_refuses_is_told_as_not_made(tmp_path: Path, snapshot: Snapshot) -> None:
    store = open_store(tmp_path, snapshot, FaultyDisk(lambda name: name == "db.json.new"))
    with pytest.raises(DomainError):
        book(store)
    store.close()
    assert outcomes(tmp_path) == ["booked", "not_made"]


def test_a_repeat_and_a_refusal_are_not_logged_again(tmp_path: Path, snapshot: Snapshot) -> None:
    store = open_store(tmp_path, snapshot, Disk())
    book(store)
    with pytest.raises(DomainError):
        book(store)
    store.close()
    assert outcomes(tmp_path) == ["booked"]
