"""Which writes were made under which request id, so that a repeat is answered and not made again.

It holds digests under the silo's key, and slots; never a name, a CPF or an id. Refused writes are not in it.
"""

import hmac
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

from clinics.slots import Person, SlotRef, Visit
from mesh.errors import DomainError
from mesh.text_folding import doctor_key, person_key

MAX_AGE = timedelta(hours=24)

_SUBJECT_DIGITS, _REQUEST_DIGITS = 16, 32


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """The slot that the patient holds since a write, and the one that the patient released, if any."""

    booked: SlotRef | None = None
    released: SlotRef | None = None
    visit: Visit | None = None  # the appointment after the write; None where an earlier release made it


@dataclass(frozen=True, slots=True)
class Record:
    """A write that was made."""

    digest: str  # with the silo's key, in hexadecimal
    outcome: WriteOutcome
    at: str  # an ISO 8601 instant in UTC, not before that of the record before

    def outcome_for(self, digest: str) -> WriteOutcome:
        """Return the outcome for the request of this digest; raise REQUEST_ID_REUSED for one of other content."""
        if not hmac.compare_digest(self.digest, digest):
            problem = "This request_id belongs to an earlier write with other content. Use a new one."
            raise DomainError("REQUEST_ID_REUSED", problem)
        return self.outcome


class Fingerprint(NamedTuple):
    """The key that a record is found by, and the digest that tells a repeat from another request."""

    key: str  # begins with the digest of the patient's CPF
    digest: str


@dataclass(frozen=True, slots=True)
class Repeatable:
    """What makes a write safe to repeat."""

    request_id: str  # chosen by the caller; case does not count
    content: tuple[str, ...] = field(repr=False)  # tool, doctor, and dates and times, as the caller spells them
    patient: Person

    def fingerprint(self, secret: bytes) -> Fingerprint:
        """Return the write's key and digest under the silo's key."""
        cpf, name = person_key(self.patient.name, self.patient.cpf)
        tool, doctor, *times = self.content
        subject = _digest(secret, cpf)[:_SUBJECT_DIGITS]
        request = _digest(secret, cpf, self.request_id.lower())[:_REQUEST_DIGITS]
        return Fingerprint(f"{subject}:{request}", _digest(secret, tool, doctor_key(doctor), *times, name))

    def former_fingerprint(self, secret: bytes) -> Fingerprint:
        """Return the key and digest that releases up to 0.1.0 gave the same write."""
        content = (*self.content, self.patient.name, self.patient.cpf)
        return Fingerprint(self.request_id.lower(), _digest(secret, *content))


@dataclass(frozen=True, slots=True)
class Ledger:
    """The newest writes that carried a request id, oldest first, by key; and how many of them each patient made."""

    records: dict[str, Record] = field(default_factory=dict)
    subjects: Counter[str] = field(default_factory=Counter, compare=False)

    @classmethod
    def of(cls, records: Iterable[tuple[str, Record]]) -> "Ledger":
        """Return a ledger of (key, record) pairs in any order."""
        ordered = dict(sorted(((key.lower(), record) for key, record in records), key=lambda pair: pair[1].at))
        return cls(ordered, Counter(map(subject_of, ordered)))

    def copy(self) -> "Ledger":
        """Return a ledger of the same records: one may be shared, and a batch of writes is entered into a copy."""
        # copy() takes the table as it is; dict() puts each entry in again once one was deleted, as the oldest are.
        return Ledger(self.records.copy(), self.subjects.copy())

    def forget(self, now: datetime) -> None:
        """Remove the records that are too old; `now` is the real time in UTC."""
        oldest = forgotten_since(now)
        # Oldest first, so the first that may stay ends it.
        self.drop(list(takewhile(lambda key: self.records[key].at <= oldest, self.records)))

    def enter(self, fingerprint: Fingerprint, outcome: WriteOutcome, now: datetime) -> None:
        """Add a record; `now` is the real time in UTC."""
        newest = next(reversed(self.records.values())).at if self.records else ""
        self.records[fingerprint.key] = Record(fingerprint.digest, outcome, max(newest, instant(now)))
        self.subjects[subject_of(fingerprint.key)] += 1

    def drop(self, keys: Iterable[str]) -> None:
        """Remove records; those that are not there do not count."""
        for key in keys:
            if self.records.pop(key, None) is not None:
                subject = subject_of(key)
                self.subjects[subject] -= 1
                if not self.subjects[subject]:
                    del self.subjects[subject]

    def oldest_of(self, subject: str | None = None) -> str | None:
        """Return when the oldest record was made, of one patient or of all."""
        of_subject = (record for key, record in self.records.items() if subject in {None, subject_of(key)})
        return next((record.at for record in of_subject), None)


def subject_of(key: str) -> str:
    """Return the part of a key that is the patient's; empty for a key that a release up to 0.1.0 made."""
    return key[:_SUBJECT_DIGITS] if key[_SUBJECT_DIGITS : _SUBJECT_DIGITS + 1] == ":" else ""


def forgotten_since(now: datetime) -> str:
    """Return the instant up to which records are forgotten, as records write it."""
    return instant(now - MAX_AGE)


def instant(now: datetime) -> str:
    """Return an instant in UTC as records write it; two of them compare as text."""
    return now.isoformat(timespec="seconds")


def _digest(secret: bytes, *parts: str) -> str:
    # A length before each part keeps ("ab", "c") apart from ("a", "bc").
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in map(str.encode, parts))
    return hmac.digest(secret, framed, "sha256").hex()
