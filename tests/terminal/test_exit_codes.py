"""The command without a terminal: every exit code from a real process, results and complaints kept apart.

The first of each way to run it are cold: what they need, they load themselves.
"""

import errno
import json
import os
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from clinics.program import serve
from mesh.private_file import Disk
from mesh.server import NodePolicies
from orchestrator.fleet.process import end, find_holders
from tests.support.clinics import NOW
from tests.support.home import DEADLINE_S, Home
from tests.support.shared_clinics import SharedClinics

ASK = "quais são os horários de cardiologia?"


PLANTED_FAULT = """
from orchestrator import conversation

def fail(self, session, utterance, cancel=None, plan=None):
    raise RuntimeError(utterance)

conversation.Conversation.turn = fail
"""


class ForgetfulDisk(Disk):
    """Cannot say whether a file's new name will outlive a power failure."""

    def sync(self, descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "input/output error")
        super().sync(descriptor)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, shared_clinics: SharedClinics) -> Home:
    """A machine on which six clinics run; what one test of this module writes, the next one finds."""
    shared_clinics.make_as_new()
    return Home(tmp_path_factory.mktemp("home"), shared_clinics)


@pytest.fixture
def me(tmp_path: Path) -> str:
    path = tmp_path / "me.txt"
    path.touch(0o600)
    path.write_text("Maria Souza\n529.982.247-25\n", encoding="utf-8")
    return str(path)


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("tomei veneno", "Ligue agora para o SAMU: 192"),
        ("não quero mais viver", "CVV: 188"),
        ("meu marido me bate", "180"),
        ("I swallowed bleach", "Call SAMU on 192 now"),
        ("sinto uma dor no peito", "SAMU: 192"),
    ],
)
def test_0_danger_is_answered_before_anybody_is_asked_who_they_are(home: Home, said: str, told: str) -> None:
    asked = home.run("ask", said)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert told in asked.stdout
    assert not (home.data / "blueprint").exists()
    piped = home.run(lines=f"{said}\nquero um cardiologista\n")
    assert piped.returncode == 6
    assert told in piped.stdout
    record = json.loads(home.run("--output", "jsonl", "ask", said).stdout)
    assert (record["schema"], record["outcome"]) == ("clinic-mesh.turn/1", "ok")


def test_5_a_script_tells_a_fallback_from_an_answer(running: Home, me: str) -> None:
    for said, fallback in (
        ("quem descobriu o Brasil?", {"mode": "unsupported", "reason": "off_topic"}),
        ("quero um oftalmologista", {"mode": "unsupported", "reason": "other_specialty"}),
        (ASK, None),
    ):
        run = running.run("ask", said, "--output", "jsonl", "--identity-file", me)
        assert json.loads(run.stdout)["fallback"] == fallback


def test_0_an_answer_on_standard_output_and_progress_on_standard_error(running: Home, me: str) -> None:
    run = running.run("ask", ASK, "--identity-file", me, is_cold=True)
    assert run.returncode == 0
    assert "Dr. Fernando Mendes" in run.stdout
    assert "Clínica C: respondeu" in run.stderr
    assert "respondeu" not in run.stdout


def test_0_ask_starts_the_missing_clinics_and_stops_them(home: Home, me: str) -> None:
    assert home.run("ask", ASK, "--identity-file", me).returncode == 0
    assert find_holders(home.data) == []


@pytest.mark.long
def test_0_piped_lines_are_turns_of_one_session(running: Home, me: str) -> None:
    lines = "quero marcar uma consulta com cardiologista\npode ser com o Dr. Ricardo dia 23 as 8h\n"
    run = running.run("--yes", "--output", "jsonl", "--identity-file", me, lines=lines, is_cold=True)
    assert run.returncode == 0
    first, second = (json.loads(line) for line in run.stdout.splitlines())
    assert first["session_id"] == second["session_id"]
    assert second["receipts"][0]["status"] == "confirmed"
    assert "529.982" not in run.stdout
    assert ("2025-07-23", "08:00", "Maria Souza") in running.taken("clinic_a")


@pytest.mark.long
def test_1_an_internal_fault_is_told_without_values(running: Home, me: str, tmp_path: Path) -> None:
    # Python loads a module of this name by itself: a fault is planted in the program without touching it.
    (tmp_path / "sitecustomize.py").write_text(PLANTED_FAULT, encoding="utf-8")
    python_path = f"{tmp_path}:{running.environment['PYTHONPATH']}"
    run = running.run("ask", ASK, "--identity-file", me, environment={"PYTHONPATH": python_path})
    assert run.returncode == 1
    assert "internal error (RuntimeError)" in run.stderr
    assert "cardiologia" not in run.stderr
    assert run.stdout == ""
    assert "RuntimeError at" in (running.data / "logs" / "orchestrator.log").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "environment", "complaint"),
    [
        (["--cpf=52998224725"], {}, "no such option: --cpf"),
        (["ask", ASK], {"CLINIC_MESH_AGENDA": "july"}, "CLINIC_MESH_AGENDA: rolling or blueprint is expected"),
        (["ask", ASK], {"CLINIC_MESH_AGENDAS": "july"}, "did you mean CLINIC_MESH_AGENDA?"),
        (["status"], {"CLINIC_MESH_BASE_PORT": "80"}, "CLINIC_MESH_BASE_PORT: a port from 1024 to 65000"),
        (["clinic", "clinic_z"], {}, "known are clinic_a, clinic_b"),
    ],
)
def test_2_wrong_usage_says_what_is_allowed(
    running: Home, me: str, arguments: list[str], environment: dict[str, str], complaint: str
) -> None:
    run = (running.call if environment else running.run)(*arguments, environment=environment)
    assert run.returncode == 2
    assert complaint in run.stderr
    assert run.stdout == ""


