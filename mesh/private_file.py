"""Files and folders for their owner alone: mode 0600 and 0700 from the moment they are there.

The few calls of the file system that durability rests on are methods of `Disk`, so that a test can fill the disk.
"""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_OTHERS = 0o077


class Disk:
    """Write, sync and rename files; every method may raise OSError. A test fills the disk in a class of its own."""

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all the data to an open file."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def sync(self, descriptor: int) -> None:
        """Wait until an open file, or folder, is on the medium."""
        os.fsync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        """Put a file in the place of another in one step."""
        source.replace(target)

    def sync_folder(self, folder: Path) -> None:
        """Wait until the names in a folder are on the medium; after an OSError they may or may not be."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.sync(descriptor)
        finally:
            os.close(descriptor)

    def replace(
        self, path: Path, data: bytes, check: Callable[[], None] = lambda: None, *, beside: Path | None = None
    ) -> None:
        """Replace a file's content in one step, or leave it as it was; a reader never sees a mixture.

        The content is on the medium before it takes the name; the name is only known to be after `sync_folder`. `check`
        may raise OSError when all is ready. Until then the content is `beside` it, by default for one process only.
        """
        beside = beside or path.with_name(f"{path.name}.new")
        try:
            with os.fdopen(open_private(beside, os.O_WRONLY | os.O_TRUNC), "wb") as file:
                self.write(file.fileno(), data)
                self.sync(file.fileno())
            check()
            self.rename(beside, path)
        except BaseException:
            with suppress(OSError):  # on a full disk, give the room back; the first error is the one to report
                beside.unlink(missing_ok=True)
            raise


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it is in, on the medium; one that is there already stays as it is."""
    missing = list(takewhile(lambda path: not path.is_dir(), (folder, *folder.parents)))
    for path in reversed(missing):
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        path.chmod(FOLDER_MODE)  # a umask takes bits away
        Disk().sync_folder(path.parent)


def create(path: Path, data: bytes) -> None:
    """Write a new file to the disk, or raise FileExistsError; a symbolic link at its place counts as a file."""
    descriptor = open_private(path, os.O_WRONLY | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def ensure(path: Path) -> None:
    """Make an empty file if there is none. One that is there is not opened, so that no lock on it is lost."""
    with suppress(FileExistsError):
        os.close(open_private(path, os.O_WRONLY | os.O_EXCL))


def append(path: Path, data: bytes) -> None:
    """Add to the end of a file, in one write, so that processes that share it do not mix; made if it is not there."""
    with os.fdopen(open_private(path, os.O_WRONLY | os.O_APPEND), "wb", buffering=0) as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:  # it came from elsewhere
            os.fchmod(file.fileno(), FILE_MODE)
        file.write(data)


def replace(path: Path, data: bytes) -> None:
    """Replace a file as `Disk.replace` does, maybe while another process does so too."""
    Disk().replace(path, data, beside=path.with_name(f".{secrets.token_hex(8)}.tmp"))


def is_shared(path: Path) -> bool:
    """Return whether others than its owner may use a file."""
    return bool(path.stat().st_mode & _OTHERS)


def open_private(path: Path, flags: int) -> int:
    """Return a descriptor of a file, which is made with mode 0600 if it is not there; `flags` as for `os.open`."""
    return os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
