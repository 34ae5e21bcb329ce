"""Consecutive free ports, for programs that are told one and take those that follow."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import socket

_FIRST, _LAST = 20000, 32000
"""Below the range from which Linux takes the ports of outgoing connections, so that none of those gets in between."""

_SHARES = 8
_SHARE = (_LAST - _FIRST) // _SHARES
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
"""Each worker of a run has ports of its own: nobody else takes them before the test that was given them."""

_taken = itertools.count(random.randrange(_SHARE))


def free_base_port(count: int = 7) -> int:
    """Return the first of `count` consecutive ports of the loopback on which nobody listens."""
    while True:
        base = _FIRST + _WORKER % _SHARES * _SHARE + next(_taken) * count % (_SHARE - count)
        with contextlib.ExitStack() as held:
            try:
                for port in range(base, base + count):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return base
