"""A CPF typed wherever somebody may type one is found nowhere afterwards: no file, no screen, no process, no output.

Only the answer that it was asked for reaches the clinics, whose db.json is theirs to keep.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

import pytest

from tests.support.home import COMMAND, DEADLINE_S, Home
from tests.support.tty import Tty

CPF = "123.456.789-00"
DIGITS = re.sub(r"\D", "", CPF)
FORMS = (
    CPF,
    DIGITS,
    "123 456 789 00",
    "123456789/00",
    "123,456,789-00",
    "123 . 456 . 789 - 00",
    "1 2 3 4 5 6 7 8 9 0 0",
    "１２３．４５６．７８９－００",
)
MISTYPED = ("123.456.789", "1234567890", "123.456.789-000", "123456789001")
# Nine digits in a row, whatever parts them, are the CPF for who knows how to compute the check digits.
_TRACE = re.compile(r"[^\w*]{0,3}".join(DIGITS[:9]))
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x07\x08\r]")
ANA = {"CLINIC_MESH_NAME": "Ana Lima", "CLINIC_MESH_CPF": "529.982.247-25"}
_OF_CLINICS = frozenset({"db.json", "me.txt"})
"""Files that hold it on purpose: the clinics' agendas, and the file that it is given in."""


IS_ROOT = os.geteuid() == 0
"""Whether this process may look into those that forbid core dumps."""


def traces(text: str) -> list[str]:
    """Return where a CPF shows in a text, folded as a person reads it."""
    plain = "".join(str(int(char)) if char.isdecimal() else char for char in _STEERING.sub("", text))
    return [plain[max(0, found.start() - 40) : found.end() + 20] for found in _TRACE.finditer(plain)]


def assert_no_trace(home: Home, *outputs: str) -> None:
    """Look through the outputs and every file of the person's home, where data, logs and temporary files are too."""
    for output in outputs:
        assert traces(output) == []
    looked_at = 0
    for path, text in home.files():
        if path.name not in _OF_CLINICS:
            looked_at += 1
            assert traces(text) == [], path
    assert looked_at > 0


def children_of(pid: int) -> Iterator[int]:
    """Yield the processes that descend from one."""
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text("ascii").split()):
            yield child
            yield from children_of(child)


def assert_no_process_shows_it(pid: int) -> None:
    """Look at the command lines of a process and those that it started, and at the environments of the latter."""
    children = list(children_of(pid))
    assert len(children) >= 6
    shown = [Path(f"/proc/{each}/cmdline") for each in (pid, *children)]
    shown += [Path(f"/proc/{child}/environ") for child in children if IS_ROOT]
    for path in shown:
        assert traces(path.read_text("utf-8")) == [], path


def _looked_through(home: Home) -> Home:
    temporary = home.folder / "tmp"
    temporary.mkdir()
    home.environment["TMPDIR"] = str(temporary)
    home.environment["VISUAL"] = "true"
    return home


@pytest.fixture
def home(served_home: Home) -> Home:
    """A machine on which six clinics run already."""
    return _looked_through(served_home)


@pytest.fixture
def idle_home(tmp_path: Path) -> Iterator[Home]:
    """A machine on which no clinic runs: the command starts them."""
    home = _looked_through(Home(tmp_path / "idle"))
    yield home
    home.close()


@pytest.fixture
def terminals() -> Iterator[list[Tty]]:
    opened: list[Tty] = []
    yield opened
    for tty in opened:
        tty.close()


def open_terminal(home: Home, terminals: list[Tty], arguments: Sequence[str] = (), **environment: str) -> Tty:
    terminals.append(Tty(home, arguments, **environment))
    return terminals[-1]


def introduce(tty: Tty) -> None:
    tty.wait_for("Nome completo:")
    tty.send("Carlos Teste\r")
    tty.wait_for("CPF:")
    tty.send(f"{CPF}\r")
    tty.wait_for("(s/N)")
    tty.send("s\r")
    tty.wait_for("Olá, Carlos!")


