"""Keeps asking the clinics whether they are well, in the background, for whoever shows it.

It starts and stops no clinic: one that died stays dead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from orchestrator.turn import SERVICE

_TIMEOUT_S = 0.5


class Pulse:
    """The clinics' health, at most a few seconds old; a context manager that ends its thread.

    Args:
        channels: Returns those to the clinics that there are now, by id; they stay open.
        up: The ids of the clinics that are known to be well now.
        interval_s: Seconds between two checks.

    Attributes:
        on_change: Called in the background thread after any clinic's health has changed; None calls nothing.
    """

    def __init__(
        self, channels: Callable[[], Mapping[str, grpc.Channel]], up: frozenset[str], interval_s: float = 2.0
    ) -> None:
        self.on_change: Callable[[], None] | None = None
        self._channels = channels
        self._up = up
        self._interval_s = interval_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="pulse", daemon=True)

    @property
    def up(self) -> frozenset[str]:
        """The ids of the clinics whose last check was good."""
        return self._up

    def check(self) -> None:
        """Ask all clinics now; returns when all have answered or had their time."""
        request = health_pb2.HealthCheckRequest(service=SERVICE.full_name)
        calls = {
            clinic: health_pb2_grpc.HealthStub(channel).Check.future(request, timeout=_TIMEOUT_S)
            for clinic, channel in self._channels().items()
        }
        self._up = frozenset(clinic for clinic, call in calls.items() if _is_serving(call))

    def _beat(self) -> None:
        while not self._ended.wait(self._interval_s):
            before = self._up
            self.check()
            if self._up != before and self.on_change is not None:
                self.on_change()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()


def _is_serving(call: grpc.Future[health_pb2.HealthCheckResponse]) -> bool:
    try:
        return bool(call.result().status == health_pb2.HealthCheckResponse.SERVING)
    except (grpc.RpcError, grpc.FutureCancelledError):
        return False
