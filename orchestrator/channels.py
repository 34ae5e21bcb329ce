"""One gRPC channel an agent, opened when it is first needed and kept for the session."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

import grpc

from mesh.channel import open_channel
from orchestrator.contract import SERVICE
from orchestrator.registry import Agent


class Channels:
    """Channels by address; a context manager that closes them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, grpc.Channel] = {}

    def to(self, agent: Agent) -> grpc.Channel:
        """Return the channel to an agent."""
        with self._lock:
            channel = self._open.get(agent.address)
            if channel is None:
                channel = self._open[agent.address] = open_channel(agent.address, [SERVICE])
            return channel

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for channel in self._open.values():
            channel.close()
