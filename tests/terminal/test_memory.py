"""The memory at a real pseudo-terminal and in scripts: said in one process, known in the next, gone when told so."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
    tty.say("quero um cardiologista", "Você disse: “não posso às sextas”.", "você não pode")
    tty.say("/why", "2 lembranças usadas")
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


STAFF = {**CARLOS, "CLINIC_MESH_ROLE": "operator"}
JOANA = {"CLINIC_MESH_NAME": "Joana Lima", "CLINIC_MESH_CPF": "111.444.777-35"}


def exported(home: Home, who: Mapping[str, str]) -> list[dict[str, str]]:
    return [json.loads(line) for line in home.call("memory", "export", environment=who).stdout.splitlines()]


def contents(home: Home, who: Mapping[str, str]) -> list[str]:
    return [memory["content"] for memory in exported(home, who)]


def test_staff_have_a_memory_of_their_own_work(home: Home) -> None:
    home.call("ask", "não posso às sextas", environment=CARLOS)
    assert "só atendo até às 18" in home.call("ask", "só atendo até as 18", environment=STAFF).stdout
    assert contents(home, CARLOS) == ["não posso às sextas"]
    assert contents(home, STAFF) == ["só atendo até às 18"]


def test_what_is_exported_is_private_and_imported_once_with_its_ids_and_dates(home: Home, tmp_path: Path) -> None:
    for said in ("não posso às sextas", "moro em Santo André"):
        home.call("ask", said, environment=CARLOS)
    file = tmp_path / "memories.jsonl"
    assert home.call("memory", "export", str(file), environment=CARLOS).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert home.call("memory", "export", str(file), environment=CARLOS).returncode == 2  # nothing is written over
    before = exported(home, CARLOS)
    assert [memory["content"] for memory in before] == ["não posso às sextas", "moro em Santo André"]
    again = home.call("memory", "import", str(file), environment=CARLOS)
    assert "0 noted, 2 known already" in again.stderr
    home.call("ask", "apaga tudo o que sabe de mim", environment=CARLOS)
    assert exported(home, CARLOS) == []
    assert "2 noted" in home.call("memory", "import", str(file), environment=CARLOS).stderr
    assert exported(home, CARLOS) == before
    # Somebody else's copy has ids of its own, and is theirs alone.
    for added in ("2 noted", "0 noted"):
        assert added in home.call("memory", "import", str(file), environment=JOANA).stderr
    assert contents(home, JOANA) == contents(home, CARLOS)
    assert {one["id"] for one in exported(home, JOANA)}.isdisjoint(one["id"] for one in before)


GOOD = {
    "id": "1d09e464-fbe3-408d-8936-1b950f7ed2c3",
    "kind": "restricao",
    "content": "não posso às sextas",
    "created_at": "2025-07-15T08:00:00-03:00",
    "updated_at": "2025-07-15T08:00:00-03:00",
}


@pytest.mark.long(but=3)
@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{}", "line 2.id"),
        ("not JSON", "line 2: an object of JSON"),
        ('{"id": 1, "id": 1}', "line 2: an object of JSON"),
        (json.dumps(GOOD | {"kind": "segredo"}), "line 2.kind"),
        (json.dumps(GOOD | {"created_at": "2025-07-15T08:00:00"}), "line 2.created_at"),
        (json.dumps(GOOD | {"created_at": "2025-13-15T08:00:00-03:00"}), "line 2.created_at"),
        (json.dumps(GOOD | {"expires_on": "2025-02-30"}), "line 2.expires_on"),
        (json.dumps(GOOD | {"subject": "me"}), "line 2: there is an unknown field"),
        (json.dumps(GOOD | {"content": "curto"}), "line 2: it may not be remembered (invalid)"),
        (
            json.dumps(GOOD | {"content": "meu CPF é 123.456.789-00"}),
            "line 2: it may not be remembered (personal_data)",
        ),
        (json.dumps(GOOD | {"content": "sou diabético e tomo insulina"}), "line 2: it may not be remembered (health)"),
    ],
)
def test_a_bad_line_is_named_and_nothing_of_the_file_is_noted(home: Home, tmp_path: Path, bad: str, said: str) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n{bad}\n", "utf-8")
    answered = home.call("memory", "import", str(file), environment=CARLOS)
    assert answered.returncode == 2
    assert said in answered.stderr
    for secret in ("segredo", "123.456.789-00", "insulina", "curto"):
        assert secret not in answered.stderr
    assert exported(home, CARLOS) == []


def test_a_large_file_or_none_is_refused(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_bytes(b" " * (1024 * 1024 + 1))
    assert "larger than" in home.call("memory", "import", str(file), environment=CARLOS).stderr
    for arguments in (("import", str(tmp_path / "none")), ("import",), ("export", str(tmp_path / "no" / "folder"))):
        assert home.call("memory", *arguments, environment=CARLOS).returncode == 2


def test_what_is_added_by_command_is_noted_as_it_stands_and_leaves_nothing_in_the_history(home: Home, tty: Tty) -> None:
    tty.wait_for_prompt()
    tty.say("/memory add não posso às sextas", "Anotei: “não posso às sextas”.")
    tty.say("/memory add gosto de chegar cedo", "Anotei: “gosto de chegar cedo”.")
    tty.say("/memory add meu CPF é 529.982.247-25", "Isso eu não guardo")
    tty.say("quero um cardiologista", "você não pode", "como você prefere")
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    assert [memory["kind"] for memory in exported(home, CARLOS)] == ["restricao", "info_pessoal"]
    for path, text in home.files():
        assert "chegar cedo" not in text or path.name == "memory.db", path


def test_the_memory_tools_are_called_like_those_of_any_agent(home: Home) -> None:
    def called(who: Mapping[str, str], tool: str, **arguments: str) -> dict[str, Any]:
        pairs = [part for name, value in arguments.items() for part in ("-a", f"{name}={value}")]
        answered = home.call("call", "memory", tool, "--yes", *pairs, environment=who)
        assert answered.returncode == 0, answered.stderr
        return dict(json.loads(answered.stdout))

    saved = called(CARLOS, "salvar_memoria", tipo="restricao", conteudo="Prefere plantões noturnos")
    assert saved == {"success": True, "mensagem": "Anotado! Vou lembrar disso."}
    for who in (JOANA, STAFF):
        assert called(who, "listar_memorias") == {"memorias": []}
    (memory,) = called(CARLOS, "buscar_memorias", consulta="plantões")["memorias"]
    assert memory["conteudo"] == "Prefere plantões noturnos"
    refused = home.call("call", "memory", "listar_memorias", "-a", "cpf=111.444.777-35", environment=CARLOS)
    assert refused.returncode == 2
