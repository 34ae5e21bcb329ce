"""`python -m tests.torture.load`: many callers at once; the clinic is asked to end, and later killed, and comes back.

Measures the clinic from outside (times of calls, its memory), and holds it to its promises: every acknowledged write is
there once, a repeat is answered the same, and an orderly end leaves no write that it made unanswered. Half of the
callers use the mesh's channel, which repeats what may be repeated: each of their calls is answered across that end. The
others, as programs that are not ours, may be turned away. How fast a clinic can be is for bench/.
"""

from __future__ import annotations

import argparse
import random
import secrets
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import open_channel
from mesh.errors import DomainError
from mesh.tokens import LONGEST_S, claims_for, sign
from orchestrator.security.token_keys import KeyFolder
from tests.torture.killing import settle
from tests.torture.process import ClinicProcess
from tests.torture.silo import CLINIC, check, prepare, remembered
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError, Writer, failure

_SERVICE = pb.DESCRIPTOR.services_by_name["ClinicService"]
_PLAIN = (("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1), ("grpc.max_reconnect_backoff_ms", 500))
_READS, _REPEATS = 0.7, 0.05
"""Shares of what a caller does; the rest are new writes."""

_DAYS = 28
_AFTERMATH_S = 0.5
"""How long after a restart calls are not counted among the times: all callers come back at once."""

_SAMPLE_S = 0.25
_WARM_RUN_S = 30.0
"""How long a run must be for the second half of the last process's life to be a warm one."""

_MOST_GROWTH_MIB = 5.0
"""What the memory of a warm clinic may vary by: buffers come and go. It is warm when each of its threads has worked."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call that was answered, in seconds of `time.monotonic`."""

    began: float
    ended: float
    reads: bool


@dataclass(frozen=True, slots=True)
class Unanswered:
    """One call that was not."""

    at: float
    is_plain: bool
    cpf: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Outage:
    """A time without the clinic, in seconds of `time.monotonic`."""

    began: float
    ended: float

    def touches(self, call: Call) -> bool:
        """Return whether a call was under way then, or in the rush after it."""
        return call.began < self.ended + _AFTERMATH_S and call.ended > self.began


@dataclass(frozen=True, slots=True)
class Log:
    """What was seen; callers append to it, each what is theirs."""

    calls: list[Call] = field(default_factory=list)
    unanswered: list[Unanswered] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    memory_mib: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """What a load came to.

    Attributes:
        answered: Calls that were answered.
        acknowledged: Writes among them that were made.
        repeated: Writes that were sent again and answered the same.
        turned_away: Calls of the plain callers that the orderly end left without an answer, and unmade.
        cut: Calls that the kill left without an answer; each write was settled by a repeat.
        drain_s: From SIGTERM to the end of the process.
        reads_ms: Times of reads outside of the outages.
        writes_ms: The same of writes and repeats.
        memory_mib: PSS of the last process over the second half of its life; none where the system does not say.
        growth_mib: By how much the last quarter of that lies over the first.
    """

    answered: int
    acknowledged: int
    repeated: int
    turned_away: int
    cut: int
    drain_s: float
    reads_ms: Sequence[float]
    writes_ms: Sequence[float]
    memory_mib: Sequence[float]
    growth_mib: float


def load(folder: Path, seed: str, seconds: float, callers: int = 64) -> Report:
    """Call a clinic for a while; it is restarted after a fifth of the time and killed after two fifths.

    Args:
        folder: An empty folder.
        seed: Decides who asks for what.
        seconds: How long.
        callers: How many at once, each a patient with a connection and a token of their own.

    Raises:
        BrokenPromiseError: A promise was broken.
    """
    silo, keys = folder / "silo", KeyFolder(folder / "keys")
    slots = prepare(silo, _DAYS)
    keys.prepare()
    patients = [Writer(number, slots, f"{seed}/{number}", tokens(keys), waits=True) for number in range(callers)]
    log, over, begun = Log(), threading.Event(), threading.Barrier(callers + 1)
    with ThreadPoolExecutor(callers) as pool:
        try:
            with ClinicProcess(silo, keys=keys.public) as clinic:
                address = clinic.address()
                calling = [pool.submit(_call, address, patient, log, begun, over) for patient in patients]
                begun.wait(TIMEOUT_S)
                over.wait(seconds / 5)
                ended_at = time.monotonic()
                status = clinic.end()
                drain_s = time.monotonic() - ended_at
            is_made = remembered(silo)
            if status != 0:
                raise BrokenPromiseError(f"an orderly end came to exit status {status}")
            with ClinicProcess(silo, address, keys.public) as clinic:
                clinic.address()
                log.outages.append(Outage(ended_at, time.monotonic()))
                over.wait(seconds / 5)
                killed_at = time.monotonic()
                clinic.kill_after(0)
            with ClinicProcess(silo, address, keys.public) as clinic:
                clinic.address()
                log.outages.append(Outage(killed_at, time.monotonic()))
                _watch(clinic, seconds * 3 / 5, log, over)
                over.set()
                for each in calling:
                    each.result()
                settle(address, patients)
        finally:
            over.set()
    check(silo, patients)
    turned_away = [call for call in log.unanswered if call.at < killed_at]
    if any(call.request_id and is_made(call.cpf, call.request_id) for call in turned_away):
        raise BrokenPromiseError("an orderly end made a write and did not answer it")
    if not all(call.is_plain for call in turned_away):
        raise BrokenPromiseError("a caller that repeats was left without an answer by an orderly end")
    return _report(log, patients, drain_s, len(turned_away))


def check_memory(report: Report) -> None:
    """Hold a clinic that was warm to what it may take.

    Raises:
        BrokenPromiseError: It grew.
    """
    if report.growth_mib > _MOST_GROWTH_MIB:
        raise BrokenPromiseError(f"the clinic's memory grew by {report.growth_mib:.1f} MiB")


def _call(address: str, patient: Writer, log: Log, begun: threading.Barrier, over: threading.Event) -> None:
    """Be one caller, until it is over."""
    chance = random.Random(patient.name)
    is_plain = chance.random() < 0.5
    with grpc.insecure_channel(address, _PLAIN) if is_plain else open_channel(address, [_SERVICE]) as channel:
        stub = ClinicServiceStub(channel)
        begun.wait(TIMEOUT_S)
        try:
            while not over.is_set():
                drawn, began = chance.random(), time.monotonic()
                reads = drawn < _READS
                if reads:
                    error = _read(stub, patient)
                elif drawn < _READS + _REPEATS:
                    error = patient.repeat(stub)
                else:
                    error = patient.write(stub)
                if error is None:
                    log.calls.append(Call(began, time.monotonic(), reads))
                elif error.reason == "UNREACHABLE":
                    request_id = getattr(patient.pending.request, "request_id", "") if patient.pending else ""
                    log.unanswered.append(Unanswered(time.monotonic(), is_plain, patient.cpf, request_id))
                else:
                    raise BrokenPromiseError(f"{patient.name} was answered {error.reason}") from error
        finally:
            over.set()


def _read(stub: ClinicServiceStub, patient: Writer) -> DomainError | None:
    try:
        stub.ListAvailableSlots(
            pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S, metadata=patient.metadata, wait_for_ready=True
        )
    except grpc.RpcError as error:
        return failure(error)
    return None


def _watch(clinic: ClinicProcess, seconds: float, log: Log, over: threading.Event) -> None:
    """Note a process's memory for a while."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not over.wait(_SAMPLE_S):
        if taken := clinic.memory_mib():
            log.memory_mib.append(taken)


def _report(log: Log, patients: Sequence[Writer], drain_s: float, turned_away: int) -> Report:
    quiet = [call for call in log.calls if not any(outage.touches(call) for outage in log.outages)]
    warm = log.memory_mib[len(log.memory_mib) // 2 :]
    quarter = max(1, len(warm) // 4)
    return Report(
        answered=len(log.calls),
        acknowledged=sum(patient.acknowledged for patient in patients),
        repeated=sum(patient.repeated for patient in patients),
        turned_away=turned_away,
        cut=len(log.unanswered) - turned_away,
        drain_s=drain_s,
        reads_ms=[(call.ended - call.began) * 1000 for call in quiet if call.reads],
        writes_ms=[(call.ended - call.began) * 1000 for call in quiet if not call.reads],
        memory_mib=warm,
        growth_mib=statistics.median(warm[-quarter:]) - statistics.median(warm[:quarter]) if warm else 0.0,
    )


def tokens(keys: KeyFolder) -> Callable[[str], str]:
    """Return what makes the token of a patient, by their CPF."""

    def token_for(cpf: str) -> str:
        claims = claims_for(cpf, issuer="orchestrator", audience=CLINIC, now=time.time(), ttl_s=LONGEST_S)
        return sign(keys.private_key("orchestrator"), claims)

    return token_for


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long (30)")
    parser.add_argument("--callers", type=int, default=64, help="how many at once (64)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="decides what is random (a new one)")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="clinic-mesh-load-"))
    print(f"seed {options.seed}", flush=True)
    try:
        report = load(folder, options.seed, options.seconds, options.callers)
        if options.seconds >= _WARM_RUN_S:
            check_memory(report)
    except BrokenPromiseError as broken:
        print(f"BROKEN with seed {options.seed}: {broken}\nthe silo stays in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    print(
        f"{report.answered} calls answered, {report.acknowledged} writes acknowledged, each there once; "
        f"{report.repeated} repeated and answered the same\n"
        f"the orderly end took {report.drain_s:.2f} s, left no write that it made unanswered, and turned "
        f"{report.turned_away} calls away; the kill cut {report.cut}\n"
        f"reads  {_times(report.reads_ms)}\nwrites {_times(report.writes_ms)}"
    )
    if report.memory_mib:
        lowest, highest = min(report.memory_mib), max(report.memory_mib)
        print(f"memory, PSS, warm: {lowest:.1f} to {highest:.1f} MiB; from first to last {report.growth_mib:+.1f} MiB")
    return 0


def _times(milliseconds: Sequence[float]) -> str:
    cuts = statistics.quantiles(milliseconds, n=100)
    return f"p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, longest {max(milliseconds):.1f} ms"


if __name__ == "__main__":
    sys.exit(_main())
