"""What a handler may know of the call it serves: an id to log and how long the answer is waited for."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass

import grpc

TRACE_KEY = "x-request-id"
"""The metadata key of the trace id, in both directions."""

_TRACE_ID_LIMIT = 128


@dataclass(frozen=True, slots=True)
class Caller:
    """One call, without its transport.

    Attributes:
        trace_id: Correlates log lines of all nodes that a turn touches.
        deadline: When the caller stops waiting, in seconds of `time.monotonic`.
    """

    trace_id: str
    deadline: float

    @property
    def remaining_s(self) -> float:
        """Seconds until the caller stops waiting; never negative."""
        return max(0.0, self.deadline - time.monotonic())


def caller_of(context: grpc.ServicerContext, longest_s: float) -> Caller:
    """Return who calls.

    Args:
        context: The call.
        longest_s: Seconds that an answer may take at most; the deadline of a call that brings none.
    """
    # Without a deadline gRPC says that centuries remain.
    remaining_s = min(context.time_remaining(), longest_s)
    return Caller(trace_id_of(context), time.monotonic() + remaining_s)


def trace_id_of(context: grpc.ServicerContext) -> str:
    """Return the caller's trace id, or a new one where there is none that can be logged."""
    for key, value in context.invocation_metadata():
        if key == TRACE_KEY and isinstance(value, str) and 0 < len(value) <= _TRACE_ID_LIMIT and value.isprintable():
            return value
    return str(uuid.uuid4())
