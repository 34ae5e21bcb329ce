"""Holds back the signals that ask for the end, so that what was begun is on a list before it must be cleaned up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def held_signals() -> Iterator[None]:
    """Let signals wait until the block is done; then the first that came is obeyed as it would have been.

    Handlers are exchanged and not signals blocked: a process that is started in the block would inherit those. Outside
    of the main thread, which signals do not interrupt, nothing is held back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def keep(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, keep) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])
