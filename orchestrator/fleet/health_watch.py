"""Check the clinics' health in the background. No clinic is started or stopped here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

import grpc

from orchestrator.agents import serving

_TIMEOUT_S = 0.5


class HealthWatch:
    """The clinics' health, at most a few seconds old; a context manager that ends its thread.

    Args:
        channels: Returns the channels to the current clinics, by id; they stay open.
        up: The ids of the clinics that are known to be up at the start.
        interval_s: Seconds between two checks.

    Attributes:
        on_change: Called in the background thread when the health of any clinic has changed.
    """

    def __init__(
        self, channels: Callable[[], Mapping[str, grpc.Channel]], up: frozenset[str], interval_s: float = 2.0
    ) -> None:
        self.on_change: Callable[[], None] | None = None
        self._channels = channels
        self._up = up
        self._interval_s = interval_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="health-watch", daemon=True)

    @property
    def up(self) -> frozenset[str]:
        """The ids of the clinics whose last check succeeded."""
        return self._up

    def check(self) -> None:
        """Ask all clinics now, and return when all have answered or timed out."""
        self._up = serving(self._channels(), _TIMEOUT_S)

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
