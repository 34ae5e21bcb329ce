"""`clinic-mesh plan` as a process: a plan a line, nothing written, nothing personal, bad lines named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.home import Home

PERSON = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-00"}
CASES = (
    {"id": "openings", "history": [], "utterance": "dermatologista na quinta"},
    {"id": 2, "history": [], "utterance": "marca com o Dr. Fernando Mendes dia 18/07 às 10h"},
    {
        "id": "consent",
        "history": [
            {"role": "system", "content": "You book visits."},
            {"role": "user", "content": "the earliest cardiologist"},
            {"role": "assistant", "content": "Dr. Fernando Mendes, July 18 at 10:00. Shall I book it?"},
        ],
        "utterance": "yes please",
        "expected": {"kind": "steps"},
    },
    {"id": "staff", "history": [], "utterance": "listar os pacientes da clínica D"},
    {"id": "urgent", "history": [], "utterance": "dor forte no peito e falta de ar"},
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def planned(home: Home, *, role: str = "patient") -> dict[object, dict[str, Any]]:
    """What the command prints for the cases, by id."""
    lines = "\n".join(map(json.dumps, CASES))
    environment = {**PERSON, "CLINIC_MESH_ROLE": role}
    ended = home.call("plan", "--input", "-", "--planner", "local", lines=lines, environment=environment)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Carlos" not in ended.stdout
    assert "789" not in ended.stdout
    records = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [list(record) for record in records] == [["id", "kind", "steps", "say"]] * len(CASES)
    return {record["id"]: record for record in records}


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> tuple[Home, dict[object, dict[str, Any]]]:
    """A patient's machine after the cases were planned on it, and what was printed."""
    home = Home(tmp_path_factory.mktemp("patient") / "home")
    return home, planned(home)


@pytest.mark.long
def test_every_case_is_planned_with_openings_of_real_clinics_and_nothing_is_left(
    patient: tuple[Home, dict[object, dict[str, Any]]],
) -> None:
    home, records = patient
    assert [(step["clinic"], step["action"]) for step in records["openings"]["steps"]] == [
        ("clinic_b", "list_available_slots"),
        ("clinic_f", "list_available_slots"),
    ]
    assert "Dra. Marina Teles" in records["openings"]["say"]
    booking = {
        "clinic": "clinic_c",
        "action": "book_appointment",
        "parameters": {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"},
    }
    assert records[2]["steps"] == records["consent"]["steps"] == [booking]
    assert "sexta-feira, 18/07/2025" in records[2]["say"]
    assert "192" in records["urgent"]["say"]
    assert records["urgent"]["steps"] == []
    assert list(home.folder.rglob("*")) == []


def test_the_role_decides_what_staff_may_ask(home: Home, tmp_path: Path) -> None:
    registry = tmp_path / "one.yaml"  # of one clinic, which starts sooner than six
    clinic_d = "{id: clinic_d, service: clinic.v1.ClinicService, match: {intents: [list_available_slots, list_patients]"
    registry.write_text(f"agents:\n  - {clinic_d}, domains: [Orthopedics]}}}}\n", "utf-8")
    home.environment["CLINIC_MESH_REGISTRY"] = str(registry)
    assert planned(home)["staff"]["kind"] == "refuse"
    (step,) = planned(home, role="operator")["staff"]["steps"]
    assert (step["clinic"], step["action"]) == ("clinic_d", "list_patients")


def test_bad_lines_are_named_before_any_clinic_is_started(home: Home, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"id": 1, "utterance": "oi"}\n\n{"id": 2}\nnot json, 529.982.247-25\n', "utf-8")
    ended = home.call("plan", "--input", str(cases))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        f"clinic-mesh: {cases}:3: utterance: Field required\nclinic-mesh: {cases}:4: no JSON object\n"
    )


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_an_input_that_cannot_be_read_is_named(home: Home, tmp_path: Path, content: bytes | None) -> None:
    cases = tmp_path / "cases.jsonl"
    if content is not None:
        cases.write_bytes(content)
    ended = home.call("plan", "--input", str(cases))
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"clinic-mesh: {cases}: ")
