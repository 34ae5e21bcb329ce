"""Consecutive free ports, for programs that are told one and take those that follow."""

from __future__ import annotations

import contextlib
import random
import socket

_FIRST, _LAST = 20000, 32000
"""Below the range from which Linux takes the ports of outgoing connections, so that none of those gets in between."""


def free_base_port(count: int = 6) -> int:
    """Return the first of `count` consecutive ports of the loopback on which nobody listens."""
    while True:
        base = random.randrange(_FIRST, _LAST)
        with contextlib.ExitStack() as held:
            try:
                for port in range(base, base + count):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return base
