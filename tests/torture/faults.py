"""A clinic whose disk fails at random: it refuses clearly, goes on reading, and confirms only what is on the disk.

The clinic runs in this process on a `Disk` of its own; its callers come over the wire. After every answer the writer's
appointments are looked up in db.json, which must parse at any moment.
"""

from __future__ import annotations

import errno
import os
import random
import stat
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import grpc

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.private_file import Disk
from tests.torture.killing import Toll
from tests.torture.silo import NOW, check, held_on_disk, prepare
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError, Writer

_IN_DATABASE = 16
"""Records that db.json holds here: so few that the archive is written often, and fails often."""


class FailingDisk(Disk):
    """A disk on which any step may fail, as often as it is told to.

    Args:
        seed: Of when it fails.
    """

    __slots__ = ("_random", "_synced", "failures", "frequency")

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self._synced: dict[int, int] = {}
        self.frequency = 0.0
        self.failures = 0

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all of it, or a part and fail, as a disk does that is full."""
        if self._fails():
            super().write(descriptor, data[: self._random.randrange(len(data))])
            raise OSError(errno.ENOSPC, "No space left on device")
        super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Sync a file or folder, or fail."""
        seen = os.fstat(descriptor)
        if self._fails():
            if stat.S_ISREG(seen.st_mode):
                # What a failed fsync left in a file, beyond what one before it wrote, is not to be relied on.
                os.ftruncate(descriptor, min(self._synced.get(seen.st_ino, 0), seen.st_size))
            raise OSError(errno.EIO, "Input/output error")
        super().sync(descriptor)
        self._synced[seen.st_ino] = seen.st_size

    def rename(self, source: Path, target: Path) -> None:
        """Rename a file, or fail."""
        if self._fails():
            raise OSError(errno.EROFS, "Read-only file system")
        super().rename(source, target)

    def _fails(self) -> bool:
        fails = self._random.random() < self.frequency
        self.failures += fails
        return fails


def torture(silo: Path, seed: str, writes: int, writers: int = 4) -> Toll:
    """Write on a disk that fails, until each of several patients has tried so many writes.

    Args:
        silo: A folder that is not there yet.
        seed: Decides who asks for what and what fails.
        writes: How many each of them tries.
        writers: How many patients.

    Returns:
        What it came to; the disk's failures stand as kills.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    slots = prepare(silo)
    disk = FailingDisk(seed)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(writers)]
    few = patch("clinics.file_storage.MOST_IN_DATABASE", _IN_DATABASE)
    with few, serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, disk=disk) as clinic:
        disk.frequency = 0.15
        unknown = _write_at_once(clinic.address, silo, patients, writes)
        disk.frequency = 0.0
        _heal(clinic.address, patients)
        check(silo, patients)
    acknowledged = sum(patient.acknowledged for patient in patients)
    return Toll(disk.failures, acknowledged, unknown, sum(patient.repeated for patient in patients))


def _write_at_once(address: str, silo: Path, patients: Sequence[Writer], writes: int) -> int:
    begun = threading.Barrier(len(patients))

    def write(patient: Writer) -> int:
        unknown = 0
        with grpc.insecure_channel(address) as channel:
            stub = ClinicServiceStub(channel)
            begun.wait(TIMEOUT_S)
            for _ in range(writes):
                error = patient.write(stub)
                if error is not None and error.reason != "STORAGE_UNAVAILABLE":
                    raise BrokenPromiseError(f"a failing disk was answered with {error.reason}") from error
                unknown += error is not None
                patient.compare(held_on_disk(silo).get((patient.name, patient.cpf), frozenset()))
                stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S)
        return unknown

    with ThreadPoolExecutor(len(patients)) as pool:
        return sum(pool.map(write, patients))


def _heal(address: str, patients: Sequence[Writer]) -> None:
    """Ask again for what is open now that the disk works: each write must be answered at once."""
    with grpc.insecure_channel(address) as channel:
        stub = ClinicServiceStub(channel)
        for patient in patients:
            if any((patient.write(stub), patient.write(stub), patient.repeat(stub))):
                raise BrokenPromiseError("the disk works again, and the clinic does not")
