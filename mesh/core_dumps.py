"""No core dump of a process that holds names and CPFs: neither a file nor what a crash handler would keep."""

import ctypes
import resource
import sys
from contextlib import suppress

_PR_SET_DUMPABLE = 4  # prctl(2)


def forbid_core_dumps() -> None:
    """Switch core dumps off, for child processes too, and on Linux the reading of this one's memory by its user."""
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        # A handler that the kernel pipes a dump to does not ask for the limit.
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
