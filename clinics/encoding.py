"""db.json as bytes, at the cost of what changed: what was encoded once is kept and joined again."""

from itertools import compress, count, takewhile
from operator import is_not

import orjson

from clinics.ledger import Record
from clinics.slots import Slot

_SLOTS, _VISITS = b'{\n  "slots": [', b'\n  ],\n  "appointments": ['
_REQUESTS, _END = b'\n  ],\n  "requests": {', b"\n  }\n}\n"
_FIELDS = ("doctor", "specialty", "date", "time", "available", "patient_name", "cpf")
_BLOCK = 16  # slots encoded together: few pieces to join, and little to encode again for one that changed
_SLOT_HEAD, _SLOT_TAIL = len(_SLOTS), -len(b"\n  ]\n}")


class Encoder:
    """Encode one silo's file again and again, for its writer only; slots and records are immutable."""

    __slots__ = ("_blocks", "_lengths", "_records", "_records_text", "_slots", "_visits")

    def __init__(self) -> None:
        self._slots: tuple[Slot, ...] = ()
        self._blocks: list[bytes] = []
        self._visits: list[bytes] = []  # of the same blocks
        self._records: dict[str, Record] = {}
        self._lengths: dict[str, int] = {}
        self._records_text = bytearray()

    def encode(self, slots: tuple[Slot, ...], records: dict[str, Record]) -> bytes:
        """Return the content of db.json; quick where most slots and records are those of the last call."""
        self._keep_slots(slots)
        self._keep_records(records)
        visits = b"".join(self._visits)
        with memoryview(self._records_text) as text:
            # Each visit and record has a comma before it; the first one needs none.
            return b"".join((_SLOTS, b",".join(self._blocks), _VISITS, visits[1:], _REQUESTS, text[1:], _END))

    def _keep_slots(self, slots: tuple[Slot, ...]) -> None:
        changed = {at // _BLOCK for at in compress(count(), map(is_not, slots, self._slots))}
        blocks = -(-len(slots) // _BLOCK)
        if len(slots) != len(self._slots):
            changed.update(range(min(len(slots), len(self._slots)) // _BLOCK, blocks))
        # All that may fail comes first: texts and slots must not part.
        parts = {block: slots[block * _BLOCK : (block + 1) * _BLOCK] for block in sorted(changed)}
        texts = {block: (_slots_text(part), b"".join(map(_visit_text, part))) for block, part in parts.items()}
        del self._blocks[blocks:], self._visits[blocks:]
        for block, (of_slots, of_visits) in texts.items():
            self._blocks[block : block + 1] = (of_slots,)
            self._visits[block : block + 1] = (of_visits,)
        self._slots = slots

    def _keep_records(self, records: dict[str, Record]) -> None:
        known, lengths = self._records, self._lengths
        if records is known:
            return
        # A ledger loses its oldest and gains at its end; what a failed write had put there is gone again.
        added = [*takewhile(lambda key: records[key] is not known.get(key), reversed(records))]
        pairs = ((key, orjson.dumps(key), orjson.dumps(records[key])) for key in reversed(added))
        texts = {key: b",\n    " + name + b": " + record for key, name, record in pairs}
        while lengths and records.get(newest := next(reversed(lengths))) is not known[newest]:
            del self._records_text[-lengths.pop(newest) :]
        while lengths and records.get(oldest := next(iter(lengths))) is not known[oldest]:
            del self._records_text[: lengths.pop(oldest)]
        self._records_text += b"".join(texts.values())
        lengths |= {key: len(text) for key, text in texts.items()}
        self._records = records


def _slots_text(slots: tuple[Slot, ...]) -> bytes:
    # Encoded where they will stand, so that the library indents them, and cut out.
    fields = [{name: getattr(slot, name) for name in _FIELDS} for slot in slots]
    return orjson.dumps({"slots": fields}, option=orjson.OPT_INDENT_2)[_SLOT_HEAD:_SLOT_TAIL]


def _visit_text(slot: Slot) -> bytes:
    if slot.visit is None:
        return b""
    ref = {"doctor": slot.doctor, "date": slot.date, "time": slot.time}
    return b",\n    " + orjson.dumps({"id": slot.visit.id, "revision": slot.visit.revision, **ref})
