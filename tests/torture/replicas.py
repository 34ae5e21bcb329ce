"""`python -m tests.torture.replicas`: three replicas of one clinic on one PostgreSQL, killed and drained under load.

64 patients write through four hubs, which know the clinic by a name of DNS and speak TLS. In each round one replica is
killed and comes back, and another is asked to end. Every acknowledged write is there once, a repeat is answered the
same by whichever replica, and who has written sees it at their next read. A call that no replica answers is repeated by
its caller, and counted.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from clinics.slots import SlotRef
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import open_channel
from mesh.errors import DomainError
from mesh.limits import OFF
from orchestrator.security.certificates import make_certificates
from orchestrator.security.token_keys import KeyFolder, Protection, TlsFolder
from tests.support.name_server import open_name_server
from tests.support.postgres import postgres
from tests.torture.killing import settle_by
from tests.torture.load import tokens
from tests.torture.process import ClinicProcess
from tests.torture.silo import CLINIC, check, join, prepare
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError, Writer, failure

HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
_SERVICE = pb.DESCRIPTOR.services_by_name["ClinicService"]
_HUBS = 4
_DAYS = 28
_REPEATED_EVERY = 8
_BETWEEN = 400
"""Writes that are acknowledged between two events."""

_ROUNDS_OF_A_CLINIC = 3
"""Few: a clinic remembers 20,000 writes a day, and makes no more."""


@dataclass(slots=True)
class Toll:
    """What a torture came to.

    Attributes:
        acknowledged: Writes.
        seen: Reads of the own appointments right after a write, each of which showed it.
        repeated: Earlier writes that were sent again and answered the same.
        retried: Calls that no replica answered, with all that the channel repeats; each was repeated by who made it.
        turned_away: Those of them of an orderly end; none but where the machine has no time for it.
    """

    acknowledged: int = 0
    seen: int = 0
    repeated: int = 0
    retried: int = 0
    turned_away: int = 0


@dataclass
class _Load:
    """What the callers have done so far."""

    toll: Toll = field(default_factory=Toll)
    changed: threading.Condition = field(default_factory=threading.Condition)
    is_over: bool = False

    def note(self, **counts: int) -> None:
        with self.changed:
            for name, count in counts.items():
                setattr(self.toll, name, getattr(self.toll, name) + count)
            self.changed.notify_all()

    def go_on(self) -> None:
        """Return when more writes were acknowledged, or some caller has given up."""
        with self.changed:
            until = self.toll.acknowledged + _BETWEEN
            if not self.changed.wait_for(lambda: self.toll.acknowledged >= until or self.is_over, TIMEOUT_S):
                raise BrokenPromiseError("the replicas that are left do not serve")

    def end(self) -> None:
        with self.changed:
            self.is_over = True
            self.changed.notify_all()


class _Replicas:
    """The processes of one clinic, each on a host of its own and all on one port."""

    def __init__(self, folder: Path, first: Path, parts: ExitStack) -> None:
        self.keys, self.tls = KeyFolder(folder / "keys"), TlsFolder(folder / "tls")
        self.keys.prepare()
        make_certificates(self.tls.path, [CLINIC])
        self._parts = parts
        self._silos = [first, *(folder / f"silo-{number}" for number in range(2, len(HOSTS) + 1))]
        for silo in self._silos[1:]:
            join(silo, first)
        self.port = "0"
        self._running: list[ClinicProcess] = []
        for number in range(len(HOSTS)):
            clinic, address = self._start(number)
            self._running.append(clinic)
            self.port = address.rpartition(":")[2]

    def kill(self, number: int) -> None:
        self._running[number].kill_after(0)

    def end(self, number: int) -> None:
        status = self._running[number].end()
        if status != 0:
            raise BrokenPromiseError(f"an orderly end came to exit status {status}")

    def restart(self, number: int) -> None:
        self._running[number], _ = self._start(number)

    def _start(self, number: int) -> tuple[ClinicProcess, str]:
        listen = f"{HOSTS[number]}:{self.port}"
        clinic = ClinicProcess(self._silos[number], listen, protection=Protection(self.keys, self.tls, rate=OFF))
        self._parts.enter_context(clinic)
        return clinic, clinic.address()


def torture(folder: Path, seed: str, url: str, rounds: int = 1, callers: int = 64) -> Toll:
    """Kill a replica and end another, `rounds` times, under the writes of so many patients.

    Args:
        folder: An empty folder.
        seed: Decides who asks for what.
        url: Of the PostgreSQL.
        rounds: How often; few, for a clinic remembers 20,000 writes a day.
        callers: How many patients, each of whom makes one call at a time.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    silo = folder / "silo-1"
    slots = prepare(silo, _DAYS, url)
    load = _Load()
    with ExitStack() as parts:
        replicas = _Replicas(folder, silo, parts)
        names = parts.enter_context(open_name_server(HOSTS))
        name = f"dns://{names.address}/{CLINIC}:{replicas.port}"
        stubs = [
            ClinicServiceStub(parts.enter_context(open_channel(name, [_SERVICE], replicas.tls.client({}))))
            for _ in range(_HUBS)
        ]
        patients = [Writer(number, slots, f"{seed}/{number}", tokens(replicas.keys)) for number in range(callers)]
        pool = parts.enter_context(ThreadPoolExecutor(callers))
        calling = [pool.submit(_call, stubs[at % _HUBS], patient, load) for at, patient in enumerate(patients)]
        try:
            for number in range(rounds):
                _round(replicas, number, load)
        finally:
            load.end()
        for each in calling:
            each.result()
        settle_by(stubs[0], patients)
        if any(_look(stubs[0], patient) is not None for patient in patients):
            raise BrokenPromiseError("a healthy clinic could not be asked")
        check(silo, patients)
    load.toll.repeated = sum(patient.repeated for patient in patients)
    return load.toll


