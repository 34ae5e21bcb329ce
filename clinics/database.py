"""The format of db.json: the root key "slots" of blueprint 3.2, and what is kept beside it.

"appointments" and "requests" are always there. "closed" names slots that are closed and "closing" slots that close when
their holders leave them; each is there if it names any.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from clinics.ledger import Ledger, Record, WriteOutcome
from clinics.slots import DuplicateSlotError, Slot, SlotRef, Snapshot, Visit
from clinics.startup import reading
from mesh.strict_document import Item, Reader
from mesh.text_folding import cpf_digits

_ADVICE = "The file was left as it is: correct it, or move it away and a new agenda is made at the next start."
_SLOT_FIELDS = ("doctor", "specialty", "date", "time", "available", "patient_name", "cpf")
_CPF = partial(Item.accepted, accepts=lambda cpf: len(cpf_digits(cpf)) == 11, expected="eleven digits are expected")
_REF: Mapping[str, Reader] = {"doctor": Item.text, "date": Item.date, "time": Item.time}
_VISIT: Mapping[str, Reader] = {"id": Item.text, "revision": lambda number: number.whole(0)}
_SLOTS, _VISITS = b'{\n  "slots": [', b'\n  ],\n  "appointments": ['
_REQUESTS, _END = b'\n  ],\n  "requests": {', b"\n  }"
_CLOSURES: Mapping[str, bool] = {"closed": False, "closing": True}  # each root key, and whether its slots are held
_SLOT_HEAD, _SLOT_TAIL = len(_SLOTS), -len(b"\n  ]\n}")


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
        parts = root.fields("slots", optional=("appointments", "requests", *_CLOSURES))
        items = parts["slots"].items()
        visits = _visits(parts["appointments"]) if "appointments" in parts else {}
        closed = dict(pair for key in _CLOSURES if key in parts for pair in parts[key].each(_closure))
        try:
            snapshot = Snapshot(_slot(item, visits, closed) for item in items)
        except DuplicateSlotError as error:
            items[error.position].fail("an earlier slot has the same doctor, date and time")
        requests = parts["requests"].entries() if "requests" in parts else ()
        return Database(snapshot, Ledger.of((request_id, record_of(record)) for request_id, record in requests))


def _slot(item: Item, visits: Mapping[SlotRef, Visit], closed: Mapping[SlotRef, str]) -> Slot:
    slot = item.read(
        Slot,
        doctor=Item.text,
        specialty=Item.text,
        date=Item.date,
        time=Item.time,
        available=Item.flag,
        patient_name=partial(Item.optional, read=Item.text),
        cpf=partial(Item.optional, read=_CPF),
    )
    for name, value in (("patient_name", slot.patient_name), ("cpf", slot.cpf)):
        if slot.available and value is not None:
            item.fields(*_SLOT_FIELDS)[name].fail("null is expected, because the slot is available")
        if not slot.available and value is None and (slot.is_held or slot.patient_name or slot.ref not in closed):
            item.fields(*_SLOT_FIELDS)[name].fail("text is expected, because the slot is not available")
    # Who opens a slot by hand need not know of its appointment, nor of its closing.
    return slot if slot.available else replace(slot, visit=visits.get(slot.ref), closed=closed.get(slot.ref))


def _closure(item: Item) -> tuple[SlotRef, str]:
    return item.read(lambda reason, **ref: (SlotRef(**ref), reason), reason=Item.text, **_REF)


def _visits(item: Item) -> Mapping[SlotRef, Visit]:
    visits: dict[SlotRef, Visit] = {}
    ids: set[str] = set()
    for one in item.items():
        ref, visit = one.read(
            lambda doctor, date, time, **visit: (SlotRef(doctor, date, time), Visit(**visit)), **_VISIT, **_REF
        )
        if ref in visits or visit.id in ids:
            one.fail("an earlier appointment has the same id or the same slot")
        visits[ref] = visit
        ids.add(visit.id)
    return visits


def record_of(item: Item) -> Record:
    """Return a record as it was written, or raise DocumentError."""
    at = partial(Item.accepted, accepts=_is_instant, expected="an ISO 8601 instant in UTC is expected")
    return item.read(Record, digest=Item.text, outcome=_outcome, at=at)


def _outcome(item: Item) -> WriteOutcome:
    visit = partial(Item.optional, read=lambda one: one.read(Visit, **_VISIT))
    slot = partial(Item.optional, read=lambda one: one.read(SlotRef, **_REF))
    return item.read(WriteOutcome, {"visit": visit}, booked=slot, released=slot)


def _is_instant(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds") == text and text.endswith("+00:00")
    except ValueError:
        return False


class Encoder:
    """Encode one silo's file again and again, for its writer only; slots and records are immutable."""

    def __init__(self) -> None:
        # By section: slots by their position in the agenda, records by their key, each with its text.
        self._known: dict[str, Mapping[Any, tuple[Any, bytes]]] = {}

    def encode(self, slots: Sequence[Slot], records: dict[str, Record]) -> bytes:
        """Return the content of db.json; quick where most slots and records are those of the last call."""
        marked = [(at, slot) for at, slot in enumerate(slots) if slot.visit is not None or slot.closed is not None]
        taken = ((at, slot) for at, slot in marked if slot.visit is not None)
        parts = [_SLOTS, self._texts("slots", enumerate(slots), _slot_text)]
        parts += [_VISITS, self._texts("appointments", taken, _visit_text)]
        parts += [_REQUESTS, self._texts("requests", records.items(), _record_text), _END]
        for key, held in _CLOSURES.items():
            closed = ((at, slot) for at, slot in marked if slot.closed is not None and slot.is_held is held)
            if text := self._texts(key, closed, lambda _at, slot: _text_of(slot, reason=slot.closed)):
                parts.append(b',\n  "%s": [%s\n  ]' % (key.encode(), text))
        return b"".join((*parts, b"\n}\n"))

    def _texts(self, section: str, values: Iterable[tuple[Any, Any]], encode: Callable[[Any, Any], bytes]) -> bytes:
        """Return the texts of a section's values; those that it had at the last call are not encoded again."""
        known = self._known.get(section, {})
        self._known[section] = kept = {
            key: known[key] if key in known and known[key][0] is value else (value, encode(key, value))
            for key, value in values
        }
        return b",".join(text for _, text in kept.values())


def _slot_text(_at: int, slot: Slot) -> bytes:
    # Encoded where it will stand, so that the library indents it, and cut out.
    fields = {name: getattr(slot, name) for name in _SLOT_FIELDS}
    return orjson.dumps({"slots": [fields]}, option=orjson.OPT_INDENT_2)[_SLOT_HEAD:_SLOT_TAIL]


def _visit_text(_at: int, slot: Slot) -> bytes:
    visit = slot.visit or Visit("")
    return _text_of(slot, id=visit.id, revision=visit.revision)


def _text_of(slot: Slot, **kept: object) -> bytes:
    return b"\n    " + orjson.dumps({**kept, "doctor": slot.doctor, "date": slot.date, "time": slot.time})


def _record_text(key: str, record: Record) -> bytes:
    return b"\n    " + orjson.dumps(key) + b": " + orjson.dumps(record)
