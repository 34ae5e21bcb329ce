"""A clinic's folder: private to its owner, held by one process at a time, with a key of its own."""

from __future__ import annotations

import fcntl
import os
import secrets
from pathlib import Path
from typing import Self

import orjson

from clinics.disk import Disk, replace_file, sync_folder
from clinics.startup import StartupError
from mesh import private_file

DATABASE = "db.json"
LOCK = "clinic.lock"
KEY = "digest.key"
_KEY_BYTES = 32


class Silo:
    """A folder locked for the life of the process, and made if it is not there; StartupError if it cannot be.

    The lock is the kernel's (flock) and ends with the process; the lock file stays and names the last holder.
    """

    def __init__(self, folder: Path, clinic_id: str, agenda: str) -> None:
        self.folder = folder.absolute()
        self._clinic_id = clinic_id
        self._agenda = agenda
        try:
            private_file.make_folder(self.folder)
            self.folder.chmod(private_file.FOLDER_MODE)
            self._lock = private_file.open_private(self.folder / LOCK, os.O_RDWR)
        except OSError as error:
            raise StartupError(
                f"{self.folder}: the silo cannot be used ({error.strerror}). Check the path and its permissions."
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(self._lock)
            os.close(self._lock)
            raise StartupError(
                f"{self.folder}: another process holds this silo{holder}. Use that one, stop it, or give --silo."
            ) from None
        self.announce("")

    @property
    def database(self) -> Path:
        """The path of db.json."""
        return self.folder / DATABASE

    def announce(self, address: str) -> None:
        """Write into the lock file who holds it, and where the clinic listens (empty while it does not yet)."""
        facts = {"pid": os.getpid(), "address": address, "agenda": self._agenda, "clinic": self._clinic_id}
        content = orjson.dumps(facts)
        try:
            # One write, padded where shorter than what it replaces, so that no reader meets half of it.
            os.pwrite(self._lock, content.ljust(os.fstat(self._lock).st_size), 0)
        except OSError as error:
            raise StartupError(
                f"{self.folder / LOCK}: cannot be written ({error.strerror}). Make room or check permissions."
            ) from error

    def key(self, disk: Disk) -> bytes:
        """Return the silo's key for digests; the first start makes it."""
        path = self.folder / KEY
        try:
            if not path.exists():
                replace_file(disk, path, f"{secrets.token_hex(_KEY_BYTES)}\n".encode())
                sync_folder(disk, self.folder)
            key = bytes.fromhex(path.read_text("ascii"))
        except OSError as error:
            raise StartupError(
                f"{path}: cannot be read or written ({error.strerror}). Make room or check permissions."
            ) from error
        except ValueError:
            key = b""
        if len(key) != _KEY_BYTES:
            raise StartupError(
                f"{path}: this is not a key of {_KEY_BYTES} bytes in hexadecimal. Restore it, or remove it: repeats of "
                "requests made before are then refused."
            )
        return key

    def release(self) -> None:
        """Let another process hold the silo."""
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _holder(lock: int) -> str:
    try:
        facts = orjson.loads(os.pread(lock, 4096, 0))
        where = f" at {facts['address']}" if facts["address"] else ""
        return f" (process {int(facts['pid'])}{where})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""  # a holder that has not written yet, or a foreign file: the error stands without its name
