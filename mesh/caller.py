"""What a handler knows of the call it serves: an id to log, how long the caller waits, and for whom it is."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

import grpc

from mesh.tokens import Claims

TRACE_KEY = "x-request-id"
"""The metadata key of the trace id, in both directions."""

TOKEN_KEY = "authorization"  # noqa: S105 - a name
"""The metadata key of the token, as "Bearer TOKEN"."""

_TRACE_ID_LIMIT = 128


@dataclass(frozen=True, slots=True)
class Caller:
    """One call, without its transport."""

    trace_id: str  # the same in the logs of all nodes
    deadline: float  # in seconds of `time.monotonic`
    token: str | None = field(default=None, repr=False)  # unchecked; empty if malformed, None if not sent
    claims: Claims | None = None  # of the checked token; None where no token is asked for
    peer: str = field(default="", repr=False)  # the calling address without a port; empty if unknown

    def admitted(self, claims: Claims) -> Caller:
        """Return the caller with the claims of their checked token."""
        return replace(self, claims=claims)

    @property
    def remaining_s(self) -> float:
        """Seconds until the caller stops waiting; never negative."""
        return max(0.0, self.deadline - time.monotonic())

    def may_act_for(self, cpf: str) -> bool:
        """Return whether the caller may see and change this person's data; anybody may where no token is asked for."""
        return self.claims is None or self.claims.covers(cpf)


def caller_of(context: grpc.ServicerContext, longest_s: float) -> Caller:
    """Return the caller; `longest_s` is the deadline of a call that brings none or a later one."""
    # Without a deadline gRPC says that centuries remain.
    deadline = time.monotonic() + min(context.time_remaining(), longest_s)
    trace_id = token = None
    for key, value in context.invocation_metadata():
        if key == TRACE_KEY:
            trace_id = trace_id or _loggable(value)
        elif key == TOKEN_KEY:
            # Two tokens are none: which of them another reader would take is not known.
            token = _token_in(value) if token is None else ""
    return Caller(trace_id or str(uuid.uuid4()), deadline, token, peer=machine_of(context.peer()))


def machine_of(peer: str) -> str:
    """Return gRPC's name of a peer, such as "ipv4:10.0.0.7:51234", without the port: each connection has another."""
    name = unquote(peer)
    return name.rpartition(":")[0] if name.startswith(("ipv4:", "ipv6:")) else name


def _token_in(value: str | bytes) -> str:
    scheme, token = str(value[:7]), str(value[7:])
    return token.strip() if scheme.lower() == "bearer " else ""


def _loggable(value: str | bytes) -> str | None:
    if isinstance(value, str) and 0 < len(value) <= _TRACE_ID_LIMIT and value.isprintable():
        return value
    return None
