"""Keep the agenda: one writer thread makes batches of writes durable, readers use the published snapshot.

What is acknowledged is on the disk, and what is on the disk parses. A commit costs much the same for one write as for
many: a batch waits, briefly, until all active writers have come. `clinics.schedule` decides what is allowed.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from typing import Literal, Protocol

from clinics.database import Database
from clinics.ledger import Fingerprint, Ledger, Repeatable, WriteOutcome, subject_of
from clinics.operation_log import Entry, Operation, OperationLog
from clinics.request_archive import RequestArchive
from clinics.schedule import HouseRules
from clinics.slots import Change, Draft, Rule, Snapshot
from mesh.errors import DomainError

MOST_AWAITED = 16  # writers that a batch is held back for at most; beyond, a commit costs each of them little
GAP_S = 0.001  # seconds that the next of several writers is waited for: a fraction of what a commit takes
Unstored = Literal["unchanged", "unknown"]  # what an unconfirmed batch changed: surely nothing, or nobody knows


class Write(Future[WriteOutcome]):
    """A write, and its outcome. The writer starts it before it makes it; until then its caller can cancel it."""

    def __init__(self, rule: Rule, repeatable: Repeatable | None = None, operation: Operation | None = None) -> None:
        super().__init__()
        self.rule = rule
        self.repeatable = repeatable
        self.operation = operation  # what the log tells of it; None: nothing


class WriteQueue:
    """Take writes of many callers and give them to one writer, in batches and in order; at most `most` at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._changed = threading.Condition(threading.Lock())
        self._is_closed = False
        self._waiting: list[Write] = []
        self._taken: Sequence[Write] = ()
        self._expected = 1
        self._wanted = 0  # the writer sleeps until so many wait, rather than waking for each

    def put(self, write: Write) -> bool:
        """Let a write wait for its turn, unless the queue is closed: False. Raise OVERLOADED if many are under way."""
        with self._changed:
            if self._is_closed:
                return False
            free = self._most - len(self._waiting)  # who was answered may be back before the rest of their batch is
            if len(self._taken) >= free and sum(not one.done() for one in self._taken) >= free:
                raise DomainError("OVERLOADED", "This clinic has as many writes as it takes. Try again in a moment.")
            self._waiting.append(write)
            if len(self._waiting) == self._wanted:
                self._changed.notify()
            return True

    def take(self) -> Sequence[Write]:
        """Wait for writes and return them; none once the queue is closed and empty. For the writer only."""
        with self._changed:
            self._sleep_until(1)
            came = 0
            while came < len(self._waiting) < self._expected:
                came = len(self._waiting)
                self._sleep_until(self._expected, GAP_S)
            self._taken, self._waiting = self._waiting, []
            return self._taken

    def more(self) -> Sequence[Write]:
        """Return the writes that came since, to be answered with those that were taken. For the writer only."""
        with self._changed:
            came, self._waiting = self._waiting, []
            self._taken = (*self._taken, *came)
            return came

    def answered(self) -> None:
        """Note that the writes taken last were answered. For the writer only."""
        with self._changed:
            # Those who come back, and those who came meanwhile: all who write at present.
            self._expected = min(len(self._taken) + len(self._waiting), MOST_AWAITED)
            self._taken = ()

    def close(self) -> None:
        """Take no more writes; those that wait can still be taken."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _sleep_until(self, waiting: int, timeout_s: float | None = None) -> None:
        self._wanted = waiting
        self._changed.wait_for(lambda: len(self._waiting) >= waiting or self._is_closed, timeout_s)


class Storage(Protocol):
    """Where an agenda is kept. For the store's writer only, but for `snapshot`, which any thread may read."""

    archive: RequestArchive  # records that are kept, and not in the ledger
    key: bytes  # for digests; replicas that share the storage share it

    @property
    def snapshot(self) -> Snapshot:
        """The agenda as last made durable; raise DomainError if it cannot be known."""

    @property
    def known(self) -> Snapshot:
        """The agenda as it was last seen here: old, where replicas share it, and there without asking."""

    def begin(self) -> Database:
        """Return what the next batch is decided on; raise OSError if that cannot be known."""

    def flush(self, database: Database, changes: Sequence[Change], ready: Callable[[], None]) -> Unstored | None:
        """End what `begin` began: make the changes and records since durable, then publish; None once they are.

        `ready` is called when all but the last step is made, and may raise OSError: then nothing is changed.
        """

    def close(self) -> None:
        """Let go of it."""


OpenShared = Callable[[str, HouseRules, RequestArchive], Storage]  # opens by a clinic's id what its replicas share


