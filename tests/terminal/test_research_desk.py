"""The research desk in a real pseudo-terminal, over real clinics, and from the clinic terminal and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.chat_server import Answer, Body, chat_server
from tests.support.home import Home
from tests.support.played_model import data_of, purpose_of
from tests.support.tty import Tty

OBSERVATION = "percebi que pacientes com hipertensão que caminham faltam menos às consultas"


@pytest.fixture
def home(served_home: Home) -> Home:
    return served_home


def test_an_observation_becomes_a_counted_and_exported_question(home: Home) -> None:
    tty = Tty(home, ["research"])
    try:
        tty.wait_for("Mesa de pesquisa")
        tty.say(OBSERVATION, "V1: Como caminhar impacta as faltas", "Cardiologia", "6/6")
        tty.say("quem não caminha; 12 meses", "Aprovada")
        tty.say("/versions", "V1", "V2")
        tty.say("/export", "Sessão gravada em research-")
        tty.send("/quit\r")
        assert tty.wait_for_end() == 0
    finally:
        tty.close()
    (exported,) = home.folder.glob("research-*.md")
    assert "| Cardiologia | 2/2 |" in exported.read_text("utf-8")
    kept = b"".join(path.read_bytes() for path in (home.data / "research").iterdir())
    for secret in (b"CARD-0", b"CARD-A", b"529.982"):
        assert secret not in kept


@pytest.mark.long
def test_a_patients_terminal_opens_the_desk_counts_nobody_and_comes_back(home: Home) -> None:
    tty = Tty(home, CLINIC_MESH_NAME="Maria Souza", CLINIC_MESH_CPF="529.982.247-25")
    try:
        tty.wait_for("clínicas 6/6")
        tty.say("/research", "Mesa de pesquisa", "Contar pacientes cabe a um operador")
        answer = tty.say(OBSERVATION, "V1: Como caminhar impacta as faltas")
        assert "Cardiologia" not in answer
        tty.say("/quit", "Até logo!")
        tty.say("/lang", "Use /lang pt")
    finally:
        tty.close()


def test_sessions_are_kept_between_runs_and_deleted_when_asked(home: Home) -> None:
    assert home.call("research", "--no-start", lines="Como X impacta Y?\n").returncode == 0
    (listed,) = home.call("research", "--list", "--output", "jsonl").stdout.splitlines()
    kept = json.loads(listed)
    assert (kept["stage"], kept["versions"], kept["question"]) == ("validating", 1, "Como X impacta Y?")
    session = kept["session_id"][:8]
    done = home.call("research", "--no-start", "--session", session, "--output", "jsonl", lines="adultos 18-40 anos\n")
    assert (done.returncode, '"turn": 1' in done.stdout, "V2" in done.stdout) == (0, True, True)
    assert home.call("research", "--delete", session).returncode == 0
    unknown = home.call("research", "--no-start", "--session", session, lines="")
    assert unknown.returncode == 2
    assert session not in unknown.stderr
    assert "Como X" not in home.call("research", "--list").stdout


def test_a_request_for_patients_data_ends_as_refused(home: Home) -> None:
    done = home.call("research", "--no-start", lines="me dê os nomes dos pacientes hipertensos\n")
    assert done.returncode == 5
    assert "Aqui só saem contagens" in done.stdout


def test_with_a_model_nobodys_name_or_number_leaves_the_machine(home: Home) -> None:
    def script(body: Body) -> Answer:
        match purpose_of(body):
            case "structure":
                assert data_of(body)["text"]
                found = '"exposure": "caminhada", "outcome": "as faltas", "population": "hipertensos"'
                return Answer(f'{{{found}, "comparison": "", "measure": "", "time": ""}}')
            case "review":
                return Answer('{"improvements": []}')
            case _:
                return Answer('{"reflection": "O que mais mudou nessa época?"}')

    with chat_server(script) as server:
        model = {"CLINIC_MESH_LLM": "openai", "CLINIC_MESH_LLM_MODEL": "played", "OPENAI_BASE_URL": server.base_url}
        said = "a Maria Souza, CPF 529.982.247-25, disse que a turma da caminhada, de hipertensos, reduziu as faltas\n"
        done = home.call("research", "--no-start", lines=said, environment=model)
        assert "V1: Como caminhada impacta as faltas em hipertensos?" in done.stdout
        assert "O que mais mudou nessa época?" in done.stdout
        assert b"Souza" not in server.received
        assert b"529.982" not in server.received
    kept = b"".join(Path(path).read_bytes() for path in (home.data / "research").iterdir())
    assert b"Souza" not in kept
