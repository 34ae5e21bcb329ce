"""Truncates a clinic's file, under the clinic and between its lives: nothing is read in part, nothing written over.

A file that was cut off while nobody ran it stops the start, is left as it is, and holds everything once it is whole
again. One that was cut off under a running clinic is left as it is, too: the clinic makes no write any more. A file of
the archive of request_ids that was begun and not finished counts for nothing: the database holds what it held.
"""

from __future__ import annotations

import random
from pathlib import Path

import grpc

from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from tests.torture.killing import settle
from tests.torture.process import ClinicProcess
from tests.torture.silo import check, prepare
from tests.torture.writer import BrokenPromiseError, Writer


def torture(silo: Path, seed: str, rounds: int) -> None:
    """Truncate a clinic's file, so many times.

    Args:
        silo: A folder that is not there yet.
        seed: Decides where.
        rounds: How often.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    chance = random.Random(seed)
    slots = prepare(silo)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(4)]
    file, beside = silo / "db.json", silo / "db.json.new"
    for _ in range(rounds):
        with ClinicProcess(silo) as clinic:
            address = clinic.address()
            settle(address, patients)
            _acknowledge(address, patients)
            check(silo, patients)
            whole = file.read_bytes()
            cut = _cut(whole, chance)
            file.write_bytes(cut)
            _be_refused(address, patients)
            clinic.kill_after(0)
        if file.read_bytes() != cut:
            raise BrokenPromiseError("a file that another hand changed was written over")
        with ClinicProcess(silo) as clinic:
            said = clinic.refusal()
        if str(file) not in said or file.read_bytes() != cut:
            raise BrokenPromiseError(f"a file that is cut off was taken or changed: {said}")
        file.write_bytes(whole)
        beside.write_bytes(cut)  # as a kill in the middle of a write leaves it
        (silo / "requests").mkdir(exist_ok=True)
        (silo / "requests" / "000001-0.json.new").write_bytes(b'{"0123'[: chance.randrange(6)])


def _cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content.rstrip()))]


def _acknowledge(address: str, patients: list[Writer]) -> None:
    """Write until one write of each patient was acknowledged."""
    with grpc.insecure_channel(address) as channel:
        stub = ClinicServiceStub(channel)
        for patient in patients:
            before = patient.acknowledged
            while patient.acknowledged == before:
                if patient.write(stub) is not None:
                    raise BrokenPromiseError(f"{patient.name}: a healthy clinic does not write")


def _be_refused(address: str, patients: list[Writer]) -> None:
    """Write once for each patient, and be told that nothing was changed."""
    with grpc.insecure_channel(address) as channel:
        stub = ClinicServiceStub(channel)
        for patient in patients:
            before = patient.acknowledged
            if patient.write(stub) is not None or patient.acknowledged != before:
                raise BrokenPromiseError(f"{patient.name}: a clinic wrote over another hand's change")
