"""Run a turn, which SIGINT cancels, in a worker thread, and load what the first one needs behind the prompt."""

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from orchestrator.console.progress import Progress
from orchestrator.privacy import describe_fault
from orchestrator.turn import Language

_T = TypeVar("_T")

_log = logging.getLogger(__name__)

WaitForTurn = Callable[[Future[Any], Callable[[], None]], object]  # the function that it is given stops the turn


class TurnFailedError(Exception):
    """A turn ended with an unforeseen error; the log has the place, without the values."""


class TurnRunner:
    """Run turns that can be cancelled, by Ctrl-C as a signal at least."""

    def __init__(self, progress: Progress, wait_for: WaitForTurn = lambda turn, _: wait([turn])) -> None:
        self._progress = progress
        self._wait_for = wait_for
        self._cancel = threading.Event()

    @property
    def was_cancelled(self) -> bool:
        """Whether the last turn was cancelled."""
        return self._cancel.is_set()

    def run(self, language: Language, turn: Callable[[threading.Event], _T]) -> _T:
        """Run a turn, which is given the event that stops it. Call this in the main thread, which signals reach.

        Raise TurnFailedError if the turn raised; the session before it is still good.
        """
        self._cancel = threading.Event()
        self._progress.begin(language)
        with ThreadPoolExecutor(1, thread_name_prefix="turn") as worker, on_signal(signal.SIGINT, self._stop):
            running = worker.submit(turn, self._cancel)
            self._wait_for(running, self._stop)
            try:
                return running.result()
            except Exception as error:  # noqa: BLE001 - the edge of the program: a fault costs one turn, not the session
                _log.error("turn failed: %s", describe_fault(error))
                raise TurnFailedError(type(error).__name__) from None

    def pause(self, seconds: float) -> bool:
        """Wait between two turns and return whether nobody interrupted it. Call this in the main thread."""
        with on_signal(signal.SIGINT, self._stop):
            return not self._cancel.wait(seconds)

    def _stop(self) -> None:
        if not self._cancel.is_set():
            self._cancel.set()
            self._progress.cancelling()


@contextmanager
def on_signal(number: signal.Signals, act: Callable[[], None]) -> Iterator[None]:
    """Call a function when a signal comes in the block, in place of what else is called for it."""
    before = signal.signal(number, lambda *_: act())
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def preload(make: Callable[[], _T]) -> Iterator[Callable[[], Future[_T]]]:
    """Yield what begins to make a value in a thread, at its first call, and returns its future; wait for it at the end.

    It is called in one thread at a time, when the first prompt is on the screen: a person takes a second to type.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="preload") as worker:
        yield cache(lambda: worker.submit(make))
