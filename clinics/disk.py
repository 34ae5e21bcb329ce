"""The few calls of the file system that durability rests on, and the order they are made in.

A port, so that a test can fill the disk. It knows nothing of slots, and decides nothing when a call fails.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Protocol

from mesh.private_file import open_private


class Disk(Protocol):
    """Writes, syncs and renames files; every method may raise OSError."""

    def write(self, descriptor: int, data: bytes) -> None:
        """Writes all the data to an open file."""
        ...

    def sync(self, descriptor: int) -> None:
        """Returns when an open file, or folder, is on the medium."""
        ...

    def rename(self, source: Path, target: Path) -> None:
        """Puts a file in the place of another at once."""
        ...


class LocalDisk:
    """The operating system's file system."""

    __slots__ = ()

    def write(self, descriptor: int, data: bytes) -> None:
        """Writes all the data to an open file.

        Args:
            descriptor: A file open for writing.
            data: What to write.

        Raises:
            OSError: Not all of it could be written.
        """
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def sync(self, descriptor: int) -> None:
        """Returns when an open file, or folder, is on the medium.

        Args:
            descriptor: An open file or folder.

        Raises:
            OSError: The medium did not take it.
        """
        os.fsync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        """Puts a file in the place of another at once.

        Args:
            source: The new file.
            target: The place; a file there is replaced.

        Raises:
            OSError: Nothing was renamed.
        """
        source.replace(target)


def replace_file(disk: Disk, path: Path, data: bytes) -> None:
    """Replaces a file's content in one step: a reader, or a crash, sees the old content or the new, never a mixture.

    The new content is on the medium before it takes the name; that the name is too is only known after `sync_folder`.

    Args:
        disk: Where.
        path: The file; it becomes readable by its owner only.
        data: The new content.

    Raises:
        OSError: The file is as it was.
    """
    beside = path.with_name(f"{path.name}.new")
    try:
        descriptor = open_private(beside, os.O_WRONLY | os.O_TRUNC)
        try:
            disk.write(descriptor, data)
            disk.sync(descriptor)
        finally:
            os.close(descriptor)
        disk.rename(beside, path)
    except OSError:
        with contextlib.suppress(OSError):  # on a full disk, give the room back; the first error is the one to report
            beside.unlink(missing_ok=True)
        raise


def sync_folder(disk: Disk, folder: Path) -> None:
    """Returns when the names in a folder are on the medium.

    Args:
        disk: Where.
        folder: The folder.

    Raises:
        OSError: They may or may not be.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        disk.sync(descriptor)
    finally:
        os.close(descriptor)
