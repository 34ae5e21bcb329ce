"""One gRPC channel an agent, opened when it is first needed and kept for the session."""

from __future__ import annotations

import threading
from typing import Self

import grpc

from mesh.channel import open_channel
from mesh.telemetry import Telemetry
from mesh.tls import ClientTls
from orchestrator.agents.registry import Agent
from orchestrator.turn import SERVICE


class Channels:
    """Channels by address; a context manager that closes them. Without `tls` they speak in the clear."""

    def __init__(self, tls: ClientTls | None = None, telemetry: Telemetry | None = None) -> None:
        self._tls = tls
        self._telemetry = telemetry
        self._lock = threading.Lock()
        self._open: dict[str, grpc.Channel] = {}

    def to(self, agent: Agent) -> grpc.Channel:
        """Return the channel to an agent."""
        with self._lock:
            channel = self._open.get(agent.address)
            if channel is None:
                channel = open_channel(agent.address, [SERVICE], self._tls)
                if self._telemetry is not None:
                    channel = self._telemetry.observed(channel)
                self._open[agent.address] = channel
            return channel

    def hang_up(self) -> None:
        """Close all channels: calls under way end at once, and who asks for a channel later gets a new one."""
        with self._lock:
            channels, self._open = self._open, {}
        for channel in channels.values():
            channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()
