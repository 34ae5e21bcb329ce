"""The db.json of a silo that this process holds: read once, then replaced, but never over another hand's change."""

import logging
from collections.abc import Callable
from pathlib import Path

from clinics.database import Database, load
from clinics.disk import Disk, replace_file, sync_folder
from clinics.startup import StartupError
from mesh.private_file import FILE_MODE

_log = logging.getLogger(__name__)


class ForeignChangeError(OSError):
    """Another hand changed a file of the silo, or its folder, while a clinic runs."""


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
        try:
            self.path.chmod(FILE_MODE)
        except OSError as error:
            raise StartupError(f"{self.path}: cannot be made private ({error.strerror}). Check its owner.") from error
        return database

    def replace(self, content: bytes) -> None:
        """Replace the content in one step, or raise OSError and leave the file as it was."""
        replace_file(self._disk, self.path, content, self._check)
        self._known = _identity(self.path)

    def sync(self) -> bool:
        """Wait until the file's name is on the medium; return whether it surely is."""
        try:
            sync_folder(self._disk, self.path.parent)
        except OSError:
            return False
        return True

    def _check(self) -> None:
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
