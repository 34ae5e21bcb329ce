"""A clinic and a tool are added to a copy of the repository as the README says, and work."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.free_ports import free_base_port
from tests.support.home import ROOT, Home

ME = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-09"}


@pytest.fixture
def product(tmp_path: Path) -> Path:
    for name in ("generated", "mesh", "clinics", "orchestrator", "prompts", "protos", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / "product" / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "product"


@pytest.fixture
def home(tmp_path: Path, product: Path) -> Home:
    person = Home(tmp_path / "person")
    patience = ROOT / "tests" / "support" / "patience"
    person.environment |= {
        **ME,
        "PYTHONPATH": f"{patience}:{product}",
        "CLINIC_MESH_BASE_PORT": str(free_base_port()),
        "CLINIC_MESH_REGISTRY": str(product / "orchestrator" / "capabilities.yaml"),
    }
    return person


def insert(path: Path, before: str, text: str) -> None:
    old = path.read_text("utf-8")
    assert before in old
    path.write_text(old.replace(before, text + before, 1), "utf-8")


def section(title: str, language: str) -> list[str]:
    """Return the blocks of a section of the README."""
    text = (ROOT / "README.md").read_text("utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.mark.long
def test_a_clinic_is_added_and_a_mistake_in_it_stops_it_alone(product: Path, home: Home) -> None:
    profile, words = section("Adding a clinic", "json")
    (lines,) = section("Adding a clinic", "yaml")
    folder = product / "clinics" / "clinic_g"
    folder.mkdir()
    (folder / "clinic.json").write_text(profile, "utf-8")
    (folder / "patients.json").write_text('{"patients": []}', "utf-8")
    (product / "clinics" / "specialties" / "neurology.json").write_text(words, "utf-8")
    insert(product / "orchestrator" / "capabilities.yaml", "\n# An agent's score", lines)

    listed = home.run("ask", "quero um neurologista na quinta", is_cold=True)
    assert (listed.returncode, listed.stderr) == (0, listed.stderr)
    assert "Neurologia" in listed.stdout
    assert "Dra. Íris Salgado" in listed.stdout

    (folder / "clinic.json").write_text(profile.replace('  "label": "Neurologia",\n', ""), "utf-8")
    others = home.run("ask", "horários de cardiologia", is_cold=True)
    assert "Dr. Ricardo Lopes" in others.stdout
    assert re.search(
        r'clinic_g: could not start: .*clinic_g/clinic\.json: .*the field "label" is missing', others.stderr
    )


@pytest.mark.long
def test_a_tool_is_added(product: Path, home: Home) -> None:
    rpc, messages = section("Adding a tool", "proto")
    (handler,) = section("Adding a tool", "python")
    contract = product / "protos" / "clinic" / "v1" / "clinic_service.proto"
    service, end, rest = contract.read_text("utf-8").partition("\n}\n")  # of the file's first block, the service
    assert "service ClinicService {" in service
    contract.write_text(f"{service}\n\n{rpc}{end}{rest}\n{messages}", "utf-8")
    subprocess.run([sys.executable, "scripts/generate.py"], cwd=product, check=True, timeout=60)

    lacking = home.run("up", "--detach", is_cold=True)
    assert lacking.returncode == 69
    said = "there is no method ClinicServicer.count_open_slots, which clinic.v1.ClinicService.CountOpenSlots needs"
    assert lacking.stderr.count(said) == 1

    insert(product / "clinics" / "servicer.py", "\n\ndef _summary(", f"\n{handler}")
    insert(
        product / "orchestrator" / "capabilities.yaml", "        - list_appointments\n", "        - count_open_slots\n"
    )
    counted = home.run("call", "clinic_a", "count_open_slots", is_cold=True)
    assert (counted.returncode, counted.stdout) == (0, '{"count": 6}\n'), counted.stderr