def test_a_cpf_typed_at_the_questions_leaves_no_trace(home: Home, terminals: list[Tty]) -> None:
    tty = open_terminal(home, terminals, ["--no-start"])
    tty.wait_for("Clínicas em funcionamento")
    assert not tty.echoes  # nothing asks yet
    pasted = f"\x1b[200~Carlos Teste\n{CPF}\x1b[201~"
    for place, name in enumerate((f"Carlos Teste {DIGITS}", pasted, *FORMS, *MISTYPED)):
        tty.send(f"{name}\r")
        tty.wait_for_count("sem números.", place + 1)
    tty.send(f"\x12{CPF}\x15Carlos Teste\r")
    tty.wait_for("CPF:")
    for place, mistyped in enumerate(MISTYPED):
        tty.send(f"{mistyped}\r")
        tty.wait_for_count("onze dígitos", place + 1)
    tty.send(f"\x12{CPF}\x18\x05\x15\x19\x1f\x15{CPF}\r")
    tty.wait_for("***.***.*89-**", "(s/N)")
    tty.send(f"\x19\x1b[A\x1f{CPF}\r")
    tty.wait_for_count("CPF:", len(MISTYPED) + 2)
    tty.send(f"{CPF}\r")
    tty.wait_for_count("(s/N)", 2)
    tty.send("s\r")
    tty.wait_for("Olá, Carlos!")
    tty.send("\x19\x1b[A\x12123")
    tty.wait_for("reverse-i-search")
    tty.send("\x07\x04")
    tty.wait_for_end()
    assert_no_trace(home, tty.output, tty.text)


@pytest.mark.long
def test_a_cpf_typed_in_the_conversation_leaves_no_trace(idle_home: Home, terminals: list[Tty]) -> None:
    tty = open_terminal(idle_home, terminals, ["--history", "redacted"])
    introduce(tty)
    for form in (*FORMS, *MISTYPED):
        tty.say(f"sou Carlos Teste, meu cpf é {form}")
    for line in (f"/{DIGITS}", f"/clinics {DIGITS}\t", f"/history {CPF}", f"/lang {DIGITS}", f"/slots {CPF}"):
        tty.say(line)
    tty.say(f"\x1b[200~meu cpf é 123.456.\n789-00 e\n{DIGITS}\x1b[201~")
    tty.send(f"\x12{CPF}")
    tty.wait_for("(reverse-i-search)`***.***.***-**'")
    tty.send("\x07\x15")
    tty.send(f"{CPF}\x03{CPF}\x15\x19\x1f\x15{CPF}\x18\x05")
    tty.wait_for("você> ***.***.***-**")
    tty.resize(60)
    tty.send(" ok")
    tty.wait_for("***.***.***-** ok")
    tty.send("\x03")
    tty.resize(100)
    tty.say("quero um cardiologista", "Dr. Fernando Mendes")
    tty.say("o primeiro", "Confirma?")
    tty.say(DIGITS, "Seu pedido continua aberto")
    tty.say("/history")
    tty.say("/why")
    tty.say("/whoami", "***.***.*89-**")
    assert_no_process_shows_it(tty.pid)
    assert "Há uma proposta aberta" in tty.press("\x04")
    tty.send("\x04")
    tty.wait_for_end()
    assert_no_trace(idle_home, tty.output, tty.text)


def test_a_cpf_is_covered_with_its_ninth_digit_while_it_is_typed(home: Home, terminals: list[Tty]) -> None:
    tty = open_terminal(home, terminals, ["--no-start"], **ANA)
    tty.wait_for_prompt()
    for length in range(1, len(CPF) + 1):
        typed = CPF[:length]
        tty.send(typed[-1])
        tty.wait_for_line("você> " + (re.sub(r"\d", "*", typed) if len(re.sub(r"\D", "", typed)) >= 9 else typed))
    tty.send("\r")
    tty.wait_for_prompt()
    assert "você> ***.***.***-**" in tty.text
    assert traces(tty.output) == []


