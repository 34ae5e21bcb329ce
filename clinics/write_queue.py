"""Writes that wait for the disk, and the batches in which they go there.

A commit costs much the same for one write as for many: a batch waits, briefly, until all active writers have come.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import Future

from clinics.ledger import Repeatable, WriteOutcome
from clinics.operation_log import Operation
from clinics.slots import Rule
from mesh.errors import DomainError

MOST_AWAITED = 16  # writers that a batch is held back for at most; beyond, a commit costs each of them little
GAP_S = 0.001  # seconds that the next of several writers is waited for: a fraction of what a commit takes


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
            # Who was answered may be back before the rest of their batch is.
            free = self._most - len(self._waiting)
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
