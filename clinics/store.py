"""Keep the agenda: one writer thread makes batches of writes durable, readers use the published snapshot.

What is acknowledged is on the disk, and what is on the disk parses. `clinics.schedule` decides what is allowed.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from clinics.database import Database, Encoder
from clinics.ledger import (
    MOST_OF_A_PATIENT,
    MOST_RECORDS,
    Fingerprint,
    Ledger,
    Repeatable,
    WriteOutcome,
    instant,
    subject_of,
    too_many_requests,
)
from clinics.operation_log import Entry, Operation, OperationLog
from clinics.request_archive import RequestArchive
from clinics.silo import DatabaseFile
from clinics.slots import Change, Rule, Snapshot
from clinics.write_queue import Write, WriteQueue
from mesh.errors import DomainError

MOST_IN_DATABASE = 256
"""Records that db.json holds; when there are more, those that it surely holds move to the archive."""

_log = logging.getLogger(__name__)


class SlotStore:
    """The agenda in one JSON file, and an archive of older records beside it.

    The writer takes all the writes that wait, applies them to a copy, writes the copy beside db.json, syncs it, renames
    it over db.json, syncs the folder, publishes the copy, and only then answers. If anything fails before the rename,
    nothing changed. If the folder's sync fails, the change is in the file but may not outlive a power failure: it is
    neither published nor acknowledged before a later flush succeeds, and its callers get "outcome unknown".

    A write and its record reach the disk in one rename. A record goes to the archive only when db.json surely holds it,
    and leaves db.json only when the archive does: wherever a crash comes between, at least one of them has it.

    The log of operations is written while the copy is, and the copy waits for it before the rename: a batch whose lines
    cannot be stored is not made.
    """

    def __init__(
        self,
        file: DatabaseFile,  # its folder exists and is this process's own
        archive: RequestArchive,
        *,
        key: bytes,
        utc_now: Callable[[], datetime],  # the real time; records age by it, so it should not jump
        max_waiting: int,  # keep it below the number of workers, so that reads find one
        operations: OperationLog,  # closed with the store
    ) -> None:
        self._file = file
        self._archive = archive
        self._key = key
        self._utc_now = utc_now
        self._operations = operations
        self._database = file.read()  # what db.json holds; only the writer touches it
        self._moved: set[str] = set()  # keys of records that db.json holds and the archive surely does, too
        self._is_reported = False  # whether the log says that the archive takes no records
        self._encoder = Encoder()  # only the writer uses it
        # Whether db.json's name is known to be on the medium. A process before this one may have been killed between
        # rename and the folder's sync: a repeat must not be answered from what a power failure would undo.
        self._settled = file.sync()
        self._published = self._database.snapshot
        self._queue = WriteQueue(max_waiting)
        self._writer = threading.Thread(target=self._run, name="slot-store-writer", daemon=True)
        self._writer.start()

    @property
    def snapshot(self) -> Snapshot:
        """The agenda as last made durable; reading it never waits."""
        return self._published

    def commit(
        self, rule: Rule, timeout_s: float, repeatable: Repeatable | None = None, operation: Operation | None = None
    ) -> WriteOutcome:
        """Make one write and return when it is durable; a repeated one gets its outcome of then.

        Raise the rule's refusal, REQUEST_ID_REUSED, REQUEST_IDS_EXHAUSTED, OVERLOADED, TIMED_OUT or
        STORAGE_UNAVAILABLE.
        """
        write = Write(rule, repeatable, operation)
        if not self._queue.put(write):
            raise _not_stored("unchanged")
        try:
            return write.result(timeout_s)
        except TimeoutError:
            return _withdraw(write)

    def log_read(self, operation: Operation) -> None:
        """Return when a read is in the log of operations; raise TIMED_OUT or STORAGE_UNAVAILABLE."""
        try:
            self._operations.append([(operation, None)]).result(operation.caller.remaining_s)
        except TimeoutError:
            raise DomainError("TIMED_OUT", "The disk did not answer in time; nothing was read.") from None
        except OSError:
            raise _not_stored("unchanged") from None

    def close(self) -> None:
        """Make the waiting writes and stop; later ones are refused."""
        self._queue.close()
        self._writer.join()
        self._operations.close()

    def _run(self) -> None:
        while batch := self._queue.take():
            # A write whose caller gave up was withdrawn; one that is started here will be answered.
            accepted = [write for write in batch if write.set_running_or_notify_cancel()]
            try:
                self._make(accepted)
            except Exception as fault:  # noqa: BLE001 - the writer outlives any fault, or all later writes would hang
                for write in accepted:
                    if not write.done():
                        write.set_exception(fault)
            self._queue.answered()

    def _make(self, batch: Sequence[Write]) -> None:
        following = self._database
        outcomes: list[tuple[Write, WriteOutcome, bool]] = []  # each with whether the write changes nothing
        entries: list[Entry] = []
        for write in batch:
            before = following
            try:
                following, outcome, change = self._apply(before, write)
            except Exception as refusal:  # noqa: BLE001 - a faulty rule too fails its own write only
                write.set_exception(refusal)
            else:
                outcomes.append((write, outcome, following is before))
                if write.operation is not None and change is not None and following is not before:
                    entries.append((write.operation, change))
        is_due = following is not self._database or not self._settled
        unstored = self._flush(following, entries) if is_due else None
        for write, outcome, is_repeat in outcomes:
            if unstored is None:
                write.set_result(outcome)
            else:  # the write that is repeated may be in the file already
                write.set_exception(_not_stored("unknown" if is_repeat else unstored))

    def _apply(self, database: Database, write: Write) -> tuple[Database, WriteOutcome, Change | None]:
        repeatable, fingerprint = write.repeatable, None
        if repeatable is not None:
            fingerprint = repeatable.fingerprint(self._key)
            earlier = self._earlier(database.ledger, repeatable, fingerprint)
            if earlier is not None:
                return database, earlier, None
        change = write.rule(database.snapshot)
        outcome = WriteOutcome(change.booked, change.released, change.visit)
        snapshot, ledger = database.snapshot.changed(change), database.ledger
        if fingerprint is not None:
            if ledger is self._database.ledger:
                ledger = ledger.copy()
            self._enter(ledger, fingerprint, outcome)
        if snapshot is database.snapshot and fingerprint is None:
            return database, outcome, change
        return Database(snapshot, ledger), outcome, change

    def _earlier(self, ledger: Ledger, repeatable: Repeatable, fingerprint: Fingerprint) -> WriteOutcome | None:
        fingerprints = [fingerprint]
        if ledger.subjects[""] or self._archive.count(""):
            fingerprints.append(repeatable.former_fingerprint(self._key))
        for key, digest in fingerprints:
            try:
                record = ledger.records.get(key) or self._archive.find(key)
            except OSError:
                raise _not_stored("unknown") from None
            if record is not None:
                return record.outcome_for(digest)
        return None

    def _enter(self, ledger: Ledger, fingerprint: Fingerprint, outcome: WriteOutcome) -> None:
        now, archive, subject = self._utc_now(), self._archive, subject_of(fingerprint.key)
        archive.forget(now)
        ledger.forget(now)
        if ledger.subjects[subject] + archive.count(subject) >= MOST_OF_A_PATIENT:
            raise too_many_requests(archive.oldest_of(subject) or ledger.oldest_of(subject) or instant(now), now)
        if len(ledger.records) + len(archive) >= MOST_RECORDS:
            raise too_many_requests(archive.oldest_of() or ledger.oldest_of() or instant(now), now)
        ledger.enter(fingerprint, outcome, now)

    def _flush(self, database: Database, entries: Sequence[Entry]) -> Literal["unchanged", "unknown"] | None:
        database = self._without_archived(database)
        logged = self._operations.append(entries) if entries else None
        try:
            content = self._encoder.encode(database.snapshot.slots, database.ledger.records)
            self._file.replace(content, lambda: None if logged is None else logged.result())
        except OSError:
            if entries:
                self._operations.append([(replace(one, outcome="not_made"), change) for one, change in entries])
            return "unchanged"
        self._database = database
        self._moved.clear()
        self._settled = self._file.sync()
        if not self._settled:
            return "unknown"
        self._published = database.snapshot
        return None

    def _without_archived(self, database: Database) -> Database:
        """Move the records that db.json surely holds to the archive once they are many; return what remains for it."""
        sure = self._database.ledger.records
        if not self._settled or len(sure) < MOST_IN_DATABASE:
            return database
        try:
            self._archive.append({key: record for key, record in sure.items() if key not in self._moved})
        except OSError as error:
            if not self._is_reported:
                _log.warning(
                    "%s takes no records (%s); they stay in db.json, which costs time", self._archive.path, error
                )
                self._is_reported = True
            return database
        self._is_reported = False
        self._moved.update(sure)
        ledger = database.ledger.copy()
        ledger.drop(sure)
        return Database(database.snapshot, ledger)


def _withdraw(write: Write) -> WriteOutcome:
    if write.cancel():
        raise DomainError(
            "TIMED_OUT",
            "The clinic had no time for this write; nothing was changed.",
            metadata={"outcome": "unchanged"},
        )
    try:
        return write.result(0)
    except TimeoutError:
        raise DomainError(
            "TIMED_OUT", "The disk did not answer in time; repeat with the same request_id to learn the outcome."
        ) from None


def _not_stored(outcome: Literal["unchanged", "unknown"]) -> DomainError:
    meaning = {
        "unchanged": "The clinic cannot write its agenda to disk; nothing was changed. Try again later.",
        "unknown": "The clinic's disk did not confirm this write. Repeat it with the same request_id to find out.",
    }
    return DomainError("STORAGE_UNAVAILABLE", meaning[outcome], metadata={"outcome": outcome})
