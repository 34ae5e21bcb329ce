"""Those who only want an appointment: patients with a token of their own, and somebody who asks for health."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.channel import open_channel

_SERVICE = pb.DESCRIPTOR.services_by_name["ClinicService"]
_PATIENTS, _PAUSE_S = 6, 0.06
_CALLS_PER_TOKEN = 40


@dataclass(slots=True)
class Experience:
    """What one kind of bystanders lived through."""

    seconds: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> int:
        """How many calls failed, after what the channel repeats by itself."""
        return self.failures.total()

    @property
    def p99_ms(self) -> float:
        """The time that 99 of 100 answered calls stay under."""
        if len(self.seconds) < 2:
            return 1000 * self.seconds[0] if self.seconds else float("inf")
        return 1000 * statistics.quantiles(self.seconds, n=100, method="inclusive")[98]

    def note(self, call: Callable[[], object]) -> None:
        """Make a call and note how it went."""
        begun = time.monotonic()
        try:
            call()
        except grpc.RpcError as error:
            status = cast("grpc.Call", error)
            self.failures[f"{status.code().name}: {status.details()}"] += 1
        else:
            self.seconds.append(time.monotonic() - begun)


class Bystanders:
    """Callers in threads of their own, each for one call at least; a context manager that lets them go home."""

    def __init__(self, address: str, token_of: Callable[[int], str], timeout_s: float) -> None:
        self.patients, self.health = Experience(), Experience()
        self._address = address
        self._token_of = token_of
        self._timeout_s = timeout_s
        self._over = threading.Event()
        self._threads: Sequence[threading.Thread] = [
            *(threading.Thread(target=self._read, args=(number,)) for number in range(_PATIENTS)),
            threading.Thread(target=self._check),
        ]

    def _read(self, number: int) -> None:
        with open_channel(self._address, [_SERVICE]) as channel:
            stub, calls = ClinicServiceStub(channel), 0
            while calls == 0 or not self._over.wait(_PAUSE_S):
                if calls % _CALLS_PER_TOKEN == 0:
                    # One that the clinic has not seen yet, as a session brings every minute.
                    metadata = (("authorization", f"Bearer {self._token_of(number)}"),)
                calls += 1
                request = pb.ListAvailableSlotsRequest()
                self.patients.note(lambda: stub.ListAvailableSlots(request, timeout=self._timeout_s, metadata=metadata))  # noqa: B023

    def _check(self) -> None:
        with open_channel(self._address, ()) as channel:
            stub, is_over = health_pb2_grpc.HealthStub(channel), False
            while not is_over:
                self.health.note(lambda: stub.Check(health_pb2.HealthCheckRequest(), timeout=self._timeout_s))
                is_over = self._over.wait(_PAUSE_S)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
