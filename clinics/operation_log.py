"""The log of a clinic's operations, operations.jsonl: each change that was made, and each read of a record.

A line tells when, with which tool, in which role, and of which slot or record. It has no name and no CPF: callers have
pseudonyms under the silo's key. A batch of writes waits for its lines before db.json takes it, so that no change lacks
one; after a power failure the last lines may tell of changes that were not made.
"""

import hmac
import logging
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

import orjson

from clinics.slots import Change, SlotRef
from mesh.caller import Caller
from mesh.private_file import Disk, open_private

OPERATIONS = "operations.jsonl"
LARGEST = 2 * 1024 * 1024  # bytes after which a new file is begun; those before are kept beside it as FILE.1 to FILE.4
KEPT = 4
_PSEUDONYM_DIGITS = 16

Outcome = Literal["booked", "moved", "cancelled", "opened", "closed", "read", "not_made"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Operation:
    """What a caller does, as the log tells it."""

    tool: str
    outcome: Outcome
    caller: Caller
    record: str | None = None  # the id of the record that is read, or the day


Entry = tuple[Operation, Change | None]  # an operation, and the change that it made; None for a read


class OperationLog:
    """Append lines and sync them in a thread of its own, which takes all that wait at once. Safe for concurrent use."""

    def __init__(self, path: Path, disk: Disk, key: bytes, utc_now: Callable[[], datetime]) -> None:
        self.path = path
        self._disk = disk
        self._key = key
        self._utc_now = utc_now
        self._lock = threading.Lock()
        self._waiting: list[bytes] = []
        self._written: Future[None] = Future()  # of the lines that wait
        self._thread = ThreadPoolExecutor(1, "operation-log")

    def append(self, entries: Iterable[Entry]) -> Future[None]:
        """Append a line for each slot or read; the future is done when they are on the medium, or holds the OSError."""
        at = self._utc_now().isoformat(timespec="seconds")
        lines = [self._line(operation, at, *slots) for operation, change in entries for slots in _slots_of(change)]
        with self._lock:
            if not self._waiting:
                self._written = self._thread.submit(self._write_waiting)
            self._waiting += lines
            return self._written

    def close(self) -> None:
        """Append what waits, and stop."""
        self._thread.shutdown()

    def _line(self, operation: Operation, at: str, slot: SlotRef | None, moved_from: SlotRef | None) -> bytes:
        claims, subject = operation.caller.claims, None
        if claims is not None:
            subject = hmac.digest(self._key, f"subject:{claims.subject}".encode(), "sha256").hex()[:_PSEUDONYM_DIGITS]
        fields = {
            "at": at,
            "tool": operation.tool,
            "outcome": operation.outcome,
            "role": None if claims is None else claims.role,
            "subject": subject,
            "host": operation.caller.confirmed_by,
            "slot": slot,
        }
        optional = {"moved_from": moved_from, "record": operation.record}
        fields |= {name: value for name, value in optional.items() if value is not None}
        return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)

    def _write_waiting(self) -> None:
        with self._lock:
            lines, self._waiting = self._waiting, []
        try:
            self._write(b"".join(lines))
        except Exception as error:
            _log.error("%s cannot be written (%s); nothing is changed or read meanwhile", self.path, error)
            raise

    def _write(self, lines: bytes) -> None:
        if not lines:
            return
        kept = self.path.stat().st_size if self.path.exists() else 0
        if kept and kept + len(lines) > LARGEST:
            older = [self.path.with_name(f"{self.path.name}.{number}") for number in range(1, KEPT + 1)]
            for source, target in reversed([*zip((self.path, *older), older, strict=False)]):
                if source.exists():
                    self._disk.rename(source, target)
        descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                lines = b"\n" + lines  # a kill left half a line
            try:
                self._disk.write(descriptor, lines)
            except OSError:
                os.ftruncate(descriptor, size)  # no half line
                raise
            self._disk.sync(descriptor)
        finally:
            os.close(descriptor)
        if not size:
            with suppress(OSError):  # db.json lies in the same folder, which is synced before a write is answered
                self._disk.sync_folder(self.path.parent)


def _slots_of(change: Change | None) -> Iterable[tuple[SlotRef | None, SlotRef | None]]:
    """Return the slots that a change is about, each with the one that it was moved from."""
    match change:
        case None:
            return [(None, None)]
        case Change(booked=None, released=None, replaced=replaced, added=added):
            return [(slot.ref, None) for slot in (*replaced.values(), *added)]
        case Change(booked=None, released=released):
            return [(released, None)]
        case _:
            return [(change.booked, change.released)]
