"""Runs one turn in a worker thread, so that it can be cancelled while the session lives on.

What a turn is belongs to the conversation, and how its time is passed to whoever waits; Ctrl-C as a signal comes here.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from types import FrameType
from typing import Generic, Protocol, TypeAlias, TypeVar

from orchestrator.terminal.error_report import describe_fault
from orchestrator.turn import Reply

_S = TypeVar("_S")
"""A session: whatever a conversation keeps between two turns."""
_T = TypeVar("_T")

Taken: TypeAlias = tuple[Reply, _S]
"""What a turn comes to: the reply and the session after it."""

_log = logging.getLogger(__name__)


class TurnTaker(Protocol[_S]):
    """Takes turns."""

    def turn(self, session: _S, utterance: str, cancel: threading.Event | None = None) -> tuple[Reply, _S]:
        """Return the reply to an utterance and the session after it; `cancel`, once set, stops it early."""
        ...


class Waiting(Protocol):
    """Passes the time of a turn."""

    def __call__(self, turn: Future[_T], cancel: Callable[[], None]) -> None:
        """Return when the turn is done; `cancel` stops it early."""
        ...


class TurnFailedError(Exception):
    """A turn ended with an error that nobody had foreseen; the log has the place, without the values."""


def only_wait(turn: Future[_T], cancel: Callable[[], None]) -> None:  # noqa: ARG001 - the port's name; nobody is here
    """Wait for a turn and do nothing else."""
    wait([turn])


class TurnRunner(Generic[_S]):
    """Takes turns that can be cancelled, by Ctrl-C as a signal at least.

    Args:
        conversation: Takes them.
        on_cancel: Called when a turn is being cancelled.
        waiting: Passes the time of a turn.
    """

    def __init__(
        self,
        conversation: TurnTaker[_S],
        on_cancel: Callable[[], None] = lambda: None,
        waiting: Waiting = only_wait,
    ) -> None:
        self._conversation = conversation
        self._on_cancel = on_cancel
        self._waiting = waiting
        self._cancel = threading.Event()

    @property
    def was_cancelled(self) -> bool:
        """Whether somebody cancelled the last turn."""
        return self._cancel.is_set()

    def run(self, session: _S, utterance: str) -> tuple[Reply, _S]:
        """Return the reply and the session after it. Called in the main thread, which signals reach.

        Raises:
            TurnFailedError: The conversation raised; the session given is still good.
        """
        return self.take(lambda cancel: self._conversation.turn(session, utterance, cancel))

    def take(self, turn: Callable[[threading.Event], tuple[Reply, _S]]) -> tuple[Reply, _S]:
        """Return what a turn returns that is given the event which stops it; else as `run`."""
        self._cancel = threading.Event()
        with ThreadPoolExecutor(1, thread_name_prefix="turn") as worker, _on_interrupt(self._stop):
            running = worker.submit(turn, self._cancel)
            self._waiting(running, self._stop)
            try:
                return running.result()
            except Exception as error:  # noqa: BLE001 - the edge of the program: a fault costs one turn, not the session
                _log.error("turn failed: %s", describe_fault(error))
                raise TurnFailedError(type(error).__name__) from None

    def rest(self, seconds: float) -> bool:
        """Wait between two turns and return whether nobody interrupted it. Called in the main thread."""
        with _on_interrupt(self._stop):
            return not self._cancel.wait(seconds)

    def _stop(self) -> None:
        if not self._cancel.is_set():
            self._cancel.set()
            self._on_cancel()


@contextmanager
def _on_interrupt(act: Callable[[], None]) -> Iterator[None]:
    def handle(_signal: int, _frame: FrameType | None) -> None:
        act()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
