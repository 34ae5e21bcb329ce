"""Looks who is at a clinic's address.

It only looks; what a finding means for the fleet is decided in `orchestrator.fleet.fleet`.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from orchestrator.fleet.finding import Finding, Stranger, Vacant
from orchestrator.fleet.member import Member

if TYPE_CHECKING:
    from mesh.tls import ClientTls


def probe(member: Member, tls: ClientTls | None = None, timeout_s: float = 1.0) -> Finding:
    """Return who is at a member's address.

    Args:
        member: Whose address; whoever answers need not be that member.
        tls: What the orchestrator speaks TLS with.
        timeout_s: Seconds for the connection, and again for each answer.
    """
    try:
        socket.create_connection(member.endpoint, timeout_s).close()
    except (ConnectionRefusedError, socket.gaierror):
        return Vacant()
    except OSError:
        return Stranger()
    # Where nobody listens there is nobody to ask: gRPC is not loaded before the clinics have been started.
    from orchestrator.fleet.interview import interview  # noqa: PLC0415 - the comment above

    return interview(member.address, timeout_s, tls)
