"""Cuts a clinic's connections to PostgreSQL in the middle of writes: nothing is lost, and nothing made twice."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import psycopg

from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from tests.torture.killing import Toll, settle
from tests.torture.process import ClinicProcess
from tests.torture.silo import check, prepare
from tests.torture.writer import BrokenPromiseError, Writer

_CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'clinic-mesh' AND state <> 'idle'"
)


def torture(silo: Path, seed: str, cuts: int, url: str, writers: int = 8) -> Toll:
    """Cut what a clinic is in the middle of, so many times, and check the server after each.

    Args:
        silo: A folder that is not there yet.
        seed: Decides who asks for what, and when it is cut.
        cuts: How often a connection that is at work is cut at least; on until a write was in the middle of it.
        url: The server.
        writers: How many patients.

    Returns:
        What it came to; cuts stand as kills.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    chance = random.Random(seed)
    slots = prepare(silo, url=url)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(writers)]
    made = unknown = 0
    with ClinicProcess(silo) as clinic, psycopg.connect(url, autocommit=True) as server:
        address = clinic.address()
        while made < cuts or not unknown:  # a cut may hit a read alone, which is repeated in silence
            ended = threading.Event()
            with ThreadPoolExecutor(writers) as pool:
                writing = [pool.submit(write_on, address, patient, ended) for patient in patients]
                ended.wait(chance.uniform(0.02, 0.1))
                found = 0
                while not found and not all(one.done() for one in writing):
                    found = len(server.execute(_CUT).fetchall())
                ended.set()
                unknown += sum(one.result() for one in writing)
            made += found
            settle(address, patients)
            check(silo, patients)
    acknowledged = sum(patient.acknowledged for patient in patients)
    return Toll(made, acknowledged, unknown, sum(patient.repeated for patient in patients))


def write_on(address: str, patient: Writer, ended: threading.Event) -> int:
    """Write until told to end; return how many outcomes were unknown."""
    unknown = 0
    with grpc.insecure_channel(address) as channel:
        stub = ClinicServiceStub(channel)
        while not ended.is_set():
            error = patient.write(stub)
            # gRPC may turn a stream away, too. A clinic that ended would be noticed when all is settled.
            if error is not None and error.reason not in {"STORAGE_UNAVAILABLE", "UNREACHABLE"}:
                raise BrokenPromiseError(f"a fault of the server was answered with {error.reason}") from error
            unknown += error is not None
    return unknown
