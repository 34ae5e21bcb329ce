"""What holds for every call of a tool, through either door: functions of (tool, request, caller) that may raise."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import RetryInfo

from mesh.caller import Caller
from mesh.catalogue import Tool
from mesh.errors import DomainError, Violation
from mesh.formats import faults_of
from mesh.limits import Limits, TokenBucket

Handler = Callable[[Any, Caller], Message]
"""Answer a typed request; the request's type differs from tool to tool, hence Any."""

Policy = Callable[[Tool, Message, Caller], None]
"""Refuse a call by raising DomainError."""

Admission = Callable[[Tool, Message, Caller], Caller]
"""Refuse a call by raising DomainError, or return the caller as policies and handler are to know them."""


def guard(tool: Tool, handler: Handler, policies: Sequence[Policy], admission: Admission | None = None) -> Handler:
    """Return `handler` behind the format check, `admission`, and `policies`, in this order."""
    checks = tuple(policies)

    def guarded(request: Message, caller: Caller) -> Message:
        well_formed(tool, request, caller)
        if admission is not None:
            caller = admission(tool, request, caller)
        for check in checks:
            check(tool, request, caller)
        return handler(request, caller)

    return guarded


def well_formed(tool: Tool, request: Message, caller: Caller) -> None:  # noqa: ARG001 (a policy's signature)
    """Raise INVALID_ARGUMENTS, which names every field that is empty but required or lacks its format."""
    faults = faults_of(tool.arguments, request)
    if faults:
        raise invalid_arguments(tool, faults)


def invalid_arguments(tool: Tool, faults: Sequence[Violation]) -> DomainError:
    """Return the refusal that names each fault of a call of `tool`."""
    said = "; ".join(f"{fault.field}: {fault.description}" for fault in faults)
    return DomainError(
        "INVALID_ARGUMENTS",
        f"{tool.name} was called with wrong arguments: {said}",
        metadata={"tool": tool.name},
        violations=tuple(faults),
    )


class RateLimit:
    """A policy that refuses callers who ask too often.

    A caller is the subject of the token, or the machine where no token is asked for. The signer chooses the subject:
    this stops a loop or a leaked token, not the holder of a signing key.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._reads = TokenBucket(limits.read_burst, limits.reads_per_s, clock)
        self._writes = TokenBucket(limits.write_burst, limits.writes_per_s, clock)

    def __call__(self, tool: Tool, _request: Message, caller: Caller) -> None:
        """Count a call; raise RATE_LIMITED with google.rpc.RetryInfo."""
        bucket = self._reads if tool.read_only else self._writes
        delay_s = bucket.take(caller.peer if caller.claims is None else caller.claims.subject)
        if delay_s is not None:
            raise _too_often(tool, delay_s)


def _too_often(tool: Tool, delay_s: float) -> DomainError:
    # Rounded up, so that a caller who waits that long is served.
    delay = Duration(nanos=0)
    delay.FromMilliseconds(math.ceil(delay_s * 1000))
    return DomainError(
        "RATE_LIMITED",
        f"{tool.name} is called too often by one caller; ask again in {delay.ToMilliseconds() / 1000:g} s",
        metadata={"tool": tool.name},
        details=(RetryInfo(retry_delay=delay),),
    )
