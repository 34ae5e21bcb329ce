"""Six fresh clinics: the memory that they take together, the time that one takes to start, and their first question.

The first token makes a clinic load what checks it; six that do so at once on two cores keep the first turn waiting.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

from bench.commits import HERE, Checkout, ratio
from bench.fanout import open_router
from bench.fleet import Fleet, open_fleet
from bench.measure import Figure
from bench.report import Goal, Section

_PSS_MIB, _START_MS = 150, 180


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


def compare(rounds: int, base: Checkout) -> list[Section]:
    """Measure the idle clinics of two commits.

    Args:
        rounds: How many fleets of each.
        base: What the working tree is measured beside.
    """
    memory: dict[str, list[float]] = {each.name: [] for each in (HERE, base)}
    started: dict[str, list[float]] = {each.name: [] for each in (HERE, base)}
    for number in range(rounds + 1):
        for each in (HERE, base):
            with open_fleet(each.tree) as fleet:
                if number:  # the first one compiles
                    memory[each.name].append(_pss_mib(fleet))
                    started[each.name] += [seconds * 1000 for seconds in fleet.started_s]
    sections: list[Section] = []
    for work, values, unit in (
        ("six idle clinics, PSS", memory, "MiB"),
        ("one clinic, from command to listening", started, "ms"),
    ):
        figures = {name: Figure(name, unit, tuple(found)) for name, found in values.items()}
        sections.append(Section(f"{work} ({rounds} fleets)", [*figures.values(), ratio(figures, base)]))
    return sections


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
