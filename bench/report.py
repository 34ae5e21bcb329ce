"""What a run found, as a table for people and as JSON for programs; goals are compared, never rounded in our favour."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench.measure import Figure

_LIBRARIES = ("grpcio", "protobuf", "orjson", "fastapi", "uvicorn", "requests", "mcp")
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure and what it should be.

    Attributes:
        figure: The figure, mostly a ratio.
        limit: The goal.
        at_least: Whether more is better; else less is.
        note: What to know when reading it.
    """

    figure: Figure
    limit: float
    at_least: bool = False
    note: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the median keeps to the limit."""
        return self.figure.median >= self.limit if self.at_least else self.figure.median <= self.limit


@dataclass(slots=True)
class Section:
    """One piece of work.

    Attributes:
        work: What is measured.
        figures: Of each contender.
        goals: What they should come to.
        remarks: What else was seen.
    """

    work: str
    figures: list[Figure] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the section as lines."""
        lines = [f"\n{self.work}"]
        lines += [f"  {figure.name:58} {_spread(figure)}" for figure in self.figures]
        for goal in self.goals:
            sign, said = (">=" if goal.at_least else "<="), ("met" if goal.is_met else "MISSED")
            limit = f"goal {sign} {goal.limit:g}{' ' * bool(goal.figure.unit)}{goal.figure.unit}"
            note = f" ({goal.note})" if goal.note else ""
            lines.append(f"  = {goal.figure.name:56} {_spread(goal.figure)}  {limit}: {said}{note}")
        return "\n".join([*lines, *(f"  {remark}" for remark in self.remarks)])

    def as_json(self) -> Mapping[str, object]:
        """Return the section as JSON values."""
        return {
            "work": self.work,
            "figures": [_figure(figure) for figure in self.figures],
            "goals": [
                {
                    **_figure(goal.figure),
                    "limit": goal.limit,
                    "sense": "at least" if goal.at_least else "at most",
                    "met": goal.is_met,
                }
                for goal in self.goals
            ],
            "remarks": self.remarks,
        }


def machine() -> Mapping[str, object]:
    """Return where and when a run is made, the machine's load included."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "cores": os.cpu_count(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
        "kernel": platform.release(),
        "python": platform.python_version(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
    }


def write_json(path: Path, before: Mapping[str, object], sections: Iterable[Section]) -> None:
    """Write a run.

    Args:
        path: The file.
        before: What `machine` said when the run began.
        sections: What was found.
    """
    content = {
        "machine": before,
        "load_average_after": [round(load, 2) for load in os.getloadavg()],
        "sections": [section.as_json() for section in sections],
    }
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _spread(figure: Figure) -> str:
    low, high = min(figure.rounds), max(figure.rounds)
    return f"{_number(figure.median):>9} {figure.unit:8} ({_number(low)} to {_number(high)})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def _figure(figure: Figure) -> Mapping[str, object]:
    return {
        "name": figure.name,
        "unit": figure.unit or "ratio",
        "median": figure.median,
        "min": min(figure.rounds),
        "max": max(figure.rounds),
        "rounds": figure.rounds,
    }


def _commit() -> str:
    command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
