"""Runs one turn in a worker thread, so that Ctrl-C can cancel it while the session lives on.

What a turn is belongs to the conversation; this module only waits for one.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Generic, Protocol, TypeVar

from orchestrator.reply import Reply
from orchestrator.terminal.fault import describe_fault

_S = TypeVar("_S")
"""A session: whatever a conversation keeps between two turns."""

_log = logging.getLogger(__name__)


class Conversation(Protocol[_S]):
    """Takes turns."""

    def turn(self, session: _S, utterance: str, cancel: threading.Event | None = None) -> tuple[Reply, _S]:
        """Return the reply to an utterance and the session after it; `cancel`, once set, stops it early."""
        ...


class TurnFailedError(Exception):
    """A turn ended with an error that nobody had foreseen; the log has the place, without the values."""


class TurnRunner(Generic[_S]):
    """Takes turns that Ctrl-C cancels.

    Args:
        conversation: Takes them.
        on_cancel: Called when a turn is being cancelled.
    """

    def __init__(self, conversation: Conversation[_S], on_cancel: Callable[[], None] = lambda: None) -> None:
        self._conversation = conversation
        self._on_cancel = on_cancel

    def run(self, session: _S, utterance: str) -> tuple[Reply, _S]:
        """Return the reply and the session after it. Called in the main thread, which signals reach.

        Raises:
            TurnFailedError: The conversation raised; the session given is still good.
        """
        cancel = threading.Event()

        def stop() -> None:
            cancel.set()
            self._on_cancel()

        with ThreadPoolExecutor(1, thread_name_prefix="turn") as worker, _on_interrupt(stop):
            turn = worker.submit(self._conversation.turn, session, utterance, cancel)
            try:
                return turn.result()
            except Exception as error:  # noqa: BLE001 - the edge of the program: a fault costs one turn, not the session
                _log.error("turn failed: %s", describe_fault(error))
                raise TurnFailedError(type(error).__name__) from None


@contextmanager
def _on_interrupt(act: Callable[[], None]) -> Iterator[None]:
    def handle(_signal: int, _frame: FrameType | None) -> None:
        act()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
