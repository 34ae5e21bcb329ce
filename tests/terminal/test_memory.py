"""The memory at a real pseudo-terminal and in scripts: said in one process, known in the next, gone when told so."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.support.home import Home
from tests.support.tty import Tty

CARLOS = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "529.982.247-25"}


@pytest.fixture
def home(served_home: Home) -> Home:
    return served_home


@pytest.fixture
def tty(home: Home) -> Iterator[Tty]:
    tty = Tty(home, **CARLOS)
    yield tty
    tty.close()


def test_a_statement_is_noted_listed_used_explained_and_deleted(home: Home, tty: Tty) -> None:
    tty.wait_for_prompt()
    tty.say("/memory", "Não guardei nada sobre você.")
    tty.say("não posso às sextas", "Anotei: “não posso às sextas”.", "esquece isso")
    tty.say("moro em Santo André", "Anotei: “moro em Santo André”.")
    tty.say("quero um cardiologista", "Você disse: “não posso às sextas”.", "mais cedo, você não pode")
    tty.say("/why", "1 lembrança usada")
    listing = tty.say("/memory", "não posso às sextas", "moro em Santo André", "restrição")
    number = next(line.split()[0] for line in listing.splitlines() if "Santo André" in line)
    tty.say("/memory forget x", "/memory clear")
    tty.say(f"/memory forget {number}", "Esqueci: “moro em Santo André”.")

    answered = home.call("ask", "quero um cardiologista", "--output", "jsonl", environment=CARLOS)
    assert "Você disse: “não posso às sextas”." in json.loads(answered.stdout)["text"]

    tty.say("/memory clear", "Apaguei a única coisa que sabia de você.")
    tty.say("/memory", "Não guardei nada sobre você.")
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    for path, text in home.files():
        assert "Santo Andr" not in text, path
        assert "às sextas" not in text, path


def test_where_it_is_switched_off_nothing_is_noted_and_the_command_says_so(home: Home) -> None:
    tty = Tty(home, **CARLOS, CLINIC_MESH_MEMORY="off")
    try:
        tty.wait_for_prompt()
        tty.say("/memory", "A memória está desligada")
        assert "Anotei" not in tty.say("não posso às sextas")
    finally:
        tty.close()
    assert not (home.data / "memory.db").exists()


def test_a_script_is_told_what_came_of_each_call(home: Home) -> None:
    lines = "não posso às sextas\nnão posso às sextas\napaga tudo\n"
    answered = home.call("--output", "jsonl", lines=lines, environment=CARLOS)
    records = [json.loads(line) for line in answered.stdout.splitlines()]
    assert [record["memory"] for record in records] == [
        [{"tool": "salvar_memoria", "kind": "restricao", "status": "saved"}],
        [{"tool": "salvar_memoria", "kind": "restricao", "status": "known"}],
        [{"tool": "esquecer_tudo", "kind": None, "status": "forgotten"}],
    ]
    counted = json.loads(home.call("stats", "-o", "json").stdout)
    assert counted["memory"] == {"esquecer_tudo forgotten": 1, "salvar_memoria known": 1, "salvar_memoria saved": 1}
    assert counted["recalling"]["hits"] == 2


def test_staff_have_a_memory_of_their_own_work(home: Home) -> None:
    staff = {**CARLOS, "CLINIC_MESH_ROLE": "operator"}
    for who, said in ((CARLOS, "não posso às sextas"), (staff, "não faço plantão de sábado")):
        assert f"Anotei: “{said}”" in home.call("ask", said, environment=who).stdout
    known = {
        said: home.call("ask", "o que você sabe de mim?", environment=who).stdout
        for said, who in (("sextas", CARLOS), ("sábado", staff))
    }
    assert [["sextas" in text, "sábado" in text] for text in known.values()] == [[True, False], [False, True]]


def test_what_is_added_by_command_is_noted_as_it_stands_and_leaves_nothing_in_the_history(home: Home, tty: Tty) -> None:
    tty.wait_for_prompt()
    tty.say("/memory add não posso às sextas", "Anotei: “não posso às sextas”.")
    tty.say("/memory add gosto de chegar cedo", "Anotei: “gosto de chegar cedo”.")
    tty.say("/memory add meu CPF é 529.982.247-25", "Isso eu não guardo")
    tty.say("quero um cardiologista", "mais cedo, você não pode")
    tty.say("/memory", "restrição", "sobre você")
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    for path, text in home.files():
        assert "chegar cedo" not in text or path.name == "memory.db", path
