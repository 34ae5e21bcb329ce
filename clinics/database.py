"""The format of db.json: the root key "slots" of blueprint 3.2, and "appointments" and "requests" beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from clinics.encoding import Encoder
from clinics.ledger import Ledger, Record, WriteOutcome
from clinics.matching import cpf_digits
from clinics.slots import DuplicateSlotError, Slot, SlotRef, Snapshot, Visit
from clinics.startup import reading
from mesh.strict_document import Item

_ADVICE = "The file was left as it is: correct it, or move it away and a new agenda is made at the next start."
_SLOT_FIELDS = ("doctor", "specialty", "date", "time", "available", "patient_name", "cpf")
_CPF_DIGITS = 11


@dataclass(frozen=True, slots=True)
class Database:
    """All that a silo remembers: the slots, and the writes that carried a request id. Immutable."""

    snapshot: Snapshot = field(default_factory=Snapshot)
    ledger: Ledger = field(default_factory=Ledger)

    def encode(self) -> bytes:
        """Return the content of db.json."""
        return Encoder().encode(self.snapshot.slots, self.ledger.records)


def load(path: Path) -> Database:
    """Read a db.json, or raise StartupError, which says where it breaks the format and what to do."""
    with reading(path, _ADVICE) as root:
        parts = root.fields("slots", optional=("appointments", "requests"))
        items = parts["slots"].items()
        visits = _visits(parts["appointments"]) if "appointments" in parts else {}
        try:
            snapshot = Snapshot(_with_visit(_slot(item), visits) for item in items)
        except DuplicateSlotError as error:
            items[error.position].fail("an earlier slot has the same doctor, date and time")
        requests = parts["requests"].entries() if "requests" in parts else ()
        return Database(snapshot, Ledger.of((request_id, _record(record)) for request_id, record in requests))


def _slot(item: Item) -> Slot:
    slot = item.read(
        Slot,
        doctor=Item.text,
        specialty=Item.text,
        date=Item.date,
        time=Item.time,
        available=Item.flag,
        patient_name=Item.optional_text,
        cpf=_optional_cpf,
    )
    for name, value in (("patient_name", slot.patient_name), ("cpf", slot.cpf)):
        if slot.available and value is not None:
            item.fields(*_SLOT_FIELDS)[name].fail("null is expected, because the slot is available")
        if not slot.available and value is None:
            item.fields(*_SLOT_FIELDS)[name].fail("text is expected, because the slot is not available")
    return slot


def _optional_cpf(item: Item) -> str | None:
    cpf = item.optional_text()
    if cpf is not None and len(cpf_digits(cpf)) != _CPF_DIGITS:
        item.fail("eleven digits are expected")
    return cpf


def _visits(item: Item) -> Mapping[SlotRef, Visit]:
    visits: dict[SlotRef, Visit] = {}
    ids: set[str] = set()
    for one in item.items():
        fields = one.fields("id", "revision", "doctor", "date", "time")
        visit = Visit(fields["id"].text(), fields["revision"].whole(0))
        ref = SlotRef(fields["doctor"].text(), fields["date"].date(), fields["time"].time())
        if ref in visits or visit.id in ids:
            one.fail("an earlier appointment has the same id or the same slot")
        visits[ref] = visit
        ids.add(visit.id)
    return visits


def _with_visit(slot: Slot, visits: Mapping[SlotRef, Visit]) -> Slot:
    # Who frees a slot by hand need not know of its appointment.
    visit = None if slot.available else visits.get(slot.ref)
    return slot if visit is None else replace(slot, visit=visit)


def _record(item: Item) -> Record:
    fields = item.fields("digest", "outcome", "at")
    outcome = fields["outcome"].fields("booked", "released", optional=("visit",))
    at = fields["at"].text()
    if not _is_instant(at):
        fields["at"].fail("an ISO 8601 instant in UTC is expected")
    visit = None
    if "visit" in outcome and not outcome["visit"].is_null:
        visit = outcome["visit"].read(Visit, id=Item.text, revision=lambda item: item.whole(0))
    made = WriteOutcome(_ref(outcome["booked"]), _ref(outcome["released"]), visit)
    return Record(fields["digest"].text(), made, at)


def _ref(item: Item) -> SlotRef | None:
    return None if item.is_null else item.read(SlotRef, doctor=Item.text, date=Item.date, time=Item.time)


def _is_instant(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds") == text and text.endswith("+00:00")
    except ValueError:
        return False
