"""The threads that serve a node's calls.

gRPC's server takes an executor, submits each call to it, and asks the future it gets only to say when the call was
served. The standard ThreadPoolExecutor does that and much more; its futures, conditions and counters are some 5 % of an
echo, and more where several callers come at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast


class Workers:
    """Runs each call at once, in a thread that is idle or else in a new one; gRPC bounds how many calls there are.

    The thread that became idle last is taken first: what it needs is most likely still in the processor's caches.
    """

    def __init__(self) -> None:
        self._idle: list[_Worker] = []
        self._made = 0
        self._is_closed = False

    @property
    def executor(self) -> ThreadPoolExecutor:
        """These workers by the type that gRPC names, of which it uses `submit` alone."""
        return cast("ThreadPoolExecutor", self)

    def submit(self, function: Callable[..., object], *arguments: Any) -> Call:  # noqa: ANN401 (any function's)
        """Run a function in a thread. For one thread's use only, which is gRPC's polling one.

        Args:
            function: What to run; it raises nothing.
            *arguments: What it is given.
        """
        call = Call(function, arguments)
        try:
            worker = self._idle.pop()
        except IndexError:
            self._made += 1
            worker = _Worker(self._rest, f"mesh-{self._made}")
        worker.serve(call)
        return call

    def close(self) -> None:
        """End the threads, those that still serve a call after it."""
        self._is_closed = True
        self._send_home()

    def _rest(self, worker: _Worker) -> None:
        self._idle.append(worker)
        # After it was added: whoever closes meanwhile either finds it there or is seen here.
        if self._is_closed:
            self._send_home()

    def _send_home(self) -> None:
        while self._idle:
            try:
                self._idle.pop().serve(None)
            except IndexError:
                return


class Call:
    """A call that is being served, and the future of it that gRPC asks for.

    Args:
        function: Serves it.
        arguments: What the function is given.
    """

    __slots__ = ("_arguments", "_callbacks", "_function", "_is_served")

    def __init__(self, function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments
        self._callbacks: list[Callable[[Call], object]] = []
        self._is_served = False

    def add_done_callback(self, callback: Callable[[Call], object]) -> None:
        """Say once to `callback` that the call was served, now if it was already."""
        self._callbacks.append(callback)
        if self._is_served:
            self._tell()

    def serve(self) -> None:
        """Run the function."""
        try:
            self._function(*self._arguments)
        finally:
            self._is_served = True
            self._tell()

    def _tell(self) -> None:
        # Both threads may come here at once; a list gives each of its items to one of them.
        while self._callbacks:
            try:
                callback = self._callbacks.pop()
            except IndexError:
                return
            callback(self)


class _Worker:
    """A thread that serves one call after another."""

    def __init__(self, rest: Callable[[_Worker], None], name: str) -> None:
        self._rest = rest
        self._call: Call | None = None
        self._wanted = threading.Lock()
        self._wanted.acquire()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def serve(self, call: Call | None) -> None:
        """Serve a call; None ends the thread."""
        self._call = call
        self._wanted.release()

    def _run(self) -> None:
        while True:
            self._wanted.acquire()
            if self._call is None:
                return
            self._call.serve()
            # gRPC's objects for a call are not kept while the thread waits for the next.
            self._call = None
            self._rest(self)
