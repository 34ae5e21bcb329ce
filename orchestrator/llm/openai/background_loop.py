"""An event loop in a thread of its own, for callers that block: they wait for a coroutine and can stop it at any time.

It knows nothing of models; what runs in it is its owner's.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from types import TracebackType
from typing import Any, Self, TypeVar

_T = TypeVar("_T")

_POLL_S = 0.02


class BackgroundLoop:
    """A running event loop; a context manager that cancels what still runs and ends its thread.

    Args:
        name: What the thread is called.
    """

    def __init__(self, name: str) -> None:
        self._running: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        # A daemon: an owner that never leaves the context must not keep the process from ending.
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)

    def run(self, coroutine: Coroutine[Any, Any, _T], cancel: threading.Event) -> _T:
        """Run a coroutine and return its result; raises what it raises.

        Args:
            coroutine: What to run.
            cancel: Set by another thread to stop it.

        Raises:
            concurrent.futures.CancelledError: It was stopped, by `cancel` or because the loop ends.
        """
        loop, _ = self._running.result()
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
        try:
            while not wait([future], timeout=_POLL_S).done:
                if cancel.is_set():
                    future.cancel()
            return future.result()
        finally:
            future.cancel()  # without effect unless waiting was interrupted, as Ctrl-C does in the main thread

    def call_soon(self, function: Callable[[], object]) -> None:
        """Call a function in the loop's thread and return at once."""
        loop, _ = self._running.result()
        loop.call_soon_threadsafe(function)

    def _serve(self) -> None:
        asyncio.run(self._until_closed())

    async def _until_closed(self) -> None:
        closing = asyncio.Event()
        self._running.set_result((asyncio.get_running_loop(), closing))
        await closing.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop, closing = self._running.result()
        loop.call_soon_threadsafe(closing.set)
        self._thread.join()
