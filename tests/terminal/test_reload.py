"""The registry of a running terminal: read again by /reload and SIGHUP, refused with its line, shown by status."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from orchestrator.fleet.process import find_holders
from tests.support.home import Home
from tests.support.tty import Tty

IDENTITY = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
CLINIC_C = re.compile(r"  - id: clinic_c\n(?:    .*\n)+")
OWN = resources.files("orchestrator").joinpath("capabilities.yaml").read_text("utf-8")


def addressed(text: str, home: Home) -> str:
    """The registry with every address written out, so that an agent keeps its own when another is taken out."""
    port = int(home.environment["CLINIC_MESH_BASE_PORT"])
    for place, agent in enumerate([*(f"clinic_{letter}" for letter in "abcdef"), "memory"]):
        entry = f"  - id: {agent}\n"
        text = text.replace(entry, f"{entry}    address: 127.0.0.1:{port + place}\n")
    return text


def registry_of(home: Home) -> Path:
    """Give a machine a registry of its own."""
    file = home.folder / "mesh.yaml"
    file.write_text(addressed(OWN, home), "utf-8")
    home.environment["CLINIC_MESH_REGISTRY"] = str(file)
    return file


@pytest.fixture
def registry(served_home: Home) -> Path:
    return registry_of(served_home)


@pytest.fixture
def tty(served_home: Home, registry: Path) -> Iterator[Tty]:
    tty = Tty(served_home, **IDENTITY)
    tty.wait_for("Olá, Maria!", "clínicas 6/6")
    yield tty
    tty.close()


def test_an_agent_that_is_taken_out_is_no_longer_called_and_one_that_is_put_in_is(tty: Tty, registry: Path) -> None:
    whole = registry.read_text("utf-8")
    tty.say("/slots cardiologia", "Dr. Fernando Mendes", "Dr. Ricardo Lopes")
    registry.write_text(CLINIC_C.sub("", whole), "utf-8")
    tty.say("/reload", "agentes: 5.", "Não são mais chamados: clinic_c.")
    assert "Dr. Fernando Mendes" not in tty.say("/slots cardiologia", "Dr. Ricardo Lopes")
    tty.wait_for("clínicas 5/5")
    registry.write_text(whole, "utf-8")
    tty.say("/reload", "agentes: 6.", "Novos: clinic_c.")
    tty.say("/slots cardiologia", "Dr. Fernando Mendes", "Dr. Ricardo Lopes")


def test_a_signal_reloads_at_the_prompt_and_keeps_what_was_typed(served_home: Home, tty: Tty, registry: Path) -> None:
    whole = registry.read_text("utf-8")
    tty.wait_for_prompt()
    tty.send("/slots card")
    tty.wait_for("você> /slots card")
    registry.write_text(CLINIC_C.sub("", whole), "utf-8")
    os.kill(tty.pid, signal.SIGHUP)
    tty.wait_for("Registro lido de novo; agentes: 5. Não são mais chamados: clinic_c.")
    tty.send("iologia\r")
    tty.wait_for("Dr. Ricardo Lopes")
    assert "Dr. Fernando Mendes" not in tty.text
    registry.write_text(whole.replace("topk: 2", "topk: none"), "utf-8")
    os.kill(tty.pid, signal.SIGHUP)
    tty.wait_for("O registro não pôde ser usado e continua como estava", "routing.topk: ")
    tty.say("/clinics", "Clínica A")
    assert len(served_home.holders) == 6


@pytest.mark.long
def test_a_window_that_is_closed_ends_the_terminal_although_a_signal_would_reload_it(home: Home) -> None:
    registry_of(home)
    tty = Tty(home, **IDENTITY)
    try:
        tty.wait_for("Olá, Maria!", "clínicas 6/6")
        tty.hang_up()
    finally:
        tty.close()
    assert find_holders(home.data) == []


@pytest.mark.long
def test_a_mistake_in_the_registry_ends_the_start_with_its_line_and_leaves_no_clinic(home: Home) -> None:
    registry = registry_of(home)
    text = registry.read_text("utf-8")
    line = text[: text.index("cancel_appointment")].count("\n") + 1
    registry.write_text(text.replace("- cancel_appointment", "- cancel_apointment"), "utf-8")
    for arguments in (["ask", "oi"], ["status"], ["up"]):
        done = home.run(*arguments, environment=IDENTITY)
        assert f"mesh.yaml: line {line}: agents[0].match.intents[3]: no tool of its service; they are: " in done.stderr
        assert done.returncode == 2
    assert find_holders(home.data) == []


def test_status_shows_what_each_agent_offers_beside_what_the_registry_wants(served_home: Home, registry: Path) -> None:
    served_home.signal("clinic_b", signal.SIGKILL)
    done = served_home.run("status", "-o", "json")
    agents = {each["clinic"]: each for each in json.loads(done.stdout)["clinics"]}
    one = agents["clinic_a"]
    assert (one["service"], one["domains"]) == ("clinic.v1.ClinicService", ["Cardiology"])
    assert sorted(one["intents"]) == sorted(one["tools"])
    assert one["lacking"] == []
    assert (agents["clinic_b"]["health"], agents["clinic_b"]["tools"]) == ("down", None)
    assert done.returncode == 3
    assert "tools" in served_home.run("status").stdout
