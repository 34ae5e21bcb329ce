"""Loads something in the background once the first prompt is on the screen.

A person takes a second to type; what that second is used for need not delay the prompt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Generic, Self, TypeVar

_T = TypeVar("_T")


class Preload(Generic[_T]):
    """A value that is made once, at the first `start` or `get`, in its own thread; leaving the block waits for it."""

    def __init__(self, make: Callable[[], _T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="preload")
        self._value: Future[_T] | None = None

    def start(self) -> None:
        """Begin to make the value, unless that was begun before; return at once."""
        self._begun()

    def get(self) -> _T:
        """Return the value, waiting until it is made; raise what making it raised."""
        return self._begun().result()

    def _begun(self) -> Future[_T]:
        with self._lock:
            if self._value is None:
                self._value = self._worker.submit(self._make)
            return self._value

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._worker.shutdown()
