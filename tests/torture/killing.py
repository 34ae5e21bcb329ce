"""Kills a clinic with SIGKILL in the middle of writes, again and again, and checks its disk and its answers each time.

SIGKILL leaves the kernel's cache: what a power failure would lose is the matter of the order of fsync and rename, which
tests/unit/clinics holds.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grpc

from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from tests.torture.process import ClinicProcess
from tests.torture.silo import check, prepare
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError, Writer

_OPTIONS = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
_LONGEST_LIFE_S = 0.25
_KILLED_AT_START = 0.2
"""How often a clinic does not even live to listen."""


@dataclass(frozen=True, slots=True)
class Toll:
    """What a torture came to."""

    kills: int
    acknowledged: int
    unknown: int
    repeated: int


def torture(
    silo: Path,
    seed: str,
    kills: int,
    writers: int = 8,
    report: Callable[[int], None] | None = None,
    url: str | None = None,
) -> Toll:
    """Kill a clinic `kills` times under the writes of `writers` patients.

    Args:
        silo: A folder that is not there yet.
        seed: Decides who asks for what, and when it is killed; when threads and disk are faster or slower, the rest
            differs all the same.
        kills: How often.
        writers: How many patients.
        report: Told of each kill's number.
        url: Of the PostgreSQL that keeps the agenda. None: db.json does.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    chance = random.Random(seed)
    slots = prepare(silo, url=url)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(writers)]
    unknown = 0
    for number in range(1, kills + 1):
        if chance.random() < _KILLED_AT_START:
            with ClinicProcess(silo) as clinic:
                clinic.kill_after(chance.uniform(0, _LONGEST_LIFE_S))
        else:
            with ClinicProcess(silo) as clinic:
                _live(clinic, patients, chance.uniform(0, _LONGEST_LIFE_S))
            unknown += sum(patient.pending is not None for patient in patients)
        check(silo, patients)
        if report is not None:
            report(number)
    with ClinicProcess(silo) as clinic:
        settle(clinic.address(), patients)
        check(silo, patients)
    acknowledged = sum(patient.acknowledged for patient in patients)
    return Toll(kills, acknowledged, unknown, sum(patient.repeated for patient in patients))


def _live(clinic: ClinicProcess, patients: Sequence[Writer], life_s: float) -> None:
    """Settle what the last kill left open, let all write at once, and kill the clinic meanwhile."""
    address = clinic.address()
    settle(address, patients)
    begun = threading.Barrier(len(patients) + 1)

    def write(patient: Writer) -> None:
        with grpc.insecure_channel(address, options=_OPTIONS) as channel:
            stub = ClinicServiceStub(channel)
            begun.wait(TIMEOUT_S)
            while patient.write(stub) is None:
                pass

    with ThreadPoolExecutor(len(patients)) as pool:
        writing = [pool.submit(write, patient) for patient in patients]
        begun.wait(TIMEOUT_S)
        clinic.kill_after(life_s)
        for each in writing:
            each.result()


def settle(address: str, patients: Sequence[Writer]) -> None:
    """Repeat what each patient has pending, and one earlier write of each.

    Raises:
        BrokenPromiseError: An answer is not what it was, or does not come.
    """
    with grpc.insecure_channel(address, options=_OPTIONS) as channel:
        settle_by(ClinicServiceStub(channel), patients)


def settle_by(stub: ClinicServiceStub, patients: Sequence[Writer]) -> None:
    """Do what `settle` does, by calls of `stub`."""
    for patient in patients:
        unknown = patient.write(stub) if patient.pending is not None else None
        if unknown is not None or patient.repeat(stub) is not None:
            raise BrokenPromiseError(f"{patient.name}: a healthy clinic could not be asked again")
