"""What a handler knows of the call it serves: an id to log, how long the caller waits, and for whom it is."""

import re
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

import grpc

from mesh.errors import DomainError
from mesh.tokens import Claims

Metadata = Iterable[tuple[str, str | bytes]]

TRACE_KEY = "x-request-id"  # the metadata key of the trace id, in both directions
TOKEN_KEY = "authorization"  # noqa: S105 - the metadata key of the token, as "Bearer TOKEN"
CONFIRMED_BY_KEY = "x-confirmed-by"  # of the program in which a person confirmed the call, such as an MCP host
_LONGEST_HOST = 60  # characters of its name

# A UUID, with hyphens or without: in a freer form, a caller's own data, such as a CPF, would reach logs and spans.
_is_trace_id = re.compile(r"[0-9A-Fa-f]{8}(-?)(?:[0-9A-Fa-f]{4}\1){3}[0-9A-Fa-f]{12}").fullmatch

_LOOPBACK = ("ipv4:127.", "ipv6:[::1]")


@dataclass(frozen=True, slots=True)
class Caller:
    """One call, without its transport."""

    trace_id: str  # the same in the logs of all nodes
    deadline: float  # in seconds of `time.monotonic`
    token: str | None = field(default=None, repr=False)  # unchecked; empty if malformed, None if not sent
    claims: Claims | None = None  # of the checked token; None where no token is asked for
    # Of the token, where it was checked and does not hold.
    refusal: DomainError | None = field(default=None, repr=False)
    # gRPC's name of the peer, such as "ipv4:10.0.0.7:51234"; empty if unknown, or if the claims say who calls.
    connection: str = field(default="", repr=False)
    confirmed_by: str | None = None  # the program in which a person confirmed the call, by its own word

    @property
    def machine(self) -> str:
        """The calling address without the port, of which each connection has another; empty if unknown."""
        name = unquote(self.connection)
        return name.rpartition(":")[0] if name.startswith(("ipv4:", "ipv6:")) else name

    @property
    def origin(self) -> str:
        """The calling machine; on this machine, where all have one address, the connection."""
        machine = self.machine
        return self.connection if machine.startswith(_LOOPBACK) else machine

    @property
    def remaining_s(self) -> float:
        """Seconds until the caller stops waiting; never negative."""
        return max(0.0, self.deadline - time.monotonic())

    def may_act_for(self, cpf: str) -> bool:
        """Return whether the caller may see and change this person's data; anybody may where no token is asked for."""
        return self.claims is None or self.claims.covers(cpf)


class Headers(NamedTuple):
    """What a node reads of a call's metadata."""

    trace_id: str  # that the call brings, or a new one if it brings none or what is no UUID
    token: str | None  # unchecked; empty if it is malformed, None if there is none
    confirmed_by: str | None = None  # printable and short; None if there is none, or what is neither


def headers_of(metadata: Metadata) -> Headers:
    """Read a call's metadata."""
    trace_id = token = confirmed_by = None
    for key, value in metadata:
        if key == TRACE_KEY:
            trace_id = trace_id or (value if isinstance(value, str) and _is_trace_id(value) else None)
        elif key == TOKEN_KEY:
            # Two tokens are none: which of them another reader would take is not known.
            scheme, given = str(value[:7]), str(value[7:])
            token = given.strip() if token is None and scheme.lower() == "bearer " else ""
        elif key == CONFIRMED_BY_KEY and isinstance(value, str) and value.isprintable() and len(value) <= _LONGEST_HOST:
            confirmed_by = value.strip() or None
    return Headers(trace_id or str(uuid.uuid4()), token, confirmed_by)


def caller_of(context: grpc.ServicerContext, headers: Headers, longest_s: float, claims: Claims | None) -> Caller:
    """Return the caller; `longest_s` is the deadline of a call that brings none or a later one."""
    # Without a deadline gRPC says that centuries remain.
    deadline = time.monotonic() + min(context.time_remaining(), longest_s)
    token, connection = (headers.token, context.peer()) if claims is None else (None, "")
    return Caller(headers.trace_id, deadline, token, claims, None, connection, headers.confirmed_by)
