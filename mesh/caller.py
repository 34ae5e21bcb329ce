"""What a handler may know of the call it serves: an id to log, how long the answer is waited for, and for whom it is.

The token is read here and checked elsewhere, in `mesh.authorisation`.
"""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, field
from urllib.parse import unquote

import grpc

from mesh.tokens import Claims

TRACE_KEY = "x-request-id"
"""The metadata key of the trace id, in both directions."""

TOKEN_KEY = "authorization"  # noqa: S105 - a name
"""The metadata key of the token, as "Bearer TOKEN"."""

_TRACE_ID_LIMIT = 128


@dataclass(slots=True)
class Caller:
    """One call, without its transport. Nobody changes one; it is not frozen because each call makes two.

    Attributes:
        trace_id: Correlates log lines of all nodes that a turn touches.
        deadline: When the caller stops waiting, in seconds of `time.monotonic`.
        token: The token as it was sent, unchecked; empty for what is none, None where nothing was sent.
        claims: What the token says, once it is checked; None where the node asks for no token.
        peer: The machine that calls, as an address without a port; empty where gRPC does not say, or nobody asks.
    """

    trace_id: str
    deadline: float
    token: str | None = field(default=None, repr=False)
    claims: Claims | None = None
    peer: str = field(default="", repr=False)

    def admitted(self, claims: Claims) -> Caller:
        """Return the caller with what their token says, once it is checked."""
        return Caller(self.trace_id, self.deadline, self.token, claims, self.peer)

    @property
    def remaining_s(self) -> float:
        """Seconds until the caller stops waiting; never negative."""
        return max(0.0, self.deadline - time.monotonic())

    def may_act_for(self, cpf: str) -> bool:
        """Return whether the caller may see and change what is this person's; anybody may where no token is asked."""
        return self.claims is None or self.claims.covers(cpf)


def caller_of(context: grpc.ServicerContext, longest_s: float, *, with_peer: bool = True) -> Caller:
    """Return who calls.

    Args:
        context: The call.
        longest_s: Seconds that an answer may take at most; the deadline of a call that brings none.
        with_peer: Whether to ask gRPC which machine calls; that is a third of what this costs.
    """
    # Without a deadline gRPC says that centuries remain.
    deadline = time.monotonic() + min(context.time_remaining(), longest_s)
    trace_id = token = None
    for key, value in context.invocation_metadata():
        if key == TRACE_KEY:
            trace_id = trace_id or _loggable(value)
        elif key == TOKEN_KEY:
            # Two tokens are none: which of them another reader would take is not known.
            token = _token_in(value) if token is None else ""
    peer = machine_of(context.peer()) if with_peer else ""
    return Caller(trace_id or str(uuid.uuid4()), deadline, token, peer=peer)


def machine_of(peer: str) -> str:
    """Return gRPC's name of a peer, such as "ipv4:10.0.0.7:51234", without the port: each connection has another."""
    name = unquote(peer)
    return name.rpartition(":")[0] if name.startswith(("ipv4:", "ipv6:")) else name


def _token_in(value: str | bytes) -> str:
    scheme, token = str(value[:7]), str(value[7:])
    return token.strip() if scheme.lower() == "bearer " else ""


def _loggable(value: str | bytes) -> str | None:
    """Return a caller's trace id; None for one that is not put into a log."""
    if isinstance(value, str) and 0 < len(value) <= _TRACE_ID_LIMIT and value.isprintable():
        return value
    return None
