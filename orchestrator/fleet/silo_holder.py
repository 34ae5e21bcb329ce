"""Find the process that holds a silo, from its lock file, and end it.

The lock is the kernel's (flock) and ends with its process, so a held lock proves that the holder is alive.
"""

import contextlib
import fcntl
import json
import os
import signal
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

LOCK_FILE = "clinic.lock"
_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a silo."""

    lock: Path
    pid: int
    address: str  # where it listens, as host:port; empty while it starts
    agenda: str  # "rolling" or "blueprint"
    clinic: str
    since: datetime  # when it began to listen, or to start if it does not listen yet; UTC


def find_holder(silo: Path) -> Holder | None:
    """Return the holder of a silo; None if there is none, or its lock file cannot be read yet."""
    lock = silo / LOCK_FILE
    if not is_held(lock):
        return None
    try:
        facts = json.loads(lock.read_bytes())
        # A clinic writes the file when it takes the silo and when it starts to listen, never after.
        since = datetime.fromtimestamp(lock.stat().st_mtime, UTC)
        return Holder(lock, int(facts["pid"]), str(facts["address"]), str(facts["agenda"]), str(facts["clinic"]), since)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_holders(data_dir: Path) -> list[Holder]:
    """Return the holders of all silos under a data folder (`<agenda>/<clinic>`)."""
    silos = sorted(lock.parent for lock in data_dir.glob(f"*/*/{LOCK_FILE}"))
    return [holder for silo in silos if (holder := find_holder(silo)) is not None]


def is_held(lock: Path) -> bool:
    """Return whether a process holds a lock file."""
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def end(holder: Holder, timeout_s: float = 10.0) -> bool:
    """Ask a holder to end, kill it after `timeout_s` seconds, and return whether its lock is free."""
    for request, patience_s in ((signal.SIGTERM, timeout_s), (signal.SIGKILL, 2.0)):
        with contextlib.suppress(ProcessLookupError):
            try:
                os.kill(holder.pid, request)
            except PermissionError:
                return False  # who may not be signalled is left alone
        if _released(holder.lock, patience_s):
            return True
    return False


def _released(lock: Path, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while is_held(lock):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True
