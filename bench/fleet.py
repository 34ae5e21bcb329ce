"""Six clinics as the orchestrator starts them, with keys, on free ports, and what it needs to speak to them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.clinic import clinic_arguments, make_keys
from bench.processes import ROOT, Server, scratch, start
from orchestrator.agents.registry import Agent, Registry
from orchestrator.agents.registry_file import read_registry
from orchestrator.security.token_keys import Protection

_BASE_PORT = 8001


@dataclass(frozen=True, slots=True)
class Fleet:
    """Clinics that run.

    Attributes:
        registry: Where they are.
        protection: What tokens for them are signed with.
        servers: Their processes.
        started_s: The seconds that each took from its command to listening.
        folder: Holds their silos.
    """

    registry: Registry
    protection: Protection
    servers: tuple[Server, ...]
    started_s: tuple[float, ...]
    folder: Path


@contextmanager
def open_fleet(tree: Path = ROOT) -> Iterator[Fleet]:
    """Yield the six clinics of a tree with the blueprint's agenda, started one after another."""
    with ExitStack() as parts:
        folder = parts.enter_context(scratch())
        keys = make_keys(folder)
        servers: list[Server] = []
        times: list[float] = []
        registry = read_registry(_BASE_PORT)
        for clinic in registry:
            started = time.perf_counter()
            server = start("clinics", clinic_arguments(folder / clinic, keys.public, clinic), tree)
            times.append(time.perf_counter() - started)
            parts.callback(server.stop)
            servers.append(server)
        agents = {
            agent.id: Agent(agent.id, agent.specialty, server.address)
            for agent, server in zip(registry.values(), servers, strict=True)
        }
        yield Fleet(Registry(agents), Protection(keys), tuple(servers), tuple(times), folder)
