"""A new specialty is data and registration: a clinic's folder, the specialty's words, and lines of the registry."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.free_ports import free_base_port
from tests.support.home import ROOT, Home

CLINIC = {
    "id": "clinic_g",
    "name": "Clínica G",
    "specialty": "Lumenology",
    "label": "Lumenologia",
    "doctors": [{"name": "Dra. Íris Salgado", "hours": {"thursday": ["10:00"]}}],
    "blueprint": [{"doctor": "Dra. Íris Salgado", "date": "2025-07-17", "time": "10:00"}],
}
WORDS = {
    "names": ["lumenolog*", "lumeno", "light doctor"],
    "complaints": ["brilho ... (apagando|fraco)"],
    "body": ["aura*"],
}
AGENT = """
agents:
  - id: clinic_g
    service: clinic.v1.ClinicService
    match:
      intents: [list_available_slots, book_appointment, reschedule_appointment, cancel_appointment, list_appointments]
      domains: [Lumenology]
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    product = tmp_path / "product"
    for package in ("generated", "mesh", "clinics", "orchestrator", "prompts"):
        shutil.copytree(ROOT / package, product / package)
    folder = product / "clinics" / "clinic_g"
    folder.mkdir()
    (folder / "clinic.json").write_text(json.dumps(CLINIC), "utf-8")
    (folder / "patients.json").write_text('{"patients": []}', "utf-8")
    (product / "clinics" / "specialties" / "lumenology.json").write_text(json.dumps(WORDS), "utf-8")
    registry = tmp_path / "capabilities.yaml"
    rest = (ROOT / "orchestrator" / "capabilities.yaml").read_text("utf-8").partition("\nrouting:")
    registry.write_text(AGENT + "".join(rest[1:]), "utf-8")
    person = Home(tmp_path / "person")
    person.environment |= {
        "PYTHONPATH": f"{ROOT / 'tests/support/patience'}:{product}",
        "CLINIC_MESH_REGISTRY": str(registry),
        "CLINIC_MESH_BASE_PORT": str(free_base_port()),
        "CLINIC_MESH_NAME": "Carlos Teste",
        "CLINIC_MESH_CPF": "123.456.789-09",
    }
    return person


@pytest.mark.long
def test_a_specialty_nobody_has_heard_of_is_understood_booked_and_spoken_of(home: Home) -> None:
    assert home.run("up", "--detach", "--wait", is_cold=True).returncode == 0
    try:
        for utterance in ("quero um lumenologista na quinta de manhã", "meu brilho anda fraco, tem lumeno?"):
            listed = home.run("ask", utterance, is_cold=True)
            assert "Lumenologia" in listed.stdout, listed.stdout
            assert "Dra. Íris Salgado" in listed.stdout, listed.stdout
        other = home.run("ask", "what do you have?", is_cold=True)
        assert "Lumenology" in other.stdout, other.stdout
        booked = home.run("ask", "lumeno com a Dra. Íris Salgado quinta às 10h, pode marcar", "--yes", is_cold=True)
        assert booked.returncode == 0, booked.stdout
        assert home.taken("clinic_g") == [("2025-07-17", "10:00", "Carlos Teste")]
    finally:
        home.run("down", is_cold=True)
