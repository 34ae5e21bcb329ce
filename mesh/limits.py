"""How often one caller may call a node's tools, and the token bucket that counts it; free of gRPC and protobuf."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

OFF = "off"

_SLOWEST_PER_S, _FASTEST_PER_S = 0.001, 1_000_000
_READ_BURST_S = 3
_WRITE_BURST_S = 4
MOST_KEYS = 10_000  # callers remembered at once; the one heard of least recently is forgotten first


@dataclass(frozen=True, slots=True)
class Limits:
    """Calls that one caller may make in a second; three seconds' reads and four seconds' writes may come at once."""

    reads_per_s: float = 20.0
    writes_per_s: float = 5.0
    at_once: int = 16  # calls of one caller that are served at the same time

    @property
    def read_burst(self) -> int:
        """Reads that may come at once."""
        return math.ceil(self.reads_per_s * _READ_BURST_S)

    @property
    def write_burst(self) -> int:
        """Writes that may come at once."""
        return math.ceil(self.writes_per_s * _WRITE_BURST_S)


DEFAULT = Limits()


def read_limits(text: str) -> Limits | None:
    """Return the limits of "READ_PER_S,WRITE_PER_S", each from 0.001 to a million; None for "off"; else ValueError."""
    if text == OFF:
        return None
    reads, writes = (float(part) for part in text.split(","))
    if not all(_SLOWEST_PER_S <= rate <= _FASTEST_PER_S for rate in (reads, writes)):
        raise ValueError("a rate is a positive number")
    return Limits(reads, writes)


class TokenBucket:
    """A bucket of tokens for each key, full at first and refilled steadily; safe for threads."""

    def __init__(self, burst: int, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        if burst < 1 or not per_s > 0:
            raise ValueError("a bucket holds at least one token, and is refilled")
        self._burst = float(burst)
        self._per_s = per_s
        self._clock = clock
        self._lock = threading.Lock()
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # tokens, and when there were so many

    def take(self, key: Hashable) -> float | None:
        """Take a token, or return the seconds until there is one. The key is kept in memory: use no secret."""
        with self._lock:
            now = self._clock()
            tokens, at = self._levels.pop(key, (self._burst, now))
            tokens = min(self._burst, tokens + max(0.0, now - at) * self._per_s)
            self._levels[key] = (tokens - 1.0 if tokens >= 1.0 else tokens), now
            if len(self._levels) > MOST_KEYS:
                self._levels.popitem(last=False)
            return None if tokens >= 1.0 else (1.0 - tokens) / self._per_s

    def put_back(self, key: Hashable) -> None:
        """Give a token back that was taken and not used."""
        with self._lock:
            if key in self._levels:
                tokens, at = self._levels[key]
                self._levels[key] = min(self._burst, tokens + 1.0), at
