"""Loads something in the background once the first prompt is on the screen.

A person takes a second to type; what that second is used for need not delay the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

_T = TypeVar("_T")


@contextmanager
def preload(make: Callable[[], _T]) -> Iterator[Callable[[], Future[_T]]]:
    """Yield what begins to make a value in a thread, at its first call, and returns its future; wait for it at the end.

    It is called in one thread at a time.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="preload") as worker:
        yield cache(lambda: worker.submit(make))