def _round(replicas: _Replicas, number: int, load: _Load) -> None:
    killed, ended = number % len(HOSTS), (number + 1) % len(HOSTS)
    load.go_on()
    before = load.toll.retried
    replicas.end(ended)
    load.go_on()
    load.toll.turned_away += load.toll.retried - before
    replicas.restart(ended)
    load.go_on()
    replicas.kill(killed)
    load.go_on()
    replicas.restart(killed)
    load.go_on()


def _call(stub: ClinicServiceStub, patient: Writer, load: _Load) -> None:
    """Be one caller, until it is over."""
    try:
        while not load.is_over:
            before = patient.acknowledged
            error = patient.write(stub)
            if error is None and patient.acknowledged > before:
                load.note(acknowledged=1)
                is_repeating = patient.acknowledged % _REPEATED_EVERY == 0
                error = patient.repeat(stub) if is_repeating else _look(stub, patient)
                load.note(seen=not is_repeating and error is None)
            if error is not None and error.reason != "UNREACHABLE":
                raise BrokenPromiseError(f"{patient.name} was answered {error.reason}") from error
            load.note(retried=error is not None)
    finally:
        load.end()


def _look(stub: ClinicServiceStub, patient: Writer) -> DomainError | None:
    """Compare what a patient is told of their appointments with what was acknowledged; return the error of the call."""
    try:
        answer = stub.ListAppointments(pb.ListAppointmentsRequest(), timeout=TIMEOUT_S, metadata=patient.metadata)
    except grpc.RpcError as error:
        return failure(error)
    if {SlotRef(one.doctor, one.date, one.time) for one in answer.appointments} != patient.held:
        raise BrokenPromiseError(f"{patient.name} did not see what was acknowledged to them")
    return None


def main() -> int:
    """Torture the replicas; returns 1 when they broke a promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.replicas", description=__doc__)
    parser.add_argument("--rounds", type=int, default=21, help="how often one is killed and one ended (21)")
    parser.add_argument("--callers", type=int, default=64, help="how many at once (64)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="decides what is random (a new one)")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="clinic-mesh-replicas-"))
    print(f"seed {options.seed}", flush=True)
    try:
        with postgres(is_durable=True) as url:
            for begun in range(0, options.rounds, _ROUNDS_OF_A_CLINIC):
                part = folder / str(begun)
                part.mkdir()
                rounds = min(_ROUNDS_OF_A_CLINIC, options.rounds - begun)
                toll = torture(part, f"{options.seed}-{begun}", url, rounds, options.callers)
                print(
                    f"{rounds} replicas killed and {rounds} ended under {options.callers} callers: "
                    f"{toll.acknowledged} acknowledged writes, each there once; {toll.seen} looked for at once and "
                    f"seen; {toll.repeated} repeated and answered the same; {toll.retried} calls of no answer, retried "
                    f"({toll.turned_away} at an orderly end)",
                    flush=True,
                )
    except BrokenPromiseError as broken:
        print(f"BROKEN with seed {options.seed}: {broken}\nthe silos stay in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
