"""Follow a log file from its end, also when it is moved away or truncated."""

import os
from collections import deque
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import BinaryIO


class LogTail(AbstractContextManager["LogTail"]):
    """A log file, read from its end; a context manager that closes it. The file need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._begun = b""

    def last(self, count: int) -> list[str]:
        """Return the last `count` lines of the file; raise `OSError` if it exists and cannot be read."""
        self._open()
        return [] if self._file is None else [_text(line) for line in deque(self._file, maxlen=count)]

    def more(self) -> list[str]:
        """Return the complete lines written since the last call of either method; raise `OSError` as `last`."""
        lines = self._read_on()
        if self._is_another():
            self._open()  # what was written before the file was moved away has been read by now
            lines += self._read_on()
        return [_text(line) for line in lines]

    def _read_on(self) -> list[bytes]:
        if self._file is None:
            return []
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            self._file.seek(0)
            self._begun = b""
        *lines, self._begun = (self._begun + self._file.read()).split(b"\n")
        return lines

    def _is_another(self) -> bool:
        # The path now leads to another file than the open one.
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return self._file is None or not os.path.samestat(there, os.fstat(self._file.fileno()))

    def _open(self) -> None:
        self._close()
        with suppress(FileNotFoundError):
            self._file = self._path.open("rb")

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file, self._begun = None, b""

    def __exit__(self, *_: object) -> None:
        self._close()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")
