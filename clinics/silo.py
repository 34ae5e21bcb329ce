"""A clinic's folder: private to its owner, held by one process at a time; its key, and its db.json."""

import errno
import fcntl
import logging
import os
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from pathlib import Path

import orjson

from clinics.database import Database, load
from clinics.startup import StartupError, usable
from mesh import private_file
from mesh.private_file import Disk

DATABASE = "db.json"
LOCK = "clinic.lock"
KEY = "digest.key"
OWNER = "clinic.id"
_KEY_BYTES = 32
_ROOM = "Make room or check permissions."

_log = logging.getLogger(__name__)


class ForeignChangeError(OSError):
    """Another hand changed a file of the silo, or its folder: it is not what this or an earlier process wrote."""


class Silo(AbstractContextManager["Silo"]):
    """A folder locked for the life of the process, and made if it is not there; StartupError if it cannot be.

    The locks are the kernel's (flock) and end with the process. One is on the folder itself, which no cleaner removes;
    one is on a file, which stays and names the last holder, and which releases up to 0.1.0 look at.
    """

    def __init__(self, folder: Path, clinic_id: str, agenda: str) -> None:
        self.folder = folder.absolute()
        self.database = self.folder / DATABASE
        self._clinic_id = clinic_id
        self._agenda = agenda
        with ExitStack() as opened:
            with usable(self.folder, "the silo cannot be used", "Check the path and its permissions."):
                private_file.make_folder(self.folder)
                self.folder.chmod(private_file.FOLDER_MODE)
                self._folder_lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                opened.callback(os.close, self._folder_lock)
                self._lock = private_file.open_private(self.folder / LOCK, os.O_RDWR)
                opened.callback(os.close, self._lock)
            try:
                _lock_folder(self._folder_lock)
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StartupError(
                    f"{self.folder}: another process holds this silo{_holder(self._lock)}. Use that one, stop it, or "
                    "give --silo."
                ) from None
            self._check_owner()
            self.announce("")
            self._locks = opened.pop_all()

    def _check_owner(self) -> None:
        """Refuse another clinic's silo, and note whose this one is."""
        path = self.folder / OWNER
        try:
            owner = path.read_text("utf-8").strip() if path.exists() else _facts(self._lock).get("clinic")
        except (OSError, UnicodeDecodeError) as error:
            raise StartupError(f"{path}: cannot be read. Restore it, or remove it.") from error
        if owner is not None and owner != self._clinic_id:
            problem = f"this silo is another clinic's; {OWNER} or {LOCK} in it says whose. Give --silo."
            raise StartupError(f"{self.folder}: {problem}")
        if not path.exists():
            with suppress(OSError):  # on a full disk the lock file says it, too
                Disk().replace(path, f"{self._clinic_id}\n".encode())
                Disk().sync_folder(self.folder)

    def check(self) -> None:
        """Raise ForeignChangeError if the folder or its lock is not the one that this process holds any more."""
        for descriptor, path in ((self._folder_lock, self.folder), (self._lock, self.folder / LOCK)):
            try:
                is_held = os.path.samestat(os.fstat(descriptor), path.stat())
            except OSError:
                is_held = False
            if not is_held:
                raise ForeignChangeError(f"{path} was removed or replaced by another hand")

    def announce(self, address: str) -> None:
        """Write into the lock file who holds it, and where the clinic listens (empty while it does not yet)."""
        facts = {"pid": os.getpid(), "address": address, "agenda": self._agenda, "clinic": self._clinic_id}
        content = orjson.dumps(facts)
        with usable(self.folder / LOCK, "cannot be written", _ROOM):
            # One write, padded where shorter than what it replaces, so that no reader meets half of it.
            os.pwrite(self._lock, content.ljust(os.fstat(self._lock).st_size), 0)

    def key(self, disk: Disk) -> bytes:
        """Return the silo's key for digests; the first start makes it."""
        path = self.folder / KEY
        with usable(path, "cannot be read or written", _ROOM):
            if not path.exists():
                disk.replace(path, f"{secrets.token_hex(_KEY_BYTES)}\n".encode())
                disk.sync_folder(self.folder)
            content = path.read_bytes()
        try:
            key = bytes.fromhex(content.decode("ascii"))
        except ValueError:
            key = b""
        if len(key) != _KEY_BYTES:
            raise StartupError(
                f"{path}: this is not a key of {_KEY_BYTES} bytes in hexadecimal. Restore it, or remove it: repeats of "
                "requests made before then count as new ones."
            )
        return key

    def __exit__(self, *_: object) -> None:
        self._locks.close()


def _lock_folder(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network file systems lock files only; the lock file is what is left there.
        if error.errno not in {errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP}:
            raise


def _holder(lock: int) -> str:
    facts = _facts(lock)
    if not isinstance(facts.get("pid"), int):
        return ""  # a holder that has not written yet, or a foreign file: the error stands without its name
    where = f" at {facts['address']}" if facts.get("address") else ""
    return f" (process {facts['pid']}{where})"


def _facts(lock: int) -> dict[str, object]:
    try:
        facts: object = orjson.loads(os.pread(lock, 4096, 0))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


class DatabaseFile:
    """A db.json, and what its file was when this process last read or wrote it."""

    def __init__(self, path: Path, disk: Disk, check_silo: Callable[[], None] = lambda: None) -> None:
        self.path = path
        self._disk = disk
        self._check_silo = check_silo  # raises ForeignChangeError where the folder is not this process's alone
        self._known = _identity(path)
        self._is_reported = False

    def read(self) -> Database:
        """Return the content, an empty database where there is no file; raise StartupError if it breaks the format."""
        if not self.path.exists():
            return Database()
        database = load(self.path)
        with usable(self.path, "cannot be made private", "Check its owner."):
            self.path.chmod(private_file.FILE_MODE)
        return database

    def replace(self, content: bytes, wait: Callable[[], None] = lambda: None) -> None:
        """Replace the content in one step once `wait` returns; where that or a step raises OSError, change nothing."""
        self._disk.replace(self.path, content, partial(self._check, wait))
        self._known = _identity(self.path)

    def sync(self) -> bool:
        """Wait until the file's name is on the medium; return whether it surely is."""
        try:
            self._disk.sync_folder(self.path.parent)
        except OSError:
            return False
        return True

    def _check(self, wait: Callable[[], None]) -> None:
        wait()
        try:
            self._check_silo()
            self._check_known()
        except ForeignChangeError as change:
            if not self._is_reported:
                _log.error(
                    "%s; no write is made any more and the file is left as it is. Stop this clinic, see to it that "
                    "%s is what it should be, and start it again.",
                    change,
                    self.path,
                )
                self._is_reported = True
            raise

    def _check_known(self) -> None:
        if _identity(self.path) != self._known:
            raise ForeignChangeError(f"{self.path} was changed by another hand")


def _identity(path: Path) -> tuple[int, ...] | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns
