"""The silo under torture: a small agenda that all writers want, and what is on its disk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from clinics.database import Database, load
from clinics.ledger import Repeatable
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.schedule import HouseRules
from clinics.silo import KEY
from clinics.slots import Change, Person, Slot, SlotRef, Snapshot
from clinics.startup import StartupError
from mesh.private_file import Disk
from tests.torture.writer import BrokenPromiseError, Writer

CLINIC = "clinic_b"
_STORE = "store.url"
NOW = "2025-07-15T08:00-03:00"
_DOCTORS = ("Dr. Ricardo Lopes", "Dra. Inês Sant'Anna")


def prepare(silo: Path, days: int = 4, url: str | None = None) -> tuple[SlotRef, ...]:
    """Write a fresh agenda, eight open slots a day, and return their names; `url` is of a PostgreSQL that keeps it."""
    slots = [
        Slot(doctor, "Cardiologia", f"2025-09-{day:02d}", f"{hour:02d}:30")
        for doctor in _DOCTORS
        for day in range(1, days + 1)
        for hour in range(8, 12)
    ]
    silo.mkdir(parents=True)
    if url is None:
        (silo / "db.json").write_bytes(Database(Snapshot(slots)).encode())
    else:
        (silo / _STORE).write_text(url, "utf-8")
        _fill(url, slots)
    return tuple(slot.ref for slot in slots)


def join(silo: Path, other: Path) -> None:
    """Make a silo of another replica of the clinic of `other`, whose agenda is on a server."""
    silo.mkdir()
    (silo / _STORE).write_text((other / _STORE).read_text("utf-8"), "utf-8")


def store_of(silo: Path) -> str | None:
    """Return the URL of the PostgreSQL that keeps a silo's agenda; None where db.json does."""
    file = silo / _STORE
    return file.read_text("utf-8") if file.exists() else None


def _fill(url: str, slots: Sequence[Slot]) -> None:
    import psycopg  # noqa: PLC0415 - an extra, which db.json does without

    from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - as above

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {CLINIC} CASCADE".encode())
    archive = RequestArchive(Path("/nowhere"), Disk(), datetime.now(UTC))
    storage = PostgresStorage(url, CLINIC, HouseRules(), archive, agenda="blueprint")
    change = Change(added=tuple(slots))
    empty = storage.begin()
    if storage.flush(Database(empty.snapshot.changed(change), empty.ledger), [change], lambda: None) is not None:
        raise BrokenPromiseError("the agenda could not be written")
    storage.close()


def _slots_of(silo: Path) -> Sequence[Slot]:
    url = store_of(silo)
    if url is None:
        return load(silo / "db.json").snapshot.slots
    import psycopg  # noqa: PLC0415 - an extra, which db.json does without

    from clinics.postgres_schema import STATEMENTS, with_rows  # noqa: PLC0415 - as above

    # Another clinic's way to the rows: none of its connections, and none of its snapshots.
    with psycopg.connect(url, options=f"-c search_path={CLINIC}") as connection:
        return with_rows(Snapshot(), connection.execute(STATEMENTS["slots"], [-1]).fetchall()).slots


def remembered(silo: Path) -> Callable[[str, str], bool]:
    """Return what says of a CPF and a request_id whether a silo, as it is now, remembers a write under them."""
    database, disk = load(silo / "db.json"), Disk()
    archive = RequestArchive(silo / ARCHIVE, disk, datetime.now(UTC))
    secret = bytes.fromhex((silo / KEY).read_text("ascii"))

    def is_remembered(cpf: str, request_id: str) -> bool:
        key = Repeatable(request_id, ("", ""), Person("", cpf)).fingerprint(secret).key
        return key in database.ledger.records or archive.find(key) is not None

    return is_remembered


def held_on_disk(silo: Path) -> dict[tuple[str, str], frozenset[SlotRef]]:
    """Return who holds what, by name and CPF, from db.json as it is now.

    Raises:
        BrokenPromiseError: The file does not parse or breaks its schema; a slot that stands twice does too.
    """
    try:
        slots = _slots_of(silo)
    except StartupError as error:
        raise BrokenPromiseError(str(error)) from error
    held: defaultdict[tuple[str, str], set[SlotRef]] = defaultdict(set)
    for slot in slots:
        if slot.patient_name is not None and slot.cpf is not None:
            held[slot.patient_name, slot.cpf].add(slot.ref)
    return {person: frozenset(refs) for person, refs in held.items()}


def check(silo: Path, writers: Sequence[Writer]) -> None:
    """Hold the disk against what all writers know, while none of them writes.

    Raises:
        BrokenPromiseError: A write is lost, was made unasked, or two hold one slot.
    """
    held = held_on_disk(silo)
    strangers = held.keys() - {(writer.name, writer.cpf) for writer in writers}
    if strangers:
        raise BrokenPromiseError(f"{len(strangers)} on the disk who never wrote")
    for writer in writers:
        writer.compare(held.get((writer.name, writer.cpf), frozenset()))
    acknowledged = [ref for writer in writers for ref in writer.held]
    given_up = {ref for writer in writers if writer.pending for ref in writer.pending.loses}
    twice = {ref for ref in acknowledged if acknowledged.count(ref) > 1} - given_up
    if twice:
        raise BrokenPromiseError(f"{len(twice)} slots have two acknowledged holders")
