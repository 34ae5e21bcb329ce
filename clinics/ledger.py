"""Which writes were made under which request id, so that a repeat is answered and not made again.

It holds ids, digests with the silo's key, and slots; never a name or a CPF. Refused writes are not in it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from clinics.slots import SlotRef
from mesh.errors import DomainError

MAX_RECORDS = 2_000
MAX_AGE = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """The slot that the patient holds since a write, and the one that the patient released, if any."""

    booked: SlotRef | None = None
    released: SlotRef | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A write that was made."""

    digest: str  # with the silo's key, in hexadecimal
    outcome: WriteOutcome
    at: str  # an ISO 8601 instant in UTC, not before that of the record before


@dataclass(frozen=True, slots=True)
class Repeatable:
    """What makes a write safe to repeat."""

    request_id: str  # chosen by the caller; case does not count
    content: tuple[str, ...] = field(repr=False)  # tool and arguments, in a fixed order

    def digest(self, key: bytes) -> str:
        """Return the content's HMAC-SHA256 under the silo's key, in hexadecimal."""
        # A length before each part keeps ("ab", "c") apart from ("a", "bc").
        parts = (part.encode() for part in self.content)
        framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return hmac.new(key, framed, hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Ledger:
    """The writes of the last 24 hours that carried a request id, oldest first, at most 2,000, by id in lower case.

    A ledger may be shared: enter a write into a copy, one copy for all writes of a batch.
    """

    records: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[tuple[str, Record]]) -> Ledger:
        """Return a ledger of (request id, record) pairs in any order."""
        return cls(dict(sorted(((key.lower(), record) for key, record in records), key=lambda pair: pair[1].at)))

    def earlier(self, request_id: str, digest: str) -> WriteOutcome | None:
        """Return the outcome of this very request, if it was made before; raise REQUEST_ID_REUSED for other content."""
        record = self.records.get(request_id.lower())
        if record is None:
            return None
        if not hmac.compare_digest(record.digest, digest):
            raise DomainError(
                "REQUEST_ID_REUSED", "This request_id belongs to an earlier write with other content. Use a new one."
            )
        return record.outcome

    def copy(self) -> Ledger:
        """Return a ledger of the same records."""
        # copy() takes the table as it is; dict() puts each entry in again once one was deleted, as the oldest are.
        return Ledger(self.records.copy())

    def enter(self, request_id: str, digest: str, outcome: WriteOutcome, now: datetime) -> None:
        """Add a record, and remove those that are too old or too many; `now` is the real time in UTC."""
        oldest = (now - MAX_AGE).isoformat(timespec="seconds")
        newest = next(reversed(self.records.values())).at if self.records else ""
        forgotten: list[str] = []
        for key, record in self.records.items():  # oldest first, so the first that may stay ends it
            if record.at > oldest and len(self.records) - len(forgotten) < MAX_RECORDS:
                break
            forgotten.append(key)
        for key in forgotten:
            del self.records[key]
        self.records[request_id.lower()] = Record(digest, outcome, max(newest, now.isoformat(timespec="seconds")))