def test_2_lines_that_are_no_utterances_are_not_sent(running: Home, me: str) -> None:
    run = running.run("--identity-file", me, lines=f"/help\n{'a' * 5000}\n\x1b[2J{ASK}\n")
    assert run.returncode == 2
    assert run.stderr.count("line not sent") == 2
    assert "Dr. Fernando Mendes" in run.stdout


def test_3_then_69_when_clinics_die_one_after_another(served_home: Home, me: str) -> None:
    home = served_home
    home.signal("clinic_c", signal.SIGKILL)
    run = home.run("--no-start", "ask", ASK, "--identity-file", me)
    assert run.returncode == 3
    assert "Clínica C" in run.stdout or "clinic_c" in run.stdout
    assert "Dr. Ricardo Lopes" in run.stdout
    assert home.run("status").returncode == 3
    home.signal("clinic_a", signal.SIGKILL)
    assert home.run("--no-start", "ask", ASK, "--identity-file", me).returncode == 69


def test_4_a_write_without_yes_is_proposed_and_not_made(running: Home, me: str) -> None:
    lines = "quero marcar uma consulta com cardiologista\npode ser com o Dr. Fernando dia 18 as 10h\nsim\n"
    run = running.run("--identity-file", me, lines=lines)
    assert run.returncode == 4
    assert "Confirma?" in run.stdout
    assert running.taken("clinic_c") == []


def proposal_id(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout.split("--confirm ", 1)[1].split()[0]


def test_4_then_0_a_proposal_is_made_by_its_id_in_another_process_and_only_once(running: Home, me: str) -> None:
    words = "marque com a Dra. Marina Teles dia 17/07 às 9h"
    proposed = running.run("ask", words, "--identity-file", me)
    assert proposed.returncode == 4
    assert running.taken("clinic_b") == []
    confirmed, again = (
        running.run("ask", words, "--confirm", proposal_id(proposed), "--identity-file", me) for _ in range(2)
    )
    assert (confirmed.returncode, again.returncode) == (0, 0)
    assert "Consulta marcada" in confirmed.stdout
    assert again.stdout == confirmed.stdout
    assert running.taken("clinic_b") == [("2025-07-17", "09:00", "Maria Souza")]


def test_8_an_id_makes_nothing_but_what_it_was_shown_for(running: Home, me: str) -> None:
    proposed = running.run("ask", "marque com o Dr. Fernando Mendes dia 18/07 às 10h", "--identity-file", me)
    shown = proposal_id(proposed)
    before = [running.taken(f"clinic_{letter}") for letter in "abcdef"]
    other = running.run(
        "ask", "marque com o Dr. Fernando Mendes dia 19/07 às 14h", "--confirm", shown, "--identity-file", me
    )
    nothing = running.run("ask", ASK, "--confirm", shown, "--identity-file", me, environment={"LANG": "en_US.UTF-8"})
    assert (other.returncode, nothing.returncode) == (8, 8)
    assert "nada foi gravado com esse --confirm" in other.stderr
    assert proposal_id(other) != shown
    assert [running.taken(f"clinic_{letter}") for letter in "abcdef"] == before


def test_2_what_is_no_id_is_not_repeated(running: Home, me: str) -> None:
    run = running.run("ask", ASK, "--confirm", "529.982.247-25", "--identity-file", me)
    assert run.returncode == 2
    assert "three groups of six letters" in run.stderr
    assert "529" not in run.stderr


def test_5_a_dosage_is_refused(running: Home, me: str) -> None:
    assert running.run("ask", "qual a dose de losartana que devo tomar?", "--identity-file", me).returncode == 5


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"CLINIC_MESH_NAME": "Maria Souza"},
        {"CLINIC_MESH_NAME": "Maria", "CLINIC_MESH_CPF": "529.982.247-25"},
        {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "5299822472"},
    ],
)
def test_6_nobody_usable_speaks(running: Home, environment: dict[str, str]) -> None:
    run = (running.call if environment else running.run)("ask", ASK, environment=environment)
    assert run.returncode == 6
    assert "CLINIC_MESH_CPF" in run.stderr
    assert "Maria" not in run.stderr
    assert "5299822472" not in run.stderr


