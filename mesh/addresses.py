"""Which addresses stay on this machine: only there may a node speak without TLS."""

from __future__ import annotations

import ipaddress


def is_loopback(address: str) -> bool:
    """Return whether "host:port" is this machine's own loopback; a name other than localhost is not taken for it."""
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
