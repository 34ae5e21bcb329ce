"""A small agenda with two doctors, and a silo in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clinics.database import Database
from clinics.file_storage import FileStorage
from clinics.operation_log import OPERATIONS, OperationLog
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.silo import DatabaseFile
from clinics.slots import Slot, Snapshot
from clinics.store import SlotStore
from mesh.clock import ZONE
from mesh.private_file import Disk

Opened = Callable[..., SlotStore]


@pytest.fixture
def now() -> datetime:
    return datetime(2025, 7, 15, 8, 0, tzinfo=ZONE)


@pytest.fixture
def snapshot() -> Snapshot:
    times = [
        ("Dr. Ricardo Lopes", "2025-07-14", "09:00"),
        ("Dr. Ricardo Lopes", "2025-07-21", "09:00"),
        ("Dr. Ricardo Lopes", "2025-07-21", "10:30"),
        ("Dr. Ricardo Lopes", "2025-07-23", "08:00"),
        ("Dra. Inês Sant'Anna", "2025-07-21", "09:00"),
        ("Dra. Inês Sant'Anna", "2025-07-21", "11:00"),
    ]
    return Snapshot(Slot(doctor, "Cardiologia", date, time) for doctor, date, time in times)


@pytest.fixture
def opened(tmp_path: Path, snapshot: Snapshot) -> Iterator[Opened]:
    """Opens the store of tmp_path/db.json, with the small agenda where the file is not there yet."""
    stores: list[SlotStore] = []

    def open_store(
        *,
        disk: Disk | None = None,
        max_waiting: int = 64,
        utc_now: Callable[[], datetime] = lambda: datetime(2025, 7, 15, 11, 0, tzinfo=UTC),
    ) -> SlotStore:
        path = tmp_path / "db.json"
        if not path.exists():
            path.write_bytes(Database(snapshot).encode())
        disk = disk or Disk()
        operations = OperationLog(tmp_path / OPERATIONS, disk, b"k" * 32, utc_now)
        archive = RequestArchive(tmp_path / ARCHIVE, disk, datetime(2025, 7, 15, 11, 0, tzinfo=UTC))
        storage = FileStorage(DatabaseFile(path, disk), archive, b"k" * 32)
        store = SlotStore(storage, utc_now=utc_now, max_waiting=max_waiting, operations=operations)
        stores.append(store)
        return store

    yield open_store
    for store in stores:
        store.close()
