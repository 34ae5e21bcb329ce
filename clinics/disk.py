"""The few calls of the file system that durability rests on, in one place, so that a test can fill the disk."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from mesh.private_file import open_private


class Disk:
    """Write, sync and rename files; every method may raise OSError. A test fills the disk in a class of its own."""

    __slots__ = ()

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


def replace_file(disk: Disk, path: Path, data: bytes, check: Callable[[], None] = lambda: None) -> None:
    """Replace a private file's content in one step, or raise OSError and leave it as it was.

    The content is on the medium before it takes the name; the name is only known to be after `sync_folder`. `check`
    may raise OSError when all is ready.
    """
    beside = path.with_name(f"{path.name}.new")
    try:
        descriptor = open_private(beside, os.O_WRONLY | os.O_TRUNC)
        try:
            disk.write(descriptor, data)
            disk.sync(descriptor)
        finally:
            os.close(descriptor)
        check()
        disk.rename(beside, path)
    except OSError:
        with contextlib.suppress(OSError):  # on a full disk, give the room back; the first error is the one to report
            beside.unlink(missing_ok=True)
        raise
