"""How often one caller may call an agent's tools: the one limit that both doors pass.

A caller is whom the token speaks for, or the machine that calls where no token is asked for. Whoever signs tokens
chooses their subjects: the limit keeps a loop or a leaked token in check, not whoever holds a signing key. Waiting is
the caller's business; nothing is queued here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mesh.errors import DomainError
from mesh.rate import TokenBucket

if TYPE_CHECKING:
    # Settings name limits too, and need neither gRPC nor protobuf for it.
    from google.protobuf.message import Message

    from mesh.caller import Caller
    from mesh.catalogue import Tool

OFF = "off"

_SLOWEST_PER_S, _FASTEST_PER_S = 0.001, 1_000_000
_READ_BURST_S = 3
_WRITE_BURST_S = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What one caller may do in a second, reads and writes counted apart.

    Three seconds' worth of reads and four of writes may come at once.

    Attributes:
        reads_per_s: Calls of tools that read.
        writes_per_s: Calls of tools that write.
    """

    reads_per_s: float = 20.0
    writes_per_s: float = 5.0

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
    """Return the limits that "READ_PER_S,WRITE_PER_S" says; None for "off".

    Raises:
        ValueError: It is neither, or a rate is none that can be counted: less than one call in 1,000 s, or more than a
            million a second.
    """
    if text == OFF:
        return None
    reads, writes = (float(part) for part in text.split(","))
    if not all(_SLOWEST_PER_S <= rate <= _FASTEST_PER_S for rate in (reads, writes)):
        raise ValueError("a rate is a positive number")
    return Limits(reads, writes)


class RateLimit:
    """A policy that refuses callers who ask too often.

    Args:
        limits: How often is too often.
        clock: Returns seconds that only grow.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._reads = TokenBucket(limits.read_burst, limits.reads_per_s, clock)
        self._writes = TokenBucket(limits.write_burst, limits.writes_per_s, clock)

    def __call__(self, tool: Tool, _request: Message, caller: Caller) -> None:
        """Count a call.

        Raises:
            DomainError: RATE_LIMITED, with google.rpc.RetryInfo.
        """
        bucket = self._reads if tool.read_only else self._writes
        delay_s = bucket.take(caller.peer if caller.claims is None else caller.claims.subject)
        if delay_s is not None:
            raise _too_often(tool, delay_s)


def retry_after_s(error: DomainError) -> float | None:
    """Return the seconds after which a refused caller may ask again; None where the refusal does not say."""
    from google.rpc.error_details_pb2 import RetryInfo  # noqa: PLC0415 - the imports above say why

    delays = (detail.retry_delay for detail in error.details if isinstance(detail, RetryInfo))
    return next((delay.ToTimedelta().total_seconds() for delay in delays), None)


def _too_often(tool: Tool, delay_s: float) -> DomainError:
    from google.protobuf.duration_pb2 import Duration  # noqa: PLC0415 - the imports above say why
    from google.rpc.error_details_pb2 import RetryInfo  # noqa: PLC0415 - as above

    # Rounded up, so that whoever waits as told is served.
    delay = Duration(nanos=0)
    delay.FromMilliseconds(math.ceil(delay_s * 1000))
    return DomainError(
        "RATE_LIMITED",
        f"{tool.name} is called too often by one caller; ask again in {delay.ToMilliseconds() / 1000:g} s",
        metadata={"tool": tool.name},
        details=(RetryInfo(retry_delay=delay),),
    )