def test_wrong_check_digits_are_a_warning_without_a_terminal(running: Home) -> None:
    environment = {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-00"}
    run = running.run("ask", ASK, environment=environment)
    assert run.returncode == 0
    assert "check digits" in run.stderr
    assert "123.456" not in run.stderr


@pytest.mark.long
def test_7_a_write_that_a_clinic_cannot_confirm_has_an_unknown_outcome(home: Home, me: str) -> None:
    assert home.run("up", "--detach").returncode == 0
    there = home.holder("clinic_c")
    assert end(there)
    keys = home.data / "keys" / "public"
    with serve(
        "clinic_c", there.address, there.lock.parent, "blueprint", NOW, NodePolicies(keys), disk=ForgetfulDisk()
    ):
        lines = "quero marcar uma consulta com cardiologista\npode ser com o Dr. Fernando dia 18 as 10h\n"
        run = home.run("--yes", "--output", "jsonl", "--identity-file", me, lines=lines)
    assert [json.loads(line)["outcome"] for line in run.stdout.splitlines()] == ["ok", "unknown_write"]
    assert run.returncode == 7


def test_7_then_0_the_id_of_a_write_of_unknown_outcome_finds_out_what_became_of_it(home: Home, me: str) -> None:
    assert home.run("restart", "clinic_c").returncode == 0
    there = home.holder("clinic_c")
    assert end(there)
    words = "marque com o Dr. Fernando Mendes dia 18/07 às 10h"
    keys = home.data / "keys" / "public"
    with serve(
        "clinic_c", there.address, there.lock.parent, "blueprint", NOW, NodePolicies(keys), disk=ForgetfulDisk()
    ):
        unknown = home.run("ask", words, "--yes", "--no-start", "--identity-file", me)
    assert unknown.returncode == 7
    assert home.run("restart", "clinic_c").returncode == 0
    found_out = home.run("ask", words, "--confirm", proposal_id(unknown), "--no-start", "--identity-file", me)
    assert found_out.returncode == 0
    assert "Consulta marcada" in found_out.stdout
    assert home.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]


@pytest.mark.parametrize("arguments", [["ask", ASK], ["status"]])
def test_69_no_clinic_is_there(home: Home, me: str, arguments: list[str]) -> None:
    extra = ["--no-start", "--identity-file", me] if arguments[0] == "ask" else []
    assert home.run(*arguments, *extra).returncode == 69


@pytest.mark.long
def test_3_a_clinic_that_cannot_start_is_named_and_the_others_answer(home: Home, me: str) -> None:
    silo = home.data / "blueprint" / "clinic_c"
    silo.mkdir(parents=True)
    (silo / "db.json").write_text("{", encoding="utf-8")
    run = home.run("ask", ASK, "--identity-file", me)
    assert run.returncode == 3
    assert "clinic_c: could not start" in run.stderr
    assert "db.json" in run.stderr
    assert "Dr. Ricardo Lopes" in run.stdout
    assert find_holders(home.data) == []
    upped = home.run("up", "--detach")
    assert upped.returncode == 3
    assert "clinic_c: could not start" in upped.stderr
    assert [holder.clinic for holder in find_holders(home.data)] == [f"clinic_{letter}" for letter in "abdef"]


@pytest.mark.long
def test_130_an_interrupt_ends_the_run_and_stops_the_clinics(home: Home, me: str) -> None:
    run = home.start("--output", "jsonl", "--identity-file", me)
    assert run.stdin is not None
    assert run.stdout is not None
    try:
        run.stdin.write(f"{ASK}\n")
        run.stdin.flush()
        assert json.loads(run.stdout.readline())["outcome"] == "ok"
        run.send_signal(signal.SIGINT)
        assert run.wait(DEADLINE_S) == 130
    finally:
        run.kill()
        run.communicate()
    assert find_holders(home.data) == []


@pytest.mark.long
def test_130_a_reader_that_leaves_ends_the_run_quietly(running: Home, me: str) -> None:
    run = running.start("--output", "jsonl", "--identity-file", me)
    assert run.stdin is not None
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.close()
    run.stdin.write(f"{ASK}\n")
    run.stdin.close()
    complaints = run.stderr.read()
    run.stderr.close()
    assert run.wait(DEADLINE_S) == 130
    assert "error" not in complaints


def test_another_agenda_on_the_port_is_refused_with_what_to_do(running: Home, me: str) -> None:
    run = running.run("ask", ASK, "--identity-file", me, "--agenda", "rolling")
    assert run.returncode == 69
    assert 'agenda "blueprint", not "rolling"' in run.stderr
    assert "clinic-mesh down" in run.stderr


def test_no_process_shows_name_or_cpf_in_its_command_line(running: Home, me: str) -> None:
    listing = subprocess.run(
        ["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True, timeout=DEADLINE_S
    )
    assert "python" in listing.stdout
    assert "529.982.247-25" not in listing.stdout
    for holder in running.holders if os.geteuid() == 0 else ():  # only root may look
        environment = Path(f"/proc/{holder.pid}/environ").read_text("utf-8")
        assert "CLINIC_MESH" not in environment
