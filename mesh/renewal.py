"""Keys and certificates that are renewed while a node runs, in the files that they were read from."""

import logging
import time
from collections.abc import Callable
from typing import Generic, TypeVar

_LOOK_S = 1.0  # between two looks at the files

_Value = TypeVar("_Value")
_log = logging.getLogger(__name__)


class Renewed(Generic[_Value]):
    """What `read` returns, read again once a second while anybody asks for it. Safe for threads.

    The object stays the same until what it holds has changed. A `read` that fails later with ValueError is logged, and
    changes nothing: files may be replaced one after another.
    """

    def __init__(self, read: Callable[[], _Value]) -> None:
        self._read = read
        self._value = read()
        self._due = time.monotonic() + _LOOK_S

    def __call__(self) -> _Value:
        """Return what the files hold, or held a second ago."""
        if (now := time.monotonic()) >= self._due:
            self._due = now + _LOOK_S
            try:
                if (value := self._read()) != self._value:
                    self._value = value
            except ValueError as error:
                _log.error("%s; what was read before still holds", error)
        return self._value
