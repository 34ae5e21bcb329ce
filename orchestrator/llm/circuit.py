"""Leaves a model alone for a while after it failed, so that no turn waits for what is known not to answer.

One circuit serves all turns of a process. It knows failures and times, and calls nothing itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import assert_never

from orchestrator.llm.model import ModelError
from orchestrator.turn import ModelFailure

PAUSE_S = 30.0
_SHORTEST_S = 1.0
_LONGEST_S = 600.0


class Circuit:
    """Closed while the model answers, open while it is left alone; then one call at a time may find out.

    Thread-safe. Every call that `admits` lets through must be reported by `succeeded` or `failed`.

    Args:
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open_until: float | None = None
        self._is_being_tried = False

    def admits(self) -> bool:
        """Return whether a call may be made now."""
        with self._lock:
            if self._open_until is None:
                return True
            if self._is_being_tried or self._clock() < self._open_until:
                return False
            self._is_being_tried = True
            return True

    def succeeded(self) -> None:
        """Take note that the model answered."""
        with self._lock:
            self._close()

    def failed(self, error: ModelError) -> float | None:
        """Take note that a call failed.

        Returns:
            For how many seconds the model is left alone, if this failure is why; None when it is not left alone, or
            was already.
        """
        with self._lock:
            if error.failure is ModelFailure.CANCELLED:
                self._is_being_tried = False  # the next call may find out
                return None
            if not _is_unusable(error.failure):
                self._close()
                return None
            was_left_alone = self._open_until is not None and not self._is_being_tried
            pause_s = PAUSE_S if error.retry_after_s is None else error.retry_after_s
            pause_s = min(max(pause_s, _SHORTEST_S), _LONGEST_S)
            self._open_until = max(self._clock() + pause_s, self._open_until or 0.0)
            self._is_being_tried = False
            return None if was_left_alone else pause_s

    def _close(self) -> None:
        self._open_until = None
        self._is_being_tried = False


def _is_unusable(failure: ModelFailure) -> bool:
    """Return whether the next call would probably fail in the same way."""
    match failure:
        case (
            ModelFailure.UNREACHABLE
            | ModelFailure.TIMED_OUT
            | ModelFailure.RATE_LIMITED
            | ModelFailure.SERVER_ERROR
            | ModelFailure.REJECTED
        ):
            return True
        case (
            ModelFailure.REFUSED
            | ModelFailure.CUT
            | ModelFailure.CANCELLED
            | ModelFailure.SUSPENDED
            | ModelFailure.THROTTLED
        ):
            return False
        case _:
            assert_never(failure)
