"""What release 0.1.0 (4437c7a) left in a person's folder is used as it is.

The archive holds the folder after one evening: settings in .env, six silos with two appointments of an invented person,
keys, a terminal's history, a memory, the log of the turns, a research session, and the id of a proposal that was not
confirmed.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from clinics.database import load
from clinics.ledger import Repeatable
from clinics.slots import Person
from tests.support.home import Home
from tests.support.tty import Tty
from tests.wire.parity.doors import TRACE, TypedDoor

ME = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
FOLDER = Path(__file__).with_name("release-0.1.0.tar.gz")
SLOT = {"doctor", "specialty", "date", "time", "available", "patient_name", "cpf"}
FERNANDO = ("2025-07-19", "14:00", "Maria Souza")
RICARDO = ("2025-07-21", "09:00", "Maria Souza")
MARINA = ("2025-07-22", "10:00", "Maria Souza")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    folder = tmp_path / "home"
    folder.mkdir()
    subprocess.run(["tar", "-x", "-f", str(FOLDER), "-C", str(folder)], check=True)
    home = Home(folder)
    for name in ("CLINIC_MESH_DATA_DIR", "CLINIC_MESH_AGENDA", "CLINIC_MESH_NOW"):
        del home.environment[name]  # .env says them
    yield home
    home.close()


@pytest.mark.long
def test_a_terminal_knows_the_appointments_the_history_and_the_memory(home: Home) -> None:
    assert (home.taken("clinic_c"), home.taken("clinic_a")) == ([FERNANDO], [RICARDO])
    tty = Tty(home, **ME)
    try:
        tty.wait_for("Olá, Maria!", "clínicas 6/6")
        tty.say("/history", "marque com o Dr. Ricardo Lopes dia 21/07 às 9h", "/bookings")
        tty.say("/memory", "não posso às sextas de manhã")
        openings = tty.say("/slots cardiologia", "18/07/2025", "você não pode")
        assert "19/07/2025" not in openings
        tty.say("cancelar minha consulta com o Dr. Ricardo Lopes dia 21/07/2025 às 09:00", "Confirma?")
        tty.say("sim", "Consulta cancelada")
        tty.say(
            "quero remarcar a consulta com o Dr. Fernando Mendes do dia 19/07 às 14h para 24/07 às 16h", "Confirma?"
        )
        tty.say("sim", "24/07/2025")
        tty.send("/quit\r")
        assert tty.wait_for_end() == 0
    finally:
        tty.close()
    assert (home.taken("clinic_c"), home.taken("clinic_a")) == ([("2025-07-24", "16:00", "Maria Souza")], [])
    slots = json.loads((home.data / "blueprint" / "clinic_c" / "db.json").read_text("utf-8"))["slots"]
    assert set(slots[0]) >= SLOT


@pytest.mark.long
def test_appointments_gain_ids_and_lengths_that_stay_and_the_slots_stay_as_they_are(home: Home) -> None:
    clinics = ("clinic_a", "clinic_c")
    before = {clinic: slots_of(home, clinic) for clinic in clinics}
    assert home.run("up", "--detach").returncode == 0
    first = {clinic: own_appointments(home, clinic) for clinic in clinics}
    for clinic in clinics:
        assert home.run("restart", clinic).returncode == 0
    assert {clinic: own_appointments(home, clinic) for clinic in clinics} == first
    assert {clinic: slots_of(home, clinic) for clinic in clinics} == before
    assert [[(one["date"], one["time"]) for one in listed] for listed in first.values()] == [
        [RICARDO[:2]],
        [FERNANDO[:2]],
    ]
    for (one,) in first.values():
        assert (bool(one["appointment_id"]), one["revision"], one["duration_min"] > 0) == (True, 0, True)


def slots_of(home: Home, clinic: str) -> list[dict[str, object]]:
    slots: list[dict[str, object]] = json.loads((home.data / "blueprint" / clinic / "db.json").read_bytes())["slots"]
    return slots


def own_appointments(home: Home, clinic: str) -> list[dict[str, Any]]:
    token = home.run("token", "--clinic", clinic, environment=ME).stdout.strip()
    with grpc.insecure_channel(home.holder(clinic).address) as channel:
        answer = TypedDoor(channel, (*TRACE, ("authorization", f"Bearer {token}"))).ask("list_appointments", {})
    assert isinstance(answer, dict), answer
    return list(answer["appointments"])


def test_a_write_that_was_made_then_is_known_by_its_request_id(home: Home) -> None:
    silo = home.data / "blueprint" / "clinic_a"
    ((request_id, record),) = load(silo / "db.json").ledger.records.items()
    content = ("book_appointment", "Dr. Ricardo Lopes", *RICARDO[:2])
    write = Repeatable(request_id, content, Person("Maria Souza", "529.982.247-25"))
    secret = bytes.fromhex((silo / "digest.key").read_text("ascii"))
    assert write.former_fingerprint(secret) == (request_id, record.digest)


def test_a_proposal_is_confirmed_with_the_id_that_it_was_given_then(home: Home) -> None:
    proposal = (home.folder / "proposal.txt").read_text("utf-8").strip()
    words = ("ask", "marque com a Dra. Marina Teles dia 22/07 às 10h", "--no-start")
    assert home.run("restart", "clinic_b").returncode == 0
    done = home.run(*words, "--confirm", proposal, "--output", "jsonl", environment=ME)
    assert (done.returncode, json.loads(done.stdout)["outcome"]) == (0, "ok")
    assert home.taken("clinic_b") == [MARINA]


def test_a_research_session_is_listed_and_taken_up_again(home: Home) -> None:
    (listed,) = home.call("research", "--list", "--output", "jsonl").stdout.splitlines()
    kept = json.loads(listed)
    assert (kept["stage"], kept["versions"], kept["question"]) == (
        "validating",
        1,
        "Como a caminhada impacta as faltas?",
    )
    again = ("research", "--no-start", "--session", kept["session_id"][:8], "--output", "jsonl")
    done = home.call(*again, lines="adultos 18-40 anos; quem não caminha; 12 meses\n")
    assert (done.returncode, "V2" in done.stdout) == (0, True)


def test_the_log_of_the_turns_is_counted_and_drawn(home: Home) -> None:
    assert "7 turns of 2 conversations" in home.call("stats").stdout
    drawn = home.call("trace", "last").stdout
    assert drawn.startswith("sequenceDiagram")
