"""Six fresh clinics: the memory that they take together, the time that one takes to start, and their first question.

The first token makes a clinic load what checks it; six that do so at once on two cores keep the first turn waiting.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

from bench.fanout import open_router
from bench.fleet import Fleet, open_fleet
from bench.measure import Figure
from bench.report import Goal, Section

_PSS_MIB, _START_MS = 150, 120


def measure(rounds: int) -> list[Section]:
    """Measure fleets, one after another.

    Args:
        rounds: How many.
    """
    idle: list[float] = []
    called: list[float] = []
    first: list[float] = []
    started: list[float] = []
    _start_once()
    for _ in range(rounds):
        with open_fleet() as fleet:
            idle.append(_pss_mib(fleet))
            started += [seconds * 1000 for seconds in fleet.started_s]
            with ExitStack() as parts:
                ask = open_router(parts, fleet.registry, fleet.protection, is_warm=False)
                began = time.perf_counter()
                ask()
                first.append((time.perf_counter() - began) * 1000)
            called.append(_pss_mib(fleet))
    figures = [
        Figure("six idle clinics, PSS", "MiB", tuple(idle)),
        Figure("the same once each has checked a token", "MiB", tuple(called)),
        Figure("one clinic, from command to listening", "ms", tuple(started)),
        Figure("the first question to all six, tokens", "ms", tuple(first)),
    ]
    goals = [Goal(figures[0], _PSS_MIB), Goal(figures[2], _START_MS)]
    return [Section(f"idle clinics ({rounds} fleets)", figures, goals)]


def _start_once() -> None:
    """Start a fleet that is not measured: the first one compiles."""
    with open_fleet():
        pass


def _pss_mib(fleet: Fleet) -> float:
    """Return what the clinics take: memory that several share is divided between them (PSS, Linux only)."""
    return sum(_pss_kib(Path(f"/proc/{server.pid}/smaps_rollup")) for server in fleet.servers) / 1024


def _pss_kib(path: Path) -> int:
    line = next(line for line in path.read_text("ascii").splitlines() if line.startswith("Pss:"))
    return int(line.split()[1])
