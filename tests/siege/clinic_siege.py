"""A clinic under siege: attackers in a process of their own, and bystanders who must not notice."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

import grpc

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from orchestrator.security.token_keys import KeyFolder
from tests.siege.bystanders import Bystanders, Experience
from tests.siege.waves import WAVES, roll
from tests.support.tokens import make_keys, payload_of, raw_token, resigned, token_for
from tests.torture.process import ClinicProcess
from tests.torture.silo import CLINIC

SLOWEST_MS = 250.0
"""What 99 of 100 calls of others stay under."""

_MOST_FAILED = 0.001
_MOST_GROWTH_MIB = 16.0
_SLOWEST_CALL_S, _SLOWEST_END_S = 5.0, 8.0
_MIB = 1024


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one class of attacks went."""

    attempts: int
    through: tuple[str, ...] = ()  # what it got, each in a line
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """What attackers know; it goes to another process."""

    address: str
    tokens: Mapping[str, str]  # by the name that a wave uses
    bad_tokens: tuple[str, ...]


Attack = Callable[[Target, float], Outcome]


def attack_by_wave(name: str, target: Target, seconds: float) -> Outcome:
    """Send one of the waves."""
    return Outcome(roll(target.address, WAVES[name], target.tokens, seconds))


def attack_by_forgery(target: Target, seconds: float) -> Outcome:
    """Call with tokens that nobody of this mesh signed, or not so."""
    attempts, accepted, until = 0, set(), time.monotonic() + seconds
    while time.monotonic() < until:
        # A connection is heard no longer after ten bad tokens.
        with grpc.insecure_channel(target.address, (("grpc.use_local_subchannel_pool", 1),)) as channel:
            stub = ClinicServiceStub(channel)
            for number, token in enumerate(target.bad_tokens):
                attempts += 1
                try:
                    metadata = (("authorization", f"Bearer {token}"),)
                    stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=5, metadata=metadata)
                except grpc.RpcError:
                    continue
                accepted.add(f"bad token {number} was accepted")
    return Outcome(attempts, tuple(sorted(accepted)))


def attack_by_all(target: Target, seconds: float) -> Outcome:
    """Send calls without a message, forged tokens and a patient's own at the limit of the rate, all at once."""
    mixed = ("half-open calls", "half-open calls with forged tokens", "large forms of one patient")
    turns = [mixed[number % len(mixed)] for number in range(max(3, int(seconds)))]
    attempts = sum(roll(target.address, WAVES[name], target.tokens, seconds / len(turns)) for name in turns)
    return Outcome(attempts, remark=f"{attempts / seconds:.0f} calls a second")


ATTACKS: Mapping[str, Attack] = {
    "all at once": attack_by_all,
    **{name: partial(attack_by_wave, name) for name in WAVES},
    "forged tokens": attack_by_forgery,
}
"""The classes of attacks on a clinic from outside; each must get nothing."""


class ClinicSiege:
    """A clinic in a process of its own, as it runs by default, and those who attack it; a context manager."""

    def __init__(self, folder: Path, slowest_ms: float = SLOWEST_MS) -> None:
        self._keys = make_keys(folder)
        self._slowest_ms = slowest_ms
        # Who bears slower calls bears a slower end.
        self._slowest_call_s, self._slowest_end_s = (
            max(usual_s, slowest_ms / 1000) for usual_s in (_SLOWEST_CALL_S, _SLOWEST_END_S)
        )
        self._clinic = ClinicProcess(folder / "silo", keys=self._keys.public, rate=None)
        self._address = self._clinic.address()
        self._attackers = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        self.target = Target(self._address, _tokens(self._keys), _bad_tokens(self._keys))

    def endure(self, attack: Attack, seconds: float) -> Outcome:
        """Let an attack go on for a while, and return how many attempts it made and what it got."""
        memory: list[float] = []
        with Bystanders(self._address, self._token_of, self._slowest_call_s) as others:
            attacking = self._attackers.submit(attack, self.target, seconds)
            while not attacking.done():
                memory.append(self._clinic.memory_mib())
                time.sleep(seconds / 20)
        made = attacking.result()
        through = [*made.through, *self._complaints("patients", others.patients), *_dead(self._clinic)]
        through += self._complaints("health", others.health)
        growth = _growth(memory)
        if growth > _MOST_GROWTH_MIB:
            through.append(f"memory grew by {growth:.0f} MiB")
        remark = f"others' p99 {others.patients.p99_ms:.0f} ms of {len(others.patients.seconds)}, health's "
        remark += f"{others.health.p99_ms:.0f} ms, memory {memory[0]:.0f} to {memory[-1]:.0f} MiB"
        return Outcome(made.attempts, tuple(through), f"{remark}; {made.remark}" if made.remark else remark)

    def end(self) -> Outcome:
        """Ask the clinic to end, and return what kept it from that."""
        begun = time.monotonic()
        status = self._clinic.end()
        took_s = time.monotonic() - begun
        through = [f"an orderly end came to exit status {status}"] if status else []
        if took_s > self._slowest_end_s:
            through.append(f"an orderly end took {took_s:.0f} s")
        return Outcome(1, tuple(through), f"took {took_s:.1f} s")

    def _token_of(self, number: int) -> str:
        return token_for(self._keys, f"111.222.333-{number:02d}", audience=CLINIC)

    def _complaints(self, who: str, lived: Experience) -> list[str]:
        calls = lived.failed + len(lived.seconds)
        through = []
        if lived.failed > _MOST_FAILED * calls:
            through.append(f"{who}: {lived.failed} of {calls} calls failed, such as {lived.failures.most_common(1)[0]}")
        if lived.p99_ms > self._slowest_ms:
            through.append(f"{who}: p99 {lived.p99_ms:.0f} ms")
        return through

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._attackers.shutdown()
        self._clinic.__exit__()


def _growth(memory: list[float]) -> float:
    # From the middle to the end: threads and buffers are there by then.
    half = memory[len(memory) // 2 :]
    quarter = max(1, len(half) // 4)
    return statistics.median(half[-quarter:]) - statistics.median(half[:quarter])


def _dead(clinic: ClinicProcess) -> list[str]:
    return [] if clinic.is_alive else ["the clinic ended"]


def _tokens(keys: KeyFolder) -> Mapping[str, str]:
    patient = token_for(keys, audience=CLINIC, ttl_s=3600)
    return {"patient": patient, "forged": patient[:-8] + "AAAAAAAA"}


def _bad_tokens(keys: KeyFolder) -> tuple[str, ...]:
    good = token_for(keys, audience=CLINIC)
    header, payload, signature = good.split(".")
    return (
        "",
        f"{header}.{payload}.",
        f"{header}.{payload}.{signature[:-8]}AAAAAAAA",
        f"{header}.{payload}.{signature}.{signature}",
        raw_token({"alg": "none"}, payload_of(good), None),
        resigned(keys, good, scope="read write records", role="operator"),
        resigned(keys, good, aud="clinic_a"),
        resigned(keys, good, exp=payload_of(good)["iat"] - 60),
        resigned(keys, good, iss="operator"),
    )
