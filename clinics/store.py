"""Keep the agenda: one writer thread makes batches of writes durable, readers use the published snapshot.

What is acknowledged is on the disk, and what is on the disk parses. `clinics.schedule` decides what is allowed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from clinics.database import Database
from clinics.disk import Disk, replace_file, sync_folder
from clinics.encoding import Encoder
from clinics.ledger import Repeatable, WriteOutcome
from clinics.slots import Rule, Snapshot
from clinics.write_queue import QueueClosedError, Write, WriteQueue
from mesh.errors import DomainError


class SlotStore(Protocol):
    """Where a clinic's agenda is kept."""

    @property
    def snapshot(self) -> Snapshot:
        """The agenda as last made durable; reading it never waits."""
        ...

    def commit(self, rule: Rule, timeout_s: float, repeatable: Repeatable | None = None) -> WriteOutcome:
        """Make one write and return when it is durable, or raise the rule's refusal."""
        ...


class JsonSlotStore:
    """A `SlotStore` in one JSON file.

    The writer takes all the writes that wait, applies them to a copy, writes the copy beside db.json, syncs it, renames
    it over db.json, syncs the folder, publishes the copy, and only then answers. If anything fails before the rename,
    nothing changed. If the folder's sync fails, the change is in the file but may not outlive a power failure: it is
    neither published nor acknowledged before a later flush succeeds, and its callers get "outcome unknown".
    """

    def __init__(
        self,
        path: Path,  # its folder exists and is this process's own
        database: Database,
        *,
        key: bytes,
        disk: Disk,
        utc_now: Callable[[], datetime],  # the real time; records age by it, so it should not jump
        max_waiting: int,  # keep it below the number of workers, so that reads find one
    ) -> None:
        self.path = path
        self._key = key
        self._disk = disk
        self._utc_now = utc_now
        self._database = database  # what db.json holds; only the writer touches it
        self._encoder = Encoder()  # only the writer uses it
        # Whether db.json's name is known to be on the medium. A process before this one may have been killed between
        # rename and the folder's sync: a repeat must not be answered from what a power failure would undo.
        self._settled = self._sync_folder()
        self._published = database.snapshot
        self._queue = WriteQueue(max_waiting)
        self._writer = threading.Thread(target=self._run, name="slot-store-writer", daemon=True)
        self._writer.start()

    @property
    def snapshot(self) -> Snapshot:
        """The agenda as last made durable; reading it never waits."""
        return self._published

    def commit(self, rule: Rule, timeout_s: float, repeatable: Repeatable | None = None) -> WriteOutcome:
        """Make one write and return when it is durable; a repeated one gets its outcome of then.

        Raise the rule's refusal, REQUEST_ID_REUSED, OVERLOADED, TIMED_OUT or STORAGE_UNAVAILABLE.
        """
        write = Write(rule, repeatable)
        try:
            self._queue.put(write)
        except QueueClosedError:
            raise _not_stored("unchanged") from None
        outcome = write.wait(timeout_s)
        if outcome is None:
            outcome = _withdraw(write)
        return outcome

    def close(self) -> None:
        """Make the waiting writes and stop; later ones are refused."""
        self._queue.close()
        self._writer.join()

    def _run(self) -> None:
        while batch := self._queue.take():
            # A write whose caller gave up was withdrawn; one that is claimed here will be answered.
            accepted = [write for write in batch if write.claim()]
            try:
                self._make(accepted)
            except Exception as fault:  # noqa: BLE001 - the writer outlives any fault, or all later writes would hang
                for write in accepted:
                    write.answer(fault)
            self._queue.answered()

    def _make(self, batch: Sequence[Write]) -> None:
        following = self._database
        made: list[tuple[Write, WriteOutcome]] = []
        repeats: list[tuple[Write, WriteOutcome]] = []
        for write in batch:
            before = following
            try:
                following, outcome = self._apply(before, write)
            except Exception as refusal:  # noqa: BLE001 - a faulty rule too fails its own write only
                write.answer(refusal)
            else:
                (repeats if following is before else made).append((write, outcome))
        if following is not self._database or not self._settled:
            unstored = self._flush(following)
            if unstored is not None:
                for write, _ in made:
                    write.answer(_not_stored(unstored))
                for write, _ in repeats:  # the write before may be in the file already
                    write.answer(_not_stored("unknown"))
                return
        for write, outcome in (*made, *repeats):
            write.answer(outcome)

    def _apply(self, database: Database, write: Write) -> tuple[Database, WriteOutcome]:
        repeatable = write.repeatable
        digest = repeatable.digest(self._key) if repeatable else ""
        if repeatable:
            earlier = database.ledger.earlier(repeatable.request_id, digest)
            if earlier is not None:
                return database, earlier
        change = write.rule(database.snapshot)
        outcome = WriteOutcome(change.booked, change.released)
        snapshot, ledger = database.snapshot.changed(change), database.ledger
        if repeatable:
            if ledger is self._database.ledger:
                ledger = ledger.copy()
            ledger.enter(repeatable.request_id, digest, outcome, self._utc_now())
        if snapshot is database.snapshot and not repeatable:
            return database, outcome
        return Database(snapshot, ledger), outcome

    def _flush(self, database: Database) -> Literal["unchanged", "unknown"] | None:
        try:
            content = self._encoder.encode(database.snapshot.slots, database.ledger.records)
            replace_file(self._disk, self.path, content)
        except OSError:
            return "unchanged"
        self._database = database
        self._settled = self._sync_folder()
        if not self._settled:
            return "unknown"
        self._published = database.snapshot
        return None

    def _sync_folder(self) -> bool:
        try:
            sync_folder(self._disk, self.path.parent)
        except OSError:
            return False
        return True


def _withdraw(write: Write) -> WriteOutcome:
    if write.claim():
        raise DomainError(
            "TIMED_OUT",
            "The clinic had no time for this write; nothing was changed.",
            metadata={"outcome": "unchanged"},
        )
    outcome = write.wait(0)
    if outcome is None:
        raise DomainError(
            "TIMED_OUT", "The disk did not answer in time; repeat with the same request_id to learn the outcome."
        )
    return outcome


def _not_stored(outcome: Literal["unchanged", "unknown"]) -> DomainError:
    meaning = {
        "unchanged": "The clinic cannot write its agenda to disk; nothing was changed. Try again later.",
        "unknown": "The clinic's disk did not confirm this write. Repeat it with the same request_id to find out.",
    }
    return DomainError("STORAGE_UNAVAILABLE", meaning[outcome], metadata={"outcome": outcome})
