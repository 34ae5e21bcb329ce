"""The tables of a clinic in PostgreSQL, and what their rows say."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from clinics.house_rules import HouseRules, begin_of
from clinics.slots import Change, Slot, Snapshot, Visit
from mesh.text_folding import cpf_digits, doctor_key

Row = tuple[Any, ...]

# Each takes a schema of the version before it to the next; what was released stays as it is.
MIGRATIONS = (
    """CREATE TABLE clinic (id text PRIMARY KEY, key bytea NOT NULL, version int NOT NULL, revision bigint NOT NULL);
    CREATE UNIQUE INDEX one_clinic ON clinic ((true));
    CREATE TABLE slot (
        position int PRIMARY KEY, revision bigint NOT NULL, doctor_key text NOT NULL,
        doctor text NOT NULL, specialty text NOT NULL, date text NOT NULL, "time" text NOT NULL,
        available boolean NOT NULL, patient_name text, cpf text, visit text, visit_revision int, closed text,
        holder bigint, during int8range,
        UNIQUE (doctor_key, date, "time"),
        CHECK (available = (cpf IS NULL AND closed IS NULL)), CHECK ((cpf IS NULL) = (holder IS NULL)),
        CONSTRAINT one_visit_at_a_time EXCLUDE USING gist
            (int8range(holder, holder, '[]') WITH &&, during WITH &&) DEFERRABLE INITIALLY DEFERRED);
    CREATE INDEX slot_revision ON slot (revision);
    CREATE TABLE request (key text PRIMARY KEY, at text NOT NULL, record text NOT NULL, revision bigint NOT NULL);
    CREATE INDEX request_at ON request (at);
    CREATE INDEX request_revision ON request (revision)""",
)
SLOTS = """
    SELECT position, doctor, specialty, date, "time", available, patient_name, cpf, closed, visit,
        visit_revision, revision
    FROM slot WHERE revision > %s ORDER BY position"""
REQUESTS = "SELECT key, record FROM request WHERE revision > %s"
INSERT = """INSERT INTO slot (position, doctor_key, doctor, specialty, date, "time",
        available, patient_name, cpf, closed, visit, visit_revision, during, holder, revision)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"""
UPDATE = """UPDATE slot SET available = %s, patient_name = %s, cpf = %s, closed = %s, visit = %s, visit_revision = %s,
        during = CASE WHEN holder = %s THEN during ELSE %s::int8range END, holder = %s, revision = %s
    WHERE position = %s AND revision <= %s"""
REMEMBER = """INSERT INTO request VALUES (%s, %s, %s, %s)
    ON CONFLICT (key) DO UPDATE SET at = excluded.at, record = excluded.record, revision = excluded.revision"""


def with_rows(snapshot: Snapshot, rows: Sequence[Row]) -> Snapshot:
    """Return the snapshot with the slots of later revisions."""
    read: dict[int, Slot] = {}
    for at, doctor, specialty, date, time, available, name, cpf, closed, visit_id, visit_revision, _ in rows:
        visit = None if visit_id is None else Visit(visit_id, visit_revision)
        read[at] = Slot(doctor, specialty, date, time, available, name, cpf, visit, closed)
    known = len(snapshot.slots)
    replaced = {at: slot for at, slot in read.items() if at < known}
    return snapshot.changed(Change(replaced, tuple(slot for at, slot in read.items() if at >= known)))


def _state_of(slot: Slot, rules: HouseRules, *, is_fenced: bool = True) -> tuple[Row, str | None, int | None]:
    """Return what changes of a slot, when no other visit of its holder may be (if any), and who that is."""
    visit = (None, None) if slot.visit is None else (slot.visit.id, slot.visit.revision)
    holder = None if slot.cpf is None else int(cpf_digits(slot.cpf))
    begin = int(begin_of(slot.start).timestamp()) // 60
    during = f"[{begin},{begin + rules.duration_of(slot.doctor)})" if holder is not None and is_fenced else None
    return (slot.available, slot.patient_name, slot.cpf, slot.closed, *visit), during, holder


def changed_row(at: int, slot: Slot, rules: HouseRules, revision: int, known: int) -> Row:
    """Return the values of `UPDATE` for a slot whose revision is not later than `known`."""
    state, during, holder = _state_of(slot, rules)
    return (*state, holder, during, holder, revision, at, known)


def added_rows(slots: Sequence[Slot], known: int, rules: HouseRules, revision: int) -> Iterator[Row]:
    """Yield the rows of slots from a position on; visits that overlap already, in an old db.json, are not fenced."""
    ends: dict[str, datetime] = {}
    for at in sorted(range(known, len(slots)), key=lambda at: slots[at].start):
        slot, cpf = slots[at], cpf_digits(slots[at].cpf or "")
        begin = begin_of(slot.start)
        state, during, holder = _state_of(slot, rules, is_fenced=begin >= ends.get(cpf, begin))
        if slot.is_held:
            ends[cpf] = max(rules.end_of(slot), ends.get(cpf, begin))
        name = (doctor_key(slot.doctor), slot.doctor, slot.specialty, slot.date, slot.time)
        yield (at, *name, *state, during, holder, revision)
