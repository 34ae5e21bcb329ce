"""Ask the clinics who they are, all at once, over one gRPC channel an agent that is kept for the session."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self

import grpc

from mesh.channel import open_channel
from mesh.telemetry import Telemetry
from mesh.tls import ClientTls
from orchestrator.agents.agent_probe import ask_clinic
from orchestrator.agents.registry import Agent, Registry
from orchestrator.turn import SERVICE, Clinic, Introduction


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


ASK_AGAIN_AFTER_S = 2.0
"""Seconds for which a clinic that did not answer is left alone."""

NOBODY: Mapping[str, Introduction] = {}

_TIMEOUT_S = 1.0

_log = logging.getLogger(__name__)


class MeshDirectory:
    """The `Directory` of a registry's clinics, as they describe themselves; `met` says what some have just said.

    A clinic that does not answer is left alone for `ask_again_after_s` seconds: asking it would delay every turn.
    """

    def __init__(
        self,
        registry: Registry,
        channels: Channels,
        met: Mapping[str, Introduction] = NOBODY,
        *,
        ask_again_after_s: float = ASK_AGAIN_AFTER_S,
    ) -> None:
        self._registry = registry
        self._channels = channels
        self._ask_again_after_s = ask_again_after_s
        self._lock = threading.Lock()
        # By all that the registry says of an agent: one that has moved since is asked again.
        self._known = {
            agent: Clinic(agent.id, met[agent.id].name, agent.specialty, met[agent.id].doctors)
            for agent in registry.values()
            if agent.id in met
        }
        self._asked_at: dict[Agent, float] = {}

    def clinics(self) -> tuple[Clinic, ...]:
        """Return every clinic of the registry; those that never answered have no doctors."""
        with self._lock:
            agents, now = tuple(self._registry.values()), time.monotonic()
            due = [agent for agent in agents if agent not in self._known and self._is_due(agent, now)]
            if due:
                self._known.update(self._ask(due))
                self._asked_at.update(dict.fromkeys(due, time.monotonic()))
            return tuple(self._known.get(agent, Clinic(agent.id, agent.id, agent.specialty)) for agent in agents)

    def _is_due(self, agent: Agent, now: float) -> bool:
        return now - self._asked_at.get(agent, float("-inf")) >= self._ask_again_after_s

    def _ask(self, agents: Sequence[Agent]) -> Mapping[Agent, Clinic]:
        with ThreadPoolExecutor(max_workers=len(agents), thread_name_prefix="directory") as pool:
            answers = tuple(pool.map(self._describe, agents))
        return {agent: clinic for agent, clinic in zip(agents, answers, strict=True) if clinic is not None}

    def _describe(self, agent: Agent) -> Clinic | None:
        try:
            answer = ask_clinic(self._channels.to(agent), _TIMEOUT_S)
        except grpc.RpcError:
            return None
        if answer.clinic_id != agent.id:
            _log.error("%s is registered at %s, but %s answers there", agent.id, agent.address, answer.clinic_id)
            return None
        return Clinic(agent.id, answer.name, agent.specialty, tuple(doctor.name for doctor in answer.doctors))
