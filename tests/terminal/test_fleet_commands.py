"""The commands about the clinics, as real processes: what they start, end, say and leave alone."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from orchestrator.fleet.process import end, find_holder, find_holders, is_held
from tests.support.doors import raw_call
from tests.support.home import DEADLINE_S, Home
from tests.support.patience import sitecustomize
from tests.support.tty import Tty

PORTUGUESE = {"LANG": "pt_BR.UTF-8"}
WHO = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
IMPATIENT = {sitecustomize.VARIABLE: "3"}
ALL = [f"clinic_{letter}" for letter in "abcdef"]


@contextmanager
def started(home: Home, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Yield the command while it runs; it is killed if it still does."""
    process = home.start(*arguments)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_until(process: subprocess.Popen[str], text: str) -> str:
    assert process.stderr is not None
    return next(line for line in process.stderr if text in line)


@pytest.fixture(scope="module")
def lasting_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A machine for all tests that only need clinics to run."""
    home = Home(tmp_path_factory.mktemp("home"))
    yield home
    home.close()


@pytest.fixture
def upped(lasting_home: Home) -> Iterator[Home]:
    """A machine on which `up --detach` was run."""
    assert lasting_home.run("up", "--detach").returncode == 0
    yield lasting_home
    for holder in find_holders(lasting_home.data):
        os.kill(holder.pid, signal.SIGCONT)


def test_status_as_json_names_every_clinic(upped: Home) -> None:
    run = upped.run("status", "-o", "json", is_cold=True)
    assert run.returncode == 0
    status = json.loads(run.stdout)
    assert status["schema"] == "clinic-mesh.status/1"
    assert [clinic["clinic"] for clinic in status["clinics"]] == [f"clinic_{letter}" for letter in "abcdef"]
    assert {clinic["health"] for clinic in status["clinics"]} == {"serving"}
    assert status["clinics"][0]["pid"] == upped.holder("clinic_a").pid
    assert "Dr. Ricardo Lopes" in status["clinics"][0]["doctors"]


@pytest.mark.long
def test_status_counts_the_calls_that_each_clinic_refused(home: Home) -> None:
    assert home.run("up", "--detach").returncode == 0
    nothing = "Nenhuma chamada foi recusada desde que as clínicas atendem.\n"
    assert home.run("status", "--calls", environment=PORTUGUESE).stdout == nothing

    with grpc.insecure_channel(home.holder("clinic_b").address) as channel, pytest.raises(grpc.RpcError):
        raw_call(channel, "/clinic.v1.ClinicService/ListAvailableSlots")
    told = home.run("status", "--calls", environment=PORTUGUESE).stdout
    assert re.search("clinic_b .*clinic.v1.ClinicService/ListAvailableSlots .*UNAUTHENTICATED .*1", told), told
    clinics = json.loads(home.run("status", "-o", "json").stdout)["clinics"]
    refused = {"method": "clinic.v1.ClinicService/ListAvailableSlots", "reason": "UNAUTHENTICATED", "calls": 1}
    assert [clinic["refusals"] for clinic in clinics] == [[], [refused], [], [], [], []]


@pytest.mark.long
def test_a_server_for_the_agendas_is_a_setting(home: Home, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    store = {"CLINIC_MESH_STORE": postgres_server}
    refused = home.run("restart", "clinic_a", environment=store)
    assert refused.returncode == 2
    assert "CLINIC_MESH_AGENDA" in refused.stderr
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        try:
            run = home.run("restart", "clinic_a", environment={**store, "CLINIC_MESH_AGENDA": "rolling"})
            assert run.returncode == 0, run.stderr
            assert connection.execute("SELECT count(*) > 0 FROM clinic_a.slot").fetchone() == (True,)
        finally:
            assert home.run("down").returncode == 0
            connection.execute("DROP SCHEMA IF EXISTS clinic_a CASCADE")
    assert not (home.data / "rolling" / "clinic_a" / "db.json").exists()


@pytest.mark.long
def test_agendas_move_to_a_server_and_back(home: Home, postgres_server: str) -> None:
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    rolling = {"CLINIC_MESH_AGENDA": "rolling"}
    kept = {**rolling, "CLINIC_MESH_STORE": postgres_server}
    database = home.data / "rolling" / "clinic_a" / "db.json"
    assert home.run("restart", "clinic_a", environment=rolling).returncode == 0
    refused = home.run("store", "import", "clinic_a", environment=kept)
    assert (refused.returncode, "another process holds this silo" in refused.stderr) == (5, True)
    assert home.run("down", environment=rolling).returncode == 0
    assert "CLINIC_MESH_STORE" in home.run("store", "check", environment=rolling).stderr
    before = database.read_bytes()
    try:
        assert "store of clinic_a: nothing is kept there yet" in home.run("doctor", environment=kept).stdout
        assert re.search("clinic_a: [0-9]+ slots", home.run("store", "import", "clinic_a", environment=kept).stdout)
        assert re.search("store of clinic_a: [0-9]+ slots", home.run("doctor", environment=kept).stdout)
        assert "nothing to do" in home.run("store", "export", "clinic_a", environment=kept).stdout
        database.write_text('{"slots": []}')
        assert home.run("store", "export", "clinic_a", environment=kept).returncode == 5  # another agenda is there
        database.unlink()
        assert home.run("store", "export", "clinic_a", environment=kept).returncode == 0
        assert database.read_bytes() == before
        assert home.run("store", "migrate", "clinic_a", environment=kept).returncode == 0
    finally:
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS clinic_a CASCADE")


@pytest.mark.long
def test_doctor_names_a_server_of_agendas_that_is_not_there_and_no_address(home: Home) -> None:
    pytest.importorskip("psycopg")
    away = {"CLINIC_MESH_STORE": "postgresql://somebody@127.0.0.1:1/nothing"}
    run = home.run("doctor", environment={**away, "CLINIC_MESH_AGENDA": "rolling"})
    assert run.returncode == 5
    assert run.stdout.count("failed store of clinic_") == 6
    assert "somebody" not in run.stdout
    assert "failed store: " in home.run("doctor", environment=away).stdout  # which July's agenda cannot have


def test_status_names_the_slots_of_an_earlier_release_that_overlap(home: Home) -> None:
    silo = home.data / "blueprint" / "clinic_a"
    silo.mkdir(parents=True)
    slot = {"doctor": "Dr. Ricardo Lopes", "specialty": "Cardiologia", "date": "2025-07-21", "available": True}
    slots = [{**slot, "time": at, "patient_name": None, "cpf": None} for at in ("09:00", "09:10")]
    (silo / "db.json").write_text(json.dumps({"slots": slots}), "utf-8")
    assert home.run("restart", "clinic_a").returncode == 0
    told = home.run("status", environment={**PORTUGUESE, "COLUMNS": "240"}).stdout
    assert "atendendo; 2 horários se sobrepõem" in told
    clinics = json.loads(home.run("status", "-o", "json").stdout)["clinics"]
    assert [clinic["overlapping_slots"] for clinic in clinics] == [2, 0, 0, 0, 0, 0]


@pytest.mark.long
def test_up_stays_until_it_is_interrupted_and_then_stops_its_clinics(home: Home) -> None:
    up = home.start("up")
    assert up.stderr is not None
    try:
        assert any("Ctrl-C" in line for line in up.stderr)
        assert len(find_holders(home.data)) == 6
        up.send_signal(signal.SIGINT)
        assert up.wait(DEADLINE_S) == 0
    finally:
        up.kill()
        up.communicate()
    assert find_holders(home.data) == []


@pytest.mark.long
def test_a_second_up_says_what_runs_already_and_returns(upped: Home) -> None:
    assert upped.run("down", "clinic_d", is_cold=True).returncode == 0
    second = upped.run("up", "--detach", environment=PORTUGUESE, is_cold=True)
    third = upped.run("up")
    assert (second.returncode, third.returncode) == (0, 0)
    assert "iniciadas: clinic_d\n" in second.stderr
    assert "já estavam rodando e ficam como estão: clinic_a, clinic_b, clinic_c, clinic_e, clinic_f\n" in second.stderr
    assert "atendendo" in second.stdout
    assert f"already running, left as they are: {', '.join(ALL)}\n" in third.stderr
    assert "nothing was started" in third.stderr
    assert len(find_holders(upped.data)) == 6


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("locale", "complaint"),
    [
        ("C.UTF-8", r"clinic_c: port {port} is held by \S+ \(process {pid}\).*nothing was started"),
        ("pt_BR.UTF-8", r"clinic_c: a porta {port} está ocupada por \S+ \(processo {pid}\).*nada foi iniciado"),
    ],
)
def test_a_port_that_somebody_holds_stops_the_start_before_it_begins(home: Home, locale: str, complaint: str) -> None:
    port = int(home.environment["CLINIC_MESH_BASE_PORT"]) + 2
    with socket.create_server(("127.0.0.1", port)):
        run = home.run("up", environment={"LANG": locale, **IMPATIENT})
    assert run.returncode == 69
    assert re.search(complaint.format(port=port, pid=os.getpid()), run.stderr)
    assert not list(home.data.glob("blueprint/*"))
    assert not list(home.data.glob("logs/clinic_*.log"))


@pytest.fixture
def slow_silo(home: Home) -> Path:
    """The silo of a clinic that does not come up before somebody writes its db.json."""
    silo = home.data / "blueprint" / "clinic_d"
    silo.mkdir(parents=True)
    os.mkfifo(silo / "db.json")
    return silo


def await_asked_to_end(silo: Path, command: subprocess.Popen[str]) -> None:
    """Wait until SIGTERM waits for the process that holds a silo and has not begun to listen for it.

    A command that ends meanwhile has ended a process that had not even taken its silo.
    """
    deadline = time.monotonic() + DEADLINE_S
    while command.poll() is None:
        holder = find_holder(silo)
        if holder is not None and _waits_for_sigterm(holder.pid):
            return
        assert time.monotonic() < deadline


def _waits_for_sigterm(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except FileNotFoundError:
        return False
    pending = int(next(line for line in status.splitlines() if line.startswith("ShdPnd")).split()[1], 16)
    return bool(pending & 1 << signal.SIGTERM - 1)


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("command", "number", "code"),
    [
        (("up", "--detach"), signal.SIGINT, 130),
        (("up",), signal.SIGTERM, 128 + 15),
        (("up",), signal.SIGHUP, 128 + 1),
        (("ask", "horários"), signal.SIGINT, 130),
        (("restart", "clinic_d"), signal.SIGTERM, 128 + 15),
    ],
)
def test_a_start_that_is_interrupted_leaves_no_clinic_behind(
    home: Home, slow_silo: Path, command: tuple[str, ...], number: signal.Signals, code: int
) -> None:
    home.environment |= WHO
    with started(home, *command) as up:
        # It can be opened for writing when the clinic reads: from then on the fleet is half up.
        with (slow_silo / "db.json").open("wb"):
            up.send_signal(number)
            await_asked_to_end(slow_silo, up)
        # Python itself ends by SIGINT where one came while it executed a string, as dataclasses do at their import:
        # for a shell that is 130, too.
        assert up.wait(DEADLINE_S) in {code, -signal.SIGINT if number is signal.SIGINT else code}
    assert find_holders(home.data) == []
    assert not is_held(slow_silo / "clinic.lock")


@pytest.mark.long
def test_a_clinic_that_takes_too_long_is_given_up_and_the_others_serve(home: Home, slow_silo: Path) -> None:
    with started(home, "up", "--detach", "--wait", "1") as up:
        # Open for both, so that this waits for no reader: on a busy machine the clinic may be given up before it reads.
        with (slow_silo / "db.json").open("r+b", buffering=0):
            await_asked_to_end(slow_silo, up)
        assert "does not answer at" in read_until(up, "clinic-mesh:")
        # On a busy machine none of the others may come up in that second either.
        assert up.wait(DEADLINE_S) in {3, 69}
    assert not is_held(slow_silo / "clinic.lock")
    home.run("down")
    assert find_holders(home.data) == []


@pytest.mark.long
def test_up_says_which_clinic_died_and_leaves_it_down(home: Home) -> None:
    with started(home, "up") as up:
        read_until(up, "Ctrl-C")
        home.signal("clinic_c", signal.SIGKILL)
        assert "clinic_c: ended (status -9) and stays down" in read_until(up, "clinic_c")
        assert home.run("status").returncode == 3
        up.send_signal(signal.SIGTERM)
        assert up.wait(DEADLINE_S) == 0
    assert find_holders(home.data) == []


@pytest.mark.long
def test_a_clinic_that_was_ended_stays_down_until_it_is_restarted_with_what_it_held(upped: Home) -> None:
    words = "marque com o Dr. Fernando Mendes dia 18/07 às 10h"
    assert upped.run("ask", words, "--yes", environment=WHO).returncode == 0
    address = upped.holder("clinic_c").address
    down = upped.run("down", "clinic_c")
    assert down.returncode == 0
    assert down.stdout.count("stopped") == 1
    assert upped.run("ask", "--no-start", "horários de cardiologia", environment=WHO).returncode == 3
    assert upped.run("restart", "clinic_c").stdout == "clinic_c: restarted\n"
    assert upped.run("status").returncode == 0
    assert upped.holder("clinic_c").address == address
    assert upped.taken("clinic_c") == [("2025-07-18", "10:00", "Maria Souza")]


def test_restart_ends_the_clinic_and_starts_it_again_in_its_place(upped: Home) -> None:
    before = {clinic: upped.holder(clinic).pid for clinic in ALL}
    restarted = upped.run("restart", "clinic_b", environment=PORTUGUESE)
    assert (restarted.returncode, restarted.stdout) == (0, "clinic_b: reiniciada\n")
    after = {clinic: upped.holder(clinic).pid for clinic in ALL}
    assert [clinic for clinic in ALL if before[clinic] != after[clinic]] == ["clinic_b"]


@pytest.mark.long
def test_restart_leaves_a_clinic_alone_that_is_not_as_it_would_be_started(upped: Home) -> None:
    pid = upped.holder("clinic_b").pid
    other_agenda = upped.run("restart", "clinic_b", "--agenda", "rolling")
    assert (other_agenda.returncode, 'agenda "blueprint", not "rolling"' in other_agenda.stderr) == (69, True)
    other_keys = upped.run("restart", "clinic_b", environment={"CLINIC_MESH_KEYS_DIR": str(upped.folder / "keys")})
    assert (other_keys.returncode, "other keys than ours" in other_keys.stderr) == (69, True)
    keys = {"CLINIC_MESH_KEYS_DIR": str(upped.data / "keys"), "CLINIC_MESH_DATA_DIR": str(upped.folder / "elsewhere")}
    other_folder = upped.run("restart", "clinic_b", environment=keys)
    assert (other_folder.returncode, "not from this data folder" in other_folder.stderr) == (69, True)
    upped.signal("clinic_b", signal.SIGSTOP)
    silent = upped.run("restart", "clinic_b", environment=IMPATIENT)
    assert (silent.returncode, f"(process {pid})" in silent.stderr) == (69, True)
    assert upped.holder("clinic_b").pid == pid


def test_a_clinic_that_there_is_not_is_wrong_usage(home: Home) -> None:
    for command in ("restart", "down", "logs", "clinic"):
        run = home.call(command, "clinic_z")
        assert (run.returncode, "known are clinic_a, clinic_b" in run.stderr) == (2, True), command


def test_down_says_that_nothing_runs(home: Home) -> None:
    assert home.run("down").stdout == f"no clinic runs from {home.data}\n"
    one = home.run("down", "clinic_c", environment=PORTUGUESE)
    assert (one.returncode, one.stdout) == (0, f"clinic_c: não está rodando a partir de {home.data}\n")


def write_log(home: Home, clinic: str, text: str) -> Path:
    log = home.data / "logs" / f"{clinic}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(text)
    return log


def test_logs_are_the_last_lines_of_each_clinic_and_steer_no_terminal(home: Home) -> None:
    write_log(home, "clinic_a", "one\ntwo\nthree\n")
    write_log(home, "clinic_c", "be\x1b[2Jfore\n")
    run = home.run("logs", "-n", "2")
    assert run.returncode == 0
    assert run.stdout == "clinic_a | two\nclinic_a | three\nclinic_c | be[2Jfore\n"
    assert "clinic_b: nothing was logged in" in run.stderr
    assert home.run("logs", "clinic_a").stdout == "one\ntwo\nthree\n"


def test_logs_follow_until_they_are_interrupted(home: Home) -> None:
    log = write_log(home, "clinic_a", "before\n")
    logs = Tty(home, ("logs", "-f"))
    try:
        logs.wait_for_line("clinic_a | before")
        write_log(home, "clinic_b", "appears\n")
        logs.wait_for_line("clinic_b | appears")
        log.rename(log.with_suffix(".1"))
        write_log(home, "clinic_a", "after\n")
        logs.wait_for_line("clinic_a | after")
        os.kill(logs.pid, signal.SIGINT)
        assert logs.wait_for_end() == 0
    finally:
        logs.close()


def test_clinic_runs_one_in_the_foreground(home: Home) -> None:
    clinic = Tty(home, ("clinic", "clinic_c"))
    try:
        clinic.wait_for("clinic_c listening on 127.0.0.1:")
        assert [holder.clinic for holder in find_holders(home.data)] == ["clinic_c"]
        os.kill(clinic.pid, signal.SIGINT)
        assert clinic.wait_for_end() == 0
    finally:
        clinic.close()


def test_down_leaves_a_process_alone_that_does_not_answer_as_the_clinic(upped: Home) -> None:
    upped.signal("clinic_b", signal.SIGSTOP)
    run = upped.run("down", environment=IMPATIENT)
    assert run.returncode == 5
    assert "clinic_b" in run.stdout
    assert "left alone" in run.stdout
    assert [holder.clinic for holder in find_holders(upped.data)] == ["clinic_b"]


@pytest.mark.long
def test_down_never_ends_a_process_whose_address_belongs_to_another_clinic(upped: Home) -> None:
    true = upped.holder("clinic_a")
    assert end(upped.holder("clinic_b"))
    bystander = subprocess.Popen(["sleep", "600"])
    lock = upped.data / "blueprint" / "clinic_b" / "clinic.lock"
    claim = {"pid": bystander.pid, "address": true.address, "agenda": "blueprint", "clinic": "clinic_b"}
    lock.write_text(json.dumps(claim), encoding="utf-8")
    try:
        with lock.open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            assert upped.run("down").returncode == 5
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()
    assert find_holders(upped.data) == []
