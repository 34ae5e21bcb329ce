"""The temporary fleet with real clinics: fresh ones that answer, and nothing left of them, however the work ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orchestrator.agents.registry import Agent, Registry
from orchestrator.fleet.clinic_probe import Absence, Member, Present, probe
from orchestrator.fleet.fleet import TemporaryFleet, temporary_fleet
from orchestrator.fleet.process import FleetError

NOW = "2025-07-15T08:00-03:00"
TWO = Registry(
    {
        "clinic_a": Agent("clinic_a", "Cardiology", "127.0.0.1:1"),
        "clinic_b": Agent("clinic_b", "Dermatology", "198.51.100.7:8002"),
    }
)


class WorkFailedError(Exception):
    """What the work inside the fleet ends with."""


def members(fleet: TemporaryFleet) -> list[Member]:
    return [Member(agent.id, agent.address, fleet.silo(agent.id)) for agent in fleet.registry.values()]


def test_fresh_clinics_answer_at_addresses_of_their_own() -> None:
    with temporary_fleet(TWO, agenda="blueprint", now=NOW) as fleet:
        found = [probe(member, timeout_s=5.0) for member in members(fleet)]
        slots = json.loads((fleet.silo("clinic_a") / "db.json").read_text("utf-8"))["slots"]
    assert [(one.said.clinic_id, one.agenda, one.said.today) for one in found if isinstance(one, Present)] == [
        ("clinic_a", "blueprint", "2025-07-15"),
        ("clinic_b", "blueprint", "2025-07-15"),
    ]
    assert [agent.specialty for agent in fleet.registry.values()] == ["Cardiology", "Dermatology"]
    assert all(slot["available"] for slot in slots)


def test_neither_processes_nor_files_are_left_when_the_work_fails() -> None:
    with pytest.raises(WorkFailedError), temporary_fleet(TWO, agenda="blueprint", now=NOW) as fleet:
        raise WorkFailedError
    assert [probe(member) for member in members(fleet)] == [Absence.VACANT, Absence.VACANT]
    assert not fleet.folder.exists()


def test_an_agent_that_is_no_clinic_is_named_and_the_others_are_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    strange = Registry({**TWO, "clinic_z": Agent("clinic_z", "Cardiology", "127.0.0.1:3")})
    with (
        pytest.raises(FleetError, match=r"clinic_z: could not start: .+"),
        temporary_fleet(strange, agenda="blueprint", now=NOW),
    ):
        pytest.fail("it must not begin")
    assert list(tmp_path.iterdir()) == []
