"""How often somebody may do something: a token bucket for each of many callers.

It counts; what is counted, who a caller is and what is said to one who must wait are the business of who holds it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

MOST_KEYS = 10_000
"""Callers remembered at once by default; the one heard of least recently is forgotten first."""


@dataclass(slots=True)
class _Level:
    """How full a caller's bucket was, and when."""

    tokens: float
    at: float


class TokenBucket:
    """A bucket of tokens for each key, full at first, refilled steadily. Safe for use by several threads.

    Args:
        burst: How many tokens a bucket holds; so much may be done at once.
        per_s: Tokens that flow back in a second.
        clock: Returns seconds that only grow.
        most_keys: How many keys are remembered. A forgotten one begins with a full bucket, so that the bound costs
            memory nothing and at worst grants a burst too many.

    Raises:
        ValueError: A number is not positive.
    """

    def __init__(
        self,
        burst: int,
        per_s: float,
        clock: Callable[[], float] = time.monotonic,
        *,
        most_keys: int = MOST_KEYS,
    ) -> None:
        if burst < 1 or not per_s > 0 or most_keys < 1:
            raise ValueError("a bucket holds at least one token, is refilled, and remembers at least one key")
        self._burst = float(burst)
        self._per_s = per_s
        self._clock = clock
        self._most_keys = most_keys
        self._lock = threading.Lock()
        self._levels: OrderedDict[Hashable, _Level] = OrderedDict()

    def take(self, key: Hashable) -> float | None:
        """Take a token out of a key's bucket.

        Args:
            key: Whose bucket. It is kept in memory: use nothing that must not be.

        Returns:
            None when there was one; else the seconds until there is, and nothing was taken.
        """
        with self._lock:
            now = self._clock()
            level = self._levels.get(key)
            if level is None:
                level = self._levels[key] = _Level(self._burst, now)
                if len(self._levels) > self._most_keys:
                    self._levels.popitem(last=False)
            else:
                self._levels.move_to_end(key)
            level.tokens = min(self._burst, level.tokens + max(0.0, now - level.at) * self._per_s)
            level.at = now
            if level.tokens < 1.0:
                return (1.0 - level.tokens) / self._per_s
            level.tokens -= 1.0
            return None
