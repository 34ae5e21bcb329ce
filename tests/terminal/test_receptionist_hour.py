"""A receptionist's hour at a real terminal over real clinics: six patients, a sick doctor, and what goes wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.tty import Tty

OPERATOR = {"CLINIC_MESH_NAME": "Ana Recepção", "CLINIC_MESH_CPF": "111.444.777-35", "CLINIC_MESH_ROLE": "operator"}
CPFS = {
    "Maria Silva": "529.982.247-25",
    "Bruno Costa": "153.509.460-56",
    "Clara Dias": "231.002.999-81",
    "Davi Rocha": "877.482.488-00",
    "Elisa Melo": "453.178.287-91",
}
MONDAY = "2025-07-21"


@pytest.fixture
def tty(home: Home) -> Iterator[Tty]:
    home.environment |= OPERATOR
    assert home.run("up", "--detach").returncode == 0
    tty = Tty(home)
    yield tty
    tty.close()


def serve(tty: Tty, name: str, cpf: str) -> None:
    """Serve a patient by name; the CPF is typed in the covered prompt."""
    tty.wait_for_prompt()
    tty.send(f"/patient {name}\r")
    tty.wait_for("CPF:")
    tty.send(f"{cpf}\r")
    tty.wait_for(f"Olá, {name.split(maxsplit=1)[0]}!", f"atendendo {name}")


def done(tty: Tty) -> None:
    tty.wait_for_prompt()
    tty.send("/done\r")
    tty.wait_for("Atendimento encerrado", "sai · Ana Recepção")


def test_a_patient_is_served_booked_for_and_left(served_home: Home) -> None:
    served_home.environment |= OPERATOR
    tty = Tty(served_home, ["--no-start"])
    try:
        tty.wait_for("Olá, Ana!")
        serve(tty, "Maria Silva", CPFS["Maria Silva"])
        tty.say("marca com o Dr. Ricardo na segunda às 9h", "Confirma?", "Maria Silva")
        tty.say("sim", "Consulta marcada")
        done(tty)
        assert served_home.taken("clinic_a") == [(MONDAY, "09:00", "Maria Silva")]
        assert CPFS["Maria Silva"] not in tty.output
    finally:
        tty.close()


@pytest.mark.long
def test_an_hour_at_the_front_desk(home: Home, tty: Tty) -> None:
    tty.wait_for("Olá, Ana!")
    tty.say("/done", "Ninguém está em atendimento")
    # The first patient comes with a CPF that lacks a digit, then with the right one.
    tty.send("/patient Maria Silva\r")
    tty.wait_for("CPF:")
    tty.send("529.982.247-2\r")
    tty.wait_for("O CPF tem onze dígitos")
    tty.send(f"{CPFS['Maria Silva']}\r")
    tty.wait_for("atendendo Maria Silva")
    assert "Maria Silva" in tty.say("marca com o Dr. Ricardo na segunda às 9h", "Confirma?")
    tty.say("sim", "Consulta marcada")
    done(tty)
    # The second one wants the very same time, and takes another.
    serve(tty, "Bruno Costa", CPFS["Bruno Costa"])
    assert "21/07/2025" in tty.say("marca com o Dr. Ricardo na segunda às 9h", "10:30")
    tty.say("marca com o Dr. Ricardo na segunda às 10:30", "Confirma?", "Bruno Costa")
    tty.say("sim", "Consulta marcada")
    assert home.taken("clinic_a") == [(MONDAY, "09:00", "Maria Silva"), (MONDAY, "10:30", "Bruno Costa")]
    # The third is served by a sentence; the second one's appointment is not theirs.
    tty.wait_for_prompt()
    tty.send(f"vou atender a Clara Dias, CPF {CPFS['Clara Dias']}\r")
    tty.wait_for("atendendo Clara Dias")
    assert "10:30" not in tty.say("quais são as minhas consultas?").rpartition("minhas consultas?")[2]
    # A clinic goes down in between: it costs its own answer only.
    assert home.run("down", "clinic_c").returncode == 0
    tty.say("horários de cardiologia", "Clínica C não respondeu", "Dr. Ricardo")
    assert home.run("restart", "clinic_c").returncode == 0
    tty.say("marca com o Dr. Fernando dia 18 às 10h", "Confirma?")
    tty.say("sim", "Consulta marcada")
    done(tty)
    # The fourth changes their mind: what is open is asked about before they are forgotten.
    serve(tty, "Davi Rocha", CPFS["Davi Rocha"])
    tty.say("marca com o Dr. Ricardo na terça dia 22 às 14h", "Confirma?")
    tty.wait_for_prompt()
    tty.send("/done\r")
    tty.wait_for("(s/N)")
    tty.send("s\r")
    tty.wait_for("Atendimento encerrado", "sai · Ana Recepção")
    # The fifth has a record here, and is served by its id.
    tty.wait_for_prompt()
    tty.send("/patient CARD-001\r")
    tty.wait_for("atendendo ")
    done(tty)
    # The sixth only asks.
    serve(tty, "Elisa Melo", CPFS["Elisa Melo"])
    tty.say("onde fica a clínica A?", "Rua das Acácias")
    done(tty)
    # The doctor of Monday is sick: the day closes, and both patients are moved.
    assert "Maria Silva" in tty.say("quem vem na segunda na clínica A?", "Bruno Costa")
    tty.say("o Dr. Ricardo está doente na segunda, o que fazemos?", "Fechar horários", "Confirma?")
    tty.say("sim", "2 horários continuam marcados", "Cada paciente é uma mudança à parte")
    tty.say("sim", "remarcada: ")
    taken = home.taken("clinic_a")
    assert sorted(name for _, _, name in taken) == ["Bruno Costa", "Maria Silva"]
    assert MONDAY not in {day for day, _, _ in taken}
    tty.send("/quit\r")
    assert tty.wait_for_end() == 0
    # No CPF was shown, and none is in a file but the clinics' own.
    written = [text for path, text in home.files() if path.name not in {"db.json", "patients.json"}]
    for cpf in CPFS.values():
        digits = re.sub(r"\D", "", cpf)
        assert cpf not in tty.output
        assert not any(cpf in text or digits in text for text in written)
    logs = [text for path, text in home.files() if path.name == "operations.jsonl"]
    assert not any(name in text for name in CPFS for text in logs)
    outcomes = [json.loads(line)["outcome"] for text in logs for line in text.splitlines()]
    assert [outcomes.count(one) for one in ("booked", "moved", "closed")] == [3, 2, 2]


@pytest.mark.long
def test_a_patient_serves_nobody(served_home: Home) -> None:
    tty = Tty(served_home, (), CLINIC_MESH_NAME="Carlos Teste", CLINIC_MESH_CPF="529.982.247-25")
    try:
        tty.wait_for("Olá, Carlos!")
        tty.say("/patient Maria Silva", "Só operadores")
        tty.say("/done", "Ninguém está em atendimento")
    finally:
        tty.close()