@pytest.mark.long
def test_a_cpf_typed_while_a_turn_runs_leaves_no_trace(home: Home, terminals: list[Tty]) -> None:
    tty = open_terminal(home, terminals)
    introduce(tty)
    tty.say("quero um cardiologista", "Dr. Fernando Mendes")
    home.signal("clinic_c", signal.SIGSTOP)
    asked = tty.begin("quais os horários de cardiologia?")
    tty.wait_for("Clínica C: consultando…")
    tty.send(f"{CPF}\r{DIGITS}")
    tty.send("\x03")
    tty.finish(asked)
    home.signal("clinic_c", signal.SIGCONT)
    tty.say("\x15/clinics", "Clínica C")
    tty.say(CPF)
    tty.send("\x04")
    tty.wait_for_end()
    assert_no_trace(home, tty.output, tty.text)


@pytest.mark.long
def test_who_logs_out_is_forgotten_and_the_next_person_is_asked(home: Home, terminals: list[Tty]) -> None:
    given = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": CPF}
    tty = open_terminal(home, terminals, ["--history", "redacted"], **given)
    tty.wait_for("(s/N)")
    tty.send("s\r")
    tty.say("quero um cardiologista", "Dr. Fernando Mendes")
    tty.say("o primeiro", "Confirma?")
    tty.send("/logout\r")
    tty.wait_for("Encerrar a sessão mesmo assim? (s/N)")
    tty.send(f"{CPF}\r")
    tty.wait_for("A sessão continua.")
    tty.wait_for_line("você>")
    tty.say("sim", "Consulta marcada")
    assert home.taken("clinic_c") == [("2025-07-18", "10:00", "Carlos Teste")]
    (home.data / "research_history").write_text("/versions\n", "utf-8")
    tty.send("segredo\x15/logout\r")
    tty.wait_for("Quem está falando agora?", "Nome completo:")
    assert "\x1b[3J" in tty.output
    assert "Carlos" not in tty.text
    assert "Fernando" not in tty.text
    assert not [*home.data.glob("*history")]

    tty.send("Ana Lima\r")
    tty.wait_for("CPF:")
    tty.send("529.982.247-25\r")
    tty.wait_for("Olá, Ana!")
    assert "Ainda não houve" in tty.say("/why")
    assert "Não encontrei consulta" in tty.say("/bookings")
    assert "Ana Lima" in tty.say("/whoami", "***.***.*47-**")
    tty.send("\x19\x1f\x1b[A\x1b[A\x1b[A\x1b[A")
    tty.wait_for_line("você> /why")
    tty.send("\x03")
    assert "Nenhum" in tty.say("/slots")
    tty.say("/lang en", "I now answer in English.")
    tty.send("/logout\r")
    tty.wait_for("Who is speaking now?", "Full name:")
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    assert_no_trace(home, tty.output, tty.text)
    for path, text in home.files():
        assert "Carlos" not in text, path


@pytest.mark.long
def test_a_dumb_terminal_shows_no_cpf(home: Home, terminals: list[Tty]) -> None:
    tty = open_terminal(home, terminals, ["--no-start"], TERM="dumb")
    introduce(tty)
    tty.say(f"meu cpf é {CPF}")
    tty.send("/quit\r")
    tty.wait_for_end()
    assert_no_trace(home, tty.output, tty.text)


