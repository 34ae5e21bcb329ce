"""A clinic's process on a disk that is really full, again and again: the kernel refuses, not a fake.

Two ways to fill it: a limit on the size of files that the process may write, which takes no rights, and a small file
system of its own, which takes those of root. While it is full, reads are served and no write is made; as soon as it is
not, writes are.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import grpc

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from tests.torture.killing import settle
from tests.torture.process import ClinicProcess
from tests.torture.silo import check, prepare
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError, Writer

Fill = Callable[[Path, ClinicProcess], AbstractContextManager[None]]
"""Leaves a silo's clinic no room for its file until the context ends."""

_WRITES = 5


@contextmanager
def limited(silo: Path, clinic: ClinicProcess) -> Iterator[None]:
    """Let the clinic write half of its file and no more (RLIMIT_FSIZE; Linux)."""
    before = resource.prlimit(clinic.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(clinic.pid, resource.RLIMIT_FSIZE, ((silo / "db.json").stat().st_size // 2, before[1]))
    try:
        yield
    finally:
        resource.prlimit(clinic.pid, resource.RLIMIT_FSIZE, before)


@contextmanager
def filled(silo: Path, clinic: ClinicProcess) -> Iterator[None]:
    """Fill the silo's file system to the last byte."""
    filler = silo.parent / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):  # the error says that it is full
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def small_file_system(folder: Path) -> Iterator[bool]:
    """Mount a file system of 256 KiB on a folder; says whether this process may."""
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "clinic-mesh-torture", str(folder)]
    may = os.geteuid() == 0 and subprocess.run(command, check=False, capture_output=True).returncode == 0
    try:
        yield may
    finally:
        if may:
            subprocess.run(["umount", str(folder)], check=True)


def torture(silo: Path, seed: str, rounds: int, fill: Fill, writers: int = 4) -> int:
    """Fill a clinic's disk and make room again, so many times.

    Args:
        silo: A folder that is not there yet.
        seed: Decides who asks for what.
        rounds: How often.
        fill: How.
        writers: How many patients.

    Returns:
        How many writes were refused for want of room.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    slots = prepare(silo)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(writers)]
    refused = 0
    with ClinicProcess(silo) as clinic:
        address = clinic.address()
        with grpc.insecure_channel(address) as channel:
            stub = ClinicServiceStub(channel)
            for _ in range(rounds):
                _write(stub, patients)
                before = (silo / "db.json").read_bytes()
                with fill(silo, clinic):
                    refused += _be_refused(stub, patients)
                    if (silo / "db.json").read_bytes() != before:
                        raise BrokenPromiseError("a full disk changed the file")
                _write(stub, patients)
                check(silo, patients)
        settle(address, patients)
    return refused


def restart_while_full(silo: Path, seed: str) -> None:
    """Kill a clinic on a full file system and start it there: it reads and answers what it did before.

    Raises:
        BrokenPromiseError: It does not.
    """
    slots = prepare(silo)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(4)]
    with ClinicProcess(silo) as clinic, grpc.insecure_channel(clinic.address()) as channel:
        _write(ClinicServiceStub(channel), patients)
        with filled(silo, clinic):
            clinic.kill_after(0)
            with ClinicProcess(silo) as again:
                address = again.address()
                settle(address, patients)
                with grpc.insecure_channel(address) as other:
                    _be_refused(ClinicServiceStub(other), patients)
        check(silo, patients)


def _write(stub: ClinicServiceStub, patients: Sequence[Writer]) -> None:
    for patient in patients:
        for _ in range(_WRITES):
            if patient.write(stub) is not None:
                raise BrokenPromiseError("there is room on the disk, and the clinic does not write")
        patient.repeat(stub)


def _be_refused(stub: ClinicServiceStub, patients: Sequence[Writer]) -> int:
    """Write and read while the disk is full; return how many writes were refused for that."""
    before = sum(patient.unstored for patient in patients)
    for patient in patients:
        acknowledged = patient.acknowledged
        for _ in range(_WRITES):
            if patient.write(stub) is not None:
                raise BrokenPromiseError("a full disk leaves a write's outcome unknown")
            stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S)
        if patient.acknowledged != acknowledged:
            raise BrokenPromiseError("a write was acknowledged on a full disk")
        patient.repeat(stub)
    refused = sum(patient.unstored for patient in patients) - before
    if not refused:
        raise BrokenPromiseError("the disk was not full")
    return refused
