"""Fleets of real clinic processes on free ports, gone when the test ends."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from orchestrator.fleet.clinic_probe import Member
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.process import Calendar, find_holders
from tests.support.free_ports import free_base_port
from tests.support.tokens import any_protection

JULY = Calendar("blueprint", "2025-07-15T08:00-03:00", "2025-07-15")

Launcher = Callable[..., Fleet]


@pytest.fixture
def base_port() -> int:
    return free_base_port()


@pytest.fixture
def data_dir(tmp_path: Path) -> Iterator[Path]:
    """A data folder; whatever clinic still runs from it when the test ends is killed."""
    yield tmp_path / "data"
    for holder in find_holders(tmp_path / "data"):
        os.kill(holder.pid, signal.SIGKILL)


@pytest.fixture
def members(base_port: int, data_dir: Path) -> list[Member]:
    return [
        Member(clinic, f"127.0.0.1:{base_port + place}", data_dir / "blueprint" / clinic)
        for place, clinic in enumerate(("clinic_a", "clinic_b"))
    ]


@pytest.fixture
def fleet(members: list[Member], tmp_path: Path) -> Iterator[Fleet]:
    fleet = Fleet(members, JULY, tmp_path / "logs", any_protection())
    yield fleet
    fleet.stop()
