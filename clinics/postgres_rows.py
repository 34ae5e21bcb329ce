"""The tables of a clinic in PostgreSQL, and what their rows say."""

import tomllib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from clinics.house_rules import HouseRules, begin_of
from clinics.slots import Change, Slot, Snapshot, Visit
from mesh.text_folding import cpf_digits, doctor_key

Row = tuple[Any, ...]
Fields = dict[str, object]
_OWN_FIELDS = ("doctor", "specialty", "date", "time", "available", "patient_name", "cpf", "closed")

STATEMENTS = tomllib.loads(Path(__file__).with_name("postgres_statements.toml").read_text("utf-8"))


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
