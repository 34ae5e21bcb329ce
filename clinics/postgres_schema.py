"""The tables of a clinic in PostgreSQL: whose they are, their version, who is at work in them, what their rows say."""

import logging
import secrets
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from psycopg import sql

from clinics.agenda import AgendaName
from clinics.schedule import HouseRules, begin_of
from clinics.slots import Change, Slot, Snapshot, Visit
from clinics.startup import StartupError
from mesh.store_url import EXPECTED, is_store_url
from mesh.text_folding import cpf_digits, doctor_key

# Its warnings name the user and the database, and may repeat what the server says.
logging.getLogger("psycopg").setLevel(logging.CRITICAL)

# Each takes a schema of the version before it to the next; what was released stays as it is.
MIGRATIONS = tuple(Path(__file__).with_name(f"postgres_{version}.sql").read_bytes() for version in (1, 2))

Row = tuple[Any, ...]
Fields = dict[str, object]
_OWN_FIELDS = ("doctor", "specialty", "date", "time", "available", "patient_name", "cpf", "closed")

STATEMENTS = tomllib.loads(Path(__file__).with_name("postgres_statements.toml").read_text("utf-8"))


class Seen(NamedTuple):
    """What a schema holds."""

    version: int
    agenda: str | None  # None: unknown to its version
    slots: int
    requests: int


def connected(url: str, clinic_id: str, *, is_alone: bool = False) -> psycopg.Connection:
    """Return a connection to a clinic's schema, which need not be there; LockNotAvailable where others are at work."""
    connection = psycopg.connect(
        url, autocommit=True, connect_timeout=3, tcp_user_timeout=5000, application_name="clinic-mesh"
    )
    try:
        connection.execute(STATEMENTS["session"])
        connection.execute(STATEMENTS["alone" if is_alone else "at_work"], [f'"{clinic_id}"', clinic_id])
    except psycopg.Error:
        connection.close()
        raise
    return connection


def open_schema(url: str, clinic_id: str, agenda: AgendaName, *, is_alone: bool = False) -> bytes:
    """Make a clinic's schema or bring it up to date, and return the key for digests; StartupError."""
    with _opened(url, clinic_id, is_alone=is_alone) as connection, connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [clinic_id])
        if not _is_there(connection):
            connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(clinic_id)))
            connection.execute(MIGRATIONS[0])
            connection.execute("INSERT INTO clinic VALUES (%s, %s, 1, 0)", [clinic_id, secrets.token_bytes(32)])
        version, held, key = _checked(connection, clinic_id)
        if held not in {None, agenda}:
            raise StartupError(f"--store: this clinic's agenda there is the {held} one. Use that, or another database.")
        for statements in MIGRATIONS[version:]:
            connection.execute(statements)
        connection.execute("UPDATE clinic SET version = %s, agenda = %s", [len(MIGRATIONS), agenda])
    return bytes(key)


def look(url: str, clinic_id: str) -> Seen | None:
    """Return what is there and change nothing; None where the clinic has no schema. StartupError as `open_schema`."""
    with _opened(url, clinic_id) as connection:
        connection.execute("SET default_transaction_read_only = on")
        if not _is_there(connection):
            return None
        version, agenda, _ = _checked(connection, clinic_id)
        counts = connection.execute("SELECT (SELECT count(*) FROM slot), (SELECT count(*) FROM request)").fetchall()
        return Seen(version, agenda, *counts[0])


@contextmanager
def _opened(url: str, clinic_id: str, *, is_alone: bool = False) -> Iterator[psycopg.Connection]:
    if not is_store_url(url):  # a password would stand where all users of a machine can read it
        raise StartupError(f"--store: {EXPECTED}", usage=True)
    try:
        with connected(url, clinic_id, is_alone=is_alone) as connection:
            yield connection
    except psycopg.errors.LockNotAvailable:
        problem = "a clinic is at work on this agenda, or it is being moved. Stop the clinic, or try again."
        raise StartupError(f"--store: {problem}") from None
    except psycopg.Error as error:
        raise StartupError(
            f"--store: the PostgreSQL server does not let us work ({type(error).__name__}). Check its address, the "
            "user's rights, and the password, which belongs in PGPASSFILE."
        ) from None


def _is_there(connection: psycopg.Connection) -> bool:
    return connection.execute("SELECT to_regclass('clinic')").fetchall()[0][0] is not None


def _checked(connection: psycopg.Connection, clinic_id: str) -> tuple[int, str | None, Any]:
    """Return version, agenda and key of a schema; raise StartupError where it is another clinic's or a later one."""
    owner, version, agenda, key = connection.execute(STATEMENTS["clinic"]).fetchall()[0]
    if owner != clinic_id:  # a schema that was renamed, or an id longer than the server tells apart
        raise StartupError("--store: the schema of this name holds another clinic's agenda. Use another database.")
    if version > len(MIGRATIONS):
        raise StartupError("--store: a later release made this database. Use that release.")
    return version, agenda, key


def with_rows(snapshot: Snapshot, rows: Sequence[Row]) -> Snapshot:
    """Return the snapshot with the slots of later revisions."""
    read: dict[int, Slot] = {}
    for at, doctor, specialty, date, time, available, name, cpf, closed, visit_id, visit_revision, _ in sorted(rows):
        visit = None if visit_id is None else Visit(visit_id, visit_revision)
        read[at] = Slot(doctor, specialty, date, time, available, name, cpf, visit, closed)
    known = len(snapshot.slots)
    replaced = {at: slot for at, slot in read.items() if at < known}
    return snapshot.changed(Change(replaced, tuple(slot for at, slot in read.items() if at >= known)))


def rows_of(slots: Sequence[Slot], positions: Iterable[int], rules: HouseRules, revision: int) -> list[Fields]:
    """Return rows of the table of slots."""
    rows: list[Fields] = []
    ends: dict[str, datetime] = {}
    for at in sorted(positions, key=lambda at: slots[at].start):
        slot = slots[at]
        row: Fields = {name: getattr(slot, name) for name in _OWN_FIELDS}
        row |= {"position": at, "revision": revision, "doctor_key": doctor_key(slot.doctor)}
        if slot.visit is not None:
            row |= {"visit": slot.visit.id, "visit_revision": slot.visit.revision}
        if slot.cpf is not None:
            cpf, begin = cpf_digits(slot.cpf), begin_of(slot.start)
            row["holder"] = int(cpf)
            # Visits of one patient that overlap, which an old db.json may hold, the constraint would refuse.
            if begin >= ends.get(cpf, begin):
                minute = int(begin.timestamp()) // 60
                row["during"] = f"[{minute},{minute + rules.duration_of(slot.doctor)})"
            ends[cpf] = max(rules.end_of(slot), ends.get(cpf, begin))
        rows.append(row)
    return rows
