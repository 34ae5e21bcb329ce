"""The format of db.json: the root key "slots" of blueprint 3.2, and "requests" beside it.

Reads strictly and writes plainly; when a file is written, and what a fault in it leads to, is the store's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from clinics.document import Node, read
from clinics.encoding import Encoder
from clinics.ledger import Ledger, Record, WriteOutcome
from clinics.matching import person_key
from clinics.slots import DuplicateSlotError, Slot, SlotRef, Snapshot

_ADVICE = "The file was left as it is: correct it, or move it away and a new agenda is made at the next start."
_SLOT_FIELDS = ("doctor", "specialty", "date", "time", "available", "patient_name", "cpf")
_CPF_DIGITS = 11


@dataclass(frozen=True, slots=True)
class Database:
    """All that a silo remembers. Immutable.

    Attributes:
        snapshot: The slots.
        ledger: The writes that carried a request id.
    """

    snapshot: Snapshot = field(default_factory=Snapshot)
    ledger: Ledger = field(default_factory=Ledger)

    def encode(self) -> bytes:
        """Returns the content of db.json."""
        return Encoder().encode(self.snapshot.slots, self.ledger.records)


def load(path: Path) -> Database:
    """Reads a db.json.

    Args:
        path: The file.

    Raises:
        StartupError: The file cannot be read or breaks the format; the message says where and what to do.
    """
    root = read(path, _ADVICE)
    root.expect("slots", optional=("requests",))
    nodes = root.children("slots")
    try:
        snapshot = Snapshot(_slot(node) for node in nodes)
    except DuplicateSlotError as error:
        nodes[error.position].fail("an earlier slot has the same doctor, date and time")
    return Database(snapshot, _ledger(root) if "requests" in root.fields else Ledger())


def _slot(node: Node) -> Slot:
    node.expect(*_SLOT_FIELDS)
    slot = Slot(
        doctor=node.text("doctor"),
        specialty=node.text("specialty"),
        date=node.date("date"),
        time=node.time("time"),
        available=node.flag("available"),
        patient_name=node.optional_text("patient_name"),
        cpf=node.optional_text("cpf"),
    )
    for name, value in (("patient_name", slot.patient_name), ("cpf", slot.cpf)):
        if slot.available and value is not None:
            node.fail("null is expected, because the slot is available", name)
        if not slot.available and value is None:
            node.fail("text is expected, because the slot is not available", name)
    if slot.cpf is not None and len(person_key("", slot.cpf)[0]) != _CPF_DIGITS:
        node.fail("eleven digits are expected", "cpf")
    return slot


def _ledger(root: Node) -> Ledger:
    return Ledger.of((request_id, _record(node)) for request_id, node in root.entries("requests"))


def _record(node: Node) -> Record:
    node.expect("digest", "outcome", "at")
    outcome = node.child("outcome")
    outcome.expect("booked", "released")
    at = node.text("at")
    if not _is_instant(at):
        node.fail("an ISO 8601 instant in UTC is expected", "at")
    return Record(node.text("digest"), WriteOutcome(_ref(outcome, "booked"), _ref(outcome, "released")), at)


def _ref(outcome: Node, name: str) -> SlotRef | None:
    if outcome.fields[name] is None:
        return None
    node = outcome.child(name)
    node.expect("doctor", "date", "time")
    return SlotRef(node.text("doctor"), node.date("date"), node.time("time"))


def _is_instant(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds") == text and text.endswith("+00:00")
    except ValueError:
        return False