@pytest.mark.long
def test_incognito_writes_nothing_of_the_conversation(idle_home: Home, terminals: list[Tty]) -> None:
    registry = idle_home.folder / "mesh.yaml"
    own = resources.files("orchestrator").joinpath("capabilities.yaml").read_text("utf-8")
    registry.write_text(own.replace("policy: unsupported", "policy: propose"), "utf-8")
    idle_home.environment["CLINIC_MESH_REGISTRY"] = str(registry)
    tty = open_terminal(idle_home, terminals, ["--incognito"], **ANA)
    assert "nada é guardado" in tty.say("/whoami", "nada é gravado")
    tty.say("/research", "ela não é aberta")
    tty.say("prefiro consultas de manhã")
    tty.say("quero um cardiologista", "Dr. Fernando Mendes")
    assert "Anotei" not in tty.say("quero pedir uma pizza")
    tty.send("\x04")
    assert tty.wait_for_end() == 0
    assert idle_home.run("ask", "quero um cardiologista", "--incognito", environment=ANA).returncode == 0
    kept = {path.relative_to(idle_home.data).parts[0] for path in idle_home.data.rglob("*") if path.is_file()}
    assert kept == {"blueprint", "keys", "logs"}
    assert {path.name for path in (idle_home.data / "logs").iterdir() if path.suffix == ".jsonl"} == set()


@pytest.mark.long(but=1)
@pytest.mark.parametrize("output", ["text", "jsonl"])
def test_a_cpf_in_a_script_leaves_no_trace(home: Home, output: str) -> None:
    file = home.folder / "me.txt"
    file.write_text(f"Carlos Teste\n{CPF}\n", "utf-8")
    file.chmod(0o600)
    said = [f"meu cpf é {form}, quero um cardiologista" for form in (*FORMS, *MISTYPED)]
    lines = "\n".join([*said, f"/slots {CPF}", CPF, "quero o primeiro", f"sim {CPF}"])
    piped = home.run("--identity-file", "me.txt", "--output", output, lines=lines)
    asked = home.run("ask", said[0], "--identity-file", "me.txt", "--output", output)
    assert piped.stdout.count("\n") > len(said)
    assert_no_trace(home, *(text for run in (piped, asked) for text in (run.stdout, run.stderr)))


def test_a_cpf_where_none_belongs_leaves_no_trace(home: Home) -> None:
    mistaken = (["--cpf", CPF], ["status", "-o", CPF], ["ask", "oi", CPF], ["ask", "oi", "--identity-fd", DIGITS])
    wrong = [home.call(*arguments) for arguments in mistaken]
    assert [run.returncode for run in wrong] == [2, 2, 2, 2]
    assert_no_trace(home, *(text for run in wrong for text in (run.stdout, run.stderr)))


def test_a_cpf_said_at_the_research_desk_is_in_no_session_that_it_keeps(home: Home) -> None:
    lines = "\n".join(f"observei que o paciente de cpf {form} dorme mal" for form in FORMS)
    desk = home.run("research", "--no-start", lines=lines)
    assert desk.returncode == 0, desk.stderr
    assert_no_trace(home, desk.stdout, desk.stderr)


@pytest.mark.long
def test_an_identity_from_a_descriptor_reaches_no_process_but_the_terminal(idle_home: Home) -> None:
    reading, writing = os.pipe()
    pipe = Path(f"/proc/self/fd/{reading}").readlink()
    os.write(writing, f"Carlos Teste\n{CPF}\n".encode())
    os.close(writing)
    process = subprocess.Popen(
        [*COMMAND, "ask", "-", "--identity-fd", str(reading)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=idle_home.environment,
        cwd=idle_home.folder,
        pass_fds=[reading],
        text=True,
        encoding="utf-8",
    )
    os.close(reading)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write("quero um cardiologista\n")
        process.stdin.flush()
        first = process.stdout.readline()
        assert_no_process_shows_it(process.pid)
        for each in (process.pid, *children_of(process.pid)) if IS_ROOT else ():
            assert pipe not in [open_file.readlink() for open_file in Path(f"/proc/{each}/fd").iterdir()]
        rest, errors = process.communicate(timeout=DEADLINE_S)
    finally:
        process.kill()
        process.communicate()
    assert "Cardiologia" in first
    assert_no_trace(idle_home, first, rest, errors)
