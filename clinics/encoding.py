"""db.json as bytes, at the cost of what changed: what was encoded once is kept and joined again.

Every write puts the whole file on the disk, and almost all of it is what it was before. What the fields mean is
`clinics.database`; when a file is written is the store's business.
"""

from __future__ import annotations

from itertools import compress, count, takewhile
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
        self._records: dict[str, Record] = {}
        self._record_texts: dict[str, bytes] = {}

    def encode(self, slots: tuple[Slot, ...], records: dict[str, Record]) -> bytes:
        """Returns the content of db.json: UTF-8 with a final newline, slots indented, a record a line.

        Args:
            slots: The agenda; quick where most are those of the last call, at the same positions.
            records: The writes that carried a request id, by that id: those of the last call without their oldest, and
                with others at their end. Some of its newest may be gone too.
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

    def _keep_records(self, records: dict[str, Record]) -> None:
        known, texts = self._records, self._record_texts
        if records is known:
            return
        # A ledger loses its oldest and gains at its end; what a failed write had put there is gone again.
        while texts and records.get(newest := next(reversed(texts))) is not known[newest]:
            del texts[newest]
        while texts and records.get(oldest := next(iter(texts))) is not known[oldest]:
            del texts[oldest]
        added = [*takewhile(lambda key: key not in texts, reversed(records))]
        texts |= {key: _record_text(key, records[key]) for key in reversed(added)}
        self._records = records


def _slot_text(slot: Slot) -> bytes:
    # Encoded where it will stand, so that the library indents it, and cut out.
    return orjson.dumps({"slots": (slot,)}, option=orjson.OPT_INDENT_2)[_SLOT_HEAD:_SLOT_TAIL]


def _record_text(request_id: str, record: Record) -> bytes:
    return b"\n    " + orjson.dumps(request_id) + b": " + orjson.dumps(record)
