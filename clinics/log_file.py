"""The log of a clinic, bounded in size and rate: it lies on the disk of db.json, and a full disk stops bookings."""

import logging
import os
import time
from collections import Counter
from collections.abc import Callable
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from clinics.startup import StartupError
from mesh.limits import TokenBucket
from mesh.private_file import open_private

LARGEST = 1024 * 1024  # bytes after which a new file is begun; the one before is kept beside it as FILE.1
_BURST, _PER_S = 20, 0.2  # lines that one place in the code may write at once, and in a second


def start_logging(file: Path | None) -> None:
    """Write the program's log to `file`, or to stderr; raise StartupError if it cannot be written."""
    try:
        handler = logging.StreamHandler() if file is None else BoundedFile(file, maxBytes=LARGEST, backupCount=1)
    except OSError as error:
        raise StartupError(f"{file}: cannot be written ({error.strerror})") from error
    handler.addFilter(RateFilter())
    logging.basicConfig(handlers=[handler], format="%(asctime)s %(levelname)s %(name)s: %(message)s")


class RateFilter(logging.Filter):
    """Leaves out the lines of one place in the code that come too often, and says how many these were."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._lines = TokenBucket(_BURST, _PER_S, clock)
        self._left_out: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        place = record.pathname, record.lineno
        if self._lines.take(place) is not None:
            self._left_out[place] += 1
            return False
        if left_out := self._left_out.pop(place, 0):
            record.msg, record.args = f"{record.getMessage()} ({left_out} lines like this were left out before it)", ()
        return True


class BoundedFile(RotatingFileHandler):
    """A log file that only its owner reads, and that begins anew when it is large."""

    def _open(self) -> TextIOWrapper:
        return os.fdopen(open_private(Path(self.baseFilename), os.O_WRONLY | os.O_APPEND), "a", encoding="utf-8")
