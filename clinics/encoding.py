"""db.json as bytes, at the cost of what changed: what was encoded once is kept and joined again.

Every write puts the whole file on the disk, and almost all of it is what it was before. What the fields mean is
`clinics.database`; when a file is written is the store's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress, count
from operator import is_not

import orjson

from clinics.ledger import Record
from clinics.slots import Slot

_SLOTS, _REQUESTS, _END = b'{\n  "slots": [', b'\n  ],\n  "requests": {', b"\n  }\n}\n"
_SLOT_HEAD, _SLOT_TAIL = len(_SLOTS), -len(b"\n  ]\n}")


class Encoder:
    """Encodes one silo's file again and again. Not safe for concurrent use: it is the writer's own.

    Slots and records are immutable, so one that is the same object is the same text.
    """

    __slots__ = ("_record_texts", "_records", "_slot_texts", "_slots")

    def __init__(self) -> None:
        self._slots: tuple[Slot, ...] = ()
        self._slot_texts: list[bytes] = []
        self._records: Mapping[str, Record] = {}
        self._record_texts: dict[str, bytes] = {}

    def encode(self, slots: tuple[Slot, ...], records: Mapping[str, Record]) -> bytes:
        """Returns the content of db.json: UTF-8 with a final newline, slots indented, a record a line.

        Args:
            slots: The agenda; quick where most are those of the last call, at the same positions.
            records: The writes that carried a request id, by that id; quick where most are those of the last call.
        """
        self._keep_slots(slots)
        self._keep_records(records)
        parts = (_SLOTS, b",".join(self._slot_texts), _REQUESTS, b",".join(self._record_texts.values()), _END)
        return b"".join(parts)

    def _keep_slots(self, slots: tuple[Slot, ...]) -> None:
        # All that may fail comes first: texts and slots must not part.
        changed = {at: _slot_text(slots[at]) for at in compress(count(), map(is_not, slots, self._slots))}
        added = [_slot_text(slot) for slot in slots[len(self._slots) :]]
        for position, text in changed.items():
            self._slot_texts[position] = text
        self._slot_texts[len(slots) :] = ()
        self._slot_texts += added
        self._slots = slots

    def _keep_records(self, records: Mapping[str, Record]) -> None:
        if records is self._records:
            return
        known, texts = self._records, self._record_texts
        self._record_texts = {
            key: texts[key] if known.get(key) is record else _record_text(key, record)
            for key, record in records.items()
        }
        self._records = records


def _slot_text(slot: Slot) -> bytes:
    # Encoded where it will stand, so that the library indents it, and cut out.
    return orjson.dumps({"slots": (slot,)}, option=orjson.OPT_INDENT_2)[_SLOT_HEAD:_SLOT_TAIL]


def _record_text(request_id: str, record: Record) -> bytes:
    return b"\n    " + orjson.dumps(request_id) + b": " + orjson.dumps(record)
