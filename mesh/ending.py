"""How a node is asked to end: SIGTERM or SIGINT.

The signals are held back rather than handled, so that one that comes early, even while the node still starts, waits
until it can be obeyed in order.
"""

from __future__ import annotations

import signal

_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT})


def hold_end_signals() -> None:
    """Keep the signals waiting. Main thread, before any other thread is made: threads inherit it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)


def wait_for_end_signal() -> None:
    """Return when the process has been asked to end, which may have been long ago."""
    signal.sigwait(_SIGNALS)
