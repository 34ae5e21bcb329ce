"""Records of writes that db.json would be rewritten with each time: a file of checked lines, which only grows.

A line holds the records that were moved here at once. They are in db.json, surely, before they come here, and leave it
only after: a line that a crash cut off is left out, and nothing is lost with it. See `clinics.store` for the order.
"""

import hashlib
import logging
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path

import orjson

from clinics.database import record_of
from clinics.disk import Disk, replace_file, sync_folder
from clinics.ledger import Record, forgotten_since, instant, subject_of
from clinics.startup import StartupError
from mesh.private_file import open_private
from mesh.strict_document import Item

ARCHIVE = "requests.jsonl"
_HEAD, _MIDDLE, _END = b'{"sha256":"', b'","requests":', b"}\n"
_PAYLOAD_AT = len(_HEAD) + 64 + len(_MIDDLE)
_ADVICE = (
    "The file was left as it is: restore it, or move it away; repeats of requests that it holds then count as new."
)

_log = logging.getLogger(__name__)


class DamagedArchiveError(OSError):
    """The file does not hold what was written to it."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Where a line is, and when the newest of its records was made."""

    start: int
    length: int
    newest: str


class RequestArchive:
    """The records of requests.jsonl, oldest first; for the store's writer only.

    Only the keys are in memory. The records of a line are forgotten when the newest of them is a day old. The file is
    written anew without them at a start, and when they are more than half of it.
    """

    def __init__(self, path: Path, disk: Disk, now: datetime) -> None:
        self.path = path
        self._disk = disk
        self._descriptor: int | None = None  # opened at the first use
        self._is_named = path.exists()  # whether the file's name is on the medium, as far as this process changed it
        self._end = 0
        self._lines: dict[str, _Line] = {}  # by key, oldest first
        self._subjects: Counter[str] = Counter()
        for line, keys in _read(path, instant(now)):
            self._add(line, keys)
        self._forget(now)
        self._shorten(1)

    def __len__(self) -> int:
        return len(self._lines)

    def count(self, subject: str) -> int:
        """Return how many records a patient has here."""
        return self._subjects[subject]

    def oldest_of(self, subject: str | None = None) -> str | None:
        """Return when the records that are forgotten first were made, of one patient or of all."""
        if subject is not None and not self._subjects[subject]:
            return None
        of_subject = (line for key, line in self._lines.items() if subject in {None, subject_of(key)})
        return next((line.newest for line in of_subject), None)

    def find(self, key: str) -> Record | None:
        """Return the record of a key; raise OSError if the file cannot be read, or does not hold it any more."""
        line = self._lines.get(key)
        if line is None:
            return None
        payload = _payload(os.pread(self._opened(), line.length, line.start))
        record = None if payload is None else orjson.loads(payload).get(key)
        if record is None:
            raise DamagedArchiveError(f"{self.path} was changed by another hand")
        return record_of(Item(record))

    def forget(self, now: datetime) -> None:
        """Leave out the lines that are too old."""
        self._forget(now)
        self._shorten(self._end // 2 + 1)

    def append(self, records: Mapping[str, Record]) -> None:
        """Add records that db.json surely holds, or raise OSError, after which they are not here.

        They are on the medium when this returns.
        """
        if not records:
            return
        descriptor = self._own()
        payload = orjson.dumps(records)
        data = b"".join((_HEAD, hashlib.sha256(payload).hexdigest().encode(), _MIDDLE, payload, _END))
        os.ftruncate(descriptor, self._end)  # what a failed attempt, or a crash, left behind
        self._disk.write(descriptor, data)
        self._disk.sync(descriptor)
        if not self._is_named:
            sync_folder(self._disk, self.path.parent)
            self._is_named = True
        newest = max(record.at for record in records.values())
        self._add(_Line(self._end, len(data), newest), records)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _forget(self, now: datetime) -> None:
        oldest = forgotten_since(now)
        # Oldest first, so the first that may stay ends it.
        self._drop(list(takewhile(lambda key: self._lines[key].newest <= oldest, self._lines)))

    def _drop(self, keys: Iterable[str]) -> None:
        for key in keys:
            del self._lines[key]
            subject = subject_of(key)
            self._subjects[subject] -= 1
            if not self._subjects[subject]:
                del self._subjects[subject]

    def _add(self, line: _Line, keys: Collection[str]) -> None:
        # A crash after this line, and before db.json without its records, brings them here twice.
        self._drop([key for key in keys if key in self._lines])
        self._lines |= dict.fromkeys(keys, line)
        self._subjects.update(map(subject_of, keys))
        self._end = line.start + line.length

    def _opened(self) -> int:
        if self._descriptor is None:
            self._descriptor = open_private(self.path, os.O_RDWR | os.O_APPEND)
        return self._descriptor

    def _own(self) -> int:
        """Return the descriptor; raise DamagedArchiveError if the file is another one, or shorter than it was."""
        descriptor = self._opened()
        seen, named = os.fstat(descriptor), self.path.stat()
        if (seen.st_ino, seen.st_dev) != (named.st_ino, named.st_dev) or seen.st_size < self._end:
            raise DamagedArchiveError(f"{self.path} was changed by another hand")
        return descriptor

    def _shorten(self, least: int) -> None:
        """Write the file anew without what is forgotten, if that is at least so many bytes and the disk takes it."""
        start = next((line.start for line in self._lines.values()), self._end)
        if start < least:
            return
        try:
            kept = os.pread(self._own(), self._end - start, start)
            replace_file(self._disk, self.path, kept)
        except OSError:  # nothing is lost, and the next `append` says what is wrong
            return
        self._is_named = False
        self.close()
        moved = {line: replace(line, start=line.start - start) for line in set(self._lines.values())}
        self._lines = {key: moved[line] for key, line in self._lines.items()}
        self._end = len(kept)


def _read(path: Path, now: str) -> Iterator[tuple[_Line, Collection[str]]]:
    """Yield the lines of the file and the records in each, without a last one that was cut off.

    Raise StartupError if another one is wrong.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise StartupError(f"{path}: cannot be read ({error.strerror}). Check its owner.") from error
    start = number = 0
    while start < len(content):
        end = content.find(b"\n", start) + 1 or len(content)
        payload = _payload(content[start:end])
        number += 1
        if payload is None:
            if end < len(content):
                raise StartupError(f"{path}: line {number} is damaged. {_ADVICE}")
            _log.warning("%s: line %d was cut off by a crash and is left out", path, number)
            return
        records: dict[str, dict[str, str]] = orjson.loads(payload)  # what has its checksum was written here
        # A record of the future was made by a clock that was wrong.
        newest = min(max(record["at"] for record in records.values()), now)
        yield _Line(start, end - start, newest), records
        start = end


def _payload(data: bytes) -> bytes | None:
    payload = data[_PAYLOAD_AT : -len(_END)]
    digest = hashlib.sha256(payload).hexdigest().encode()
    return payload if data == b"".join((_HEAD, digest, _MIDDLE, payload, _END)) else None