class SlotStore:
    """The agenda in its storage, and the ledger of requests: what is acknowledged is durable.

    A write and its record become durable in one step, once the lines of its batch are in the log of operations.
    """

    def __init__(
        self,
        storage: Storage,  # closed with the store
        *,
        utc_now: Callable[[], datetime],  # the real time; records age by it, so it should not jump
        max_waiting: int,  # keep it below the number of workers, so that reads find one
        operations: OperationLog,  # closed with the store
    ) -> None:
        self.storage = storage
        self._utc_now = utc_now
        self._operations = operations
        self._queue = WriteQueue(max_waiting)
        self._writer = threading.Thread(target=self._run, name="slot-store-writer", daemon=True)
        self._writer.start()

    @property
    def snapshot(self) -> Snapshot:
        """The agenda as last made durable; with db.json, reading it never waits."""
        return self.storage.snapshot

    def commit(
        self, rule: Rule, timeout_s: float, repeatable: Repeatable | None = None, operation: Operation | None = None
    ) -> WriteOutcome:
        """Make one write and return when it is durable, a repeated one with its outcome of then; raise DomainError."""
        write = Write(rule, repeatable, operation)
        if not self._queue.put(write):
            raise not_stored("unchanged")
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
            raise not_stored("unchanged") from None

    def close(self) -> None:
        """Make the waiting writes and stop; later ones are refused."""
        self._queue.close()
        self._writer.join()
        self.storage.close()
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

    def _make(self, batch: list[Write]) -> None:
        try:
            begun = self.storage.begin()
        except OSError:
            for write in batch:  # an earlier try of one that may be repeated may have been made
                write.set_exception(not_stored("unchanged" if write.repeatable is None else "unknown"))
            return
        # Those who came while another replica decided go along.
        batch += [write for write in self._queue.more() if write.set_running_or_notify_cancel()]
        agenda, ledger = Draft(begun.snapshot), begun.ledger.copy()
        made: list[tuple[Write, WriteOutcome, Change | None]] = []  # None: the write changes nothing
        for write in batch:
            try:
                made.append((write, *self._apply(agenda, ledger, write)))
            except Exception as refusal:  # noqa: BLE001 - a faulty rule too fails its own write only
                write.set_exception(refusal)
        changes = [(write.operation, change) for write, _, change in made if change is not None]
        following = Database(Snapshot(agenda.slots, agenda.layout), ledger) if changes else begun
        unstored = self._flush(following, changes)
        for write, outcome, change in made:
            if unstored is None:
                write.set_result(outcome)
            else:  # the write that is repeated may be in the file already
                write.set_exception(not_stored("unknown" if change is None else unstored))

    def _flush(self, database: Database, made: Sequence[tuple[Operation | None, Change]]) -> Unstored | None:
        entries: list[Entry] = [(operation, change) for operation, change in made if operation is not None]
        logged = self._operations.append(entries) if entries else None
        changes = [change for _, change in made]
        unstored = self.storage.flush(database, changes, lambda: None if logged is None else logged.result())
        if entries and unstored == "unchanged":
            self._operations.append([(replace(one, outcome="not_made"), change) for one, change in entries])
        return unstored

    def _apply(self, agenda: Draft, ledger: Ledger, write: Write) -> tuple[WriteOutcome, Change | None]:
        repeatable, fingerprint = write.repeatable, None
        if repeatable is not None:
            fingerprint = repeatable.fingerprint(self.storage.key)
            earlier = self._earlier(ledger, repeatable, fingerprint)
            if earlier is not None:
                return earlier, None
        change = write.rule(agenda)
        outcome = WriteOutcome(change.booked, change.released, change.visit)
        if fingerprint is not None:
            now = self._utc_now()
            self.storage.archive.make_room(ledger, subject_of(fingerprint.key), now)
            agenda.apply(change)
            ledger.enter(fingerprint, outcome, now)
        elif change.replaced or change.added:
            agenda.apply(change)
        else:
            return outcome, None
        return outcome, change

    def _earlier(self, ledger: Ledger, repeatable: Repeatable, fingerprint: Fingerprint) -> WriteOutcome | None:
        fingerprints = [fingerprint]
        if ledger.subjects[""] or self.storage.archive.count(""):
            fingerprints.append(repeatable.former_fingerprint(self.storage.key))
        for key, digest in fingerprints:
            try:
                record = ledger.records.get(key) or self.storage.archive.find(key)
            except OSError:
                raise not_stored("unknown") from None
            if record is not None:
                return record.outcome_for(digest)
        return None


def _withdraw(write: Write) -> WriteOutcome:
    if write.cancel():
        problem = "The clinic had no time for this write; nothing was changed."
        raise DomainError("TIMED_OUT", problem, metadata={"outcome": "unchanged"})
    try:
        return write.result(0)
    except TimeoutError:
        problem = "The disk did not answer in time; repeat with the same request_id to learn the outcome."
        raise DomainError("TIMED_OUT", problem) from None


def not_stored(outcome: Unstored) -> DomainError:
    """Return the refusal of a write, or of a read that changes nothing, while the storage does not answer."""
    meaning = {
        "unchanged": "The clinic cannot write its agenda to disk; nothing was changed. Try again later.",
        "unknown": "The clinic's disk did not confirm this write. Repeat it with the same request_id to find out.",
    }
    return DomainError("STORAGE_UNAVAILABLE", meaning[outcome], metadata={"outcome": outcome})
