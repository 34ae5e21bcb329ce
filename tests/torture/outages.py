"""Takes the database server from under a clinic that writes: restarts, a full disk, a standby that takes over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.support.postgres import DatabaseServer, servers
from tests.torture.cuts import write_on
from tests.torture.killing import Toll, settle
from tests.torture.process import ClinicProcess
from tests.torture.silo import check, prepare
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError, Writer

_BETWEEN = 50
"""Writes that are acknowledged before an outage, and after it."""

_REFUSED = 20
"""Times that the server finds no room in one outage."""

_DISK = "96m"
_SMALL = "-c max_wal_size=4MB -c min_wal_size=2MB"
# Writes wait for a new standby, which looks for its primary every five seconds and says what it has every ten.
_SYNCHRONOUS = "-c synchronous_standby_names=* -c wal_receiver_status_interval=1 -c wal_retrieve_retry_interval=100"


def restarts(silo: Path, seed: str, rounds: int) -> Toll:
    """Restart the server `rounds` times, orderly and as after a crash in turn."""
    with servers(is_durable=True) as (server,):

        def restart(number: int) -> None:
            server.stop("immediate" if number % 2 else "fast")
            server.start()

        return torture(silo, seed, server.url, restart, rounds)


def failovers(silo: Path, seed: str, rounds: int) -> Toll:
    """Let the synchronous standby take over for a primary that crashes, `rounds` times; it has a new one each time."""
    with servers(2, is_durable=True, options=_SYNCHRONOUS) as pair:
        pair[1].follow(pair[0])

        def fail_over(_: int) -> None:
            pair[0].stop("immediate")
            pair[1].promote()
            pair.reverse()
            pair[1].follow(pair[0])

        return torture(silo, seed, url_of(pair), fail_over, rounds)


def full_disks(silo: Path, seed: str, rounds: int) -> Toll:
    """Fill the server's disk to the last byte and make room again, `rounds` times; PostgresMissingError off root."""
    with servers(is_durable=True, options=_SMALL, disk=_DISK) as (server,):
        filler, log = server.data / "filler", server.folder / "log"

        def refused() -> int:
            return log.read_text("utf-8").count("No space left on device")

        def refuses(until: int) -> bool:
            # Again and again: a checkpoint may have made room.
            with suppress(OSError), filler.open("ab", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
            return refused() >= until

        def fill(_: int) -> None:
            _until(partial(refuses, refused() + _REFUSED), "the disk is not full")
            filler.unlink()
            server.start()  # where it ended for want of room

        return torture(silo, seed, server.url, fill, rounds)


def url_of(pair: list[DatabaseServer]) -> str:
    """Return the URL of whichever takes writes."""
    hosts = ",".join(str(server.folder) for server in pair)
    return f"postgresql://clinic@/postgres?host={hosts}&target_session_attrs=read-write"


def torture(silo: Path, seed: str, url: str, outage: Callable[[int], None], rounds: int, writers: int = 8) -> Toll:
    """Make an outage under the writes of so many patients, so many times, and check the server after each.

    Args:
        silo: A folder that is not there yet.
        seed: Decides who asks for what.
        url: The server.
        outage: Is given the number of the round; returns when writes are taken again.
        rounds: How many.
        writers: How many patients.

    Returns:
        What it came to; outages stand as kills.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    slots = prepare(silo, url=url)
    patients = [Writer(number, slots, f"{seed}/{number}") for number in range(writers)]
    unknown = 0
    with ClinicProcess(silo) as clinic:
        address = clinic.address()
        for number in range(rounds):
            ended = threading.Event()
            with ThreadPoolExecutor(writers) as pool:
                writing = [pool.submit(write_on, address, patient, ended) for patient in patients]
                try:
                    _go_on(patients)
                    outage(number)
                    _go_on(patients)
                finally:
                    ended.set()
                unknown += sum(one.result() for one in writing)
            settle(address, patients)
            check(silo, patients)
        if any(f"Paciente {patient.number}" in clinic.log() for patient in patients) or "psycopg" in clinic.log():
            raise BrokenPromiseError("the log repeats what the server said")
    acknowledged = sum(patient.acknowledged for patient in patients)
    return Toll(rounds, acknowledged, unknown, sum(patient.repeated for patient in patients))


def _go_on(patients: list[Writer]) -> None:
    """Return when more writes were acknowledged."""
    until = sum(patient.acknowledged for patient in patients) + _BETWEEN
    _until(lambda: sum(patient.acknowledged for patient in patients) >= until, "the clinic does not write")


def _until(is_so: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_so():
        if time.monotonic() > deadline:
            raise BrokenPromiseError(otherwise)
        time.sleep(0.01)
