from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from clinics.program import serve
from clinics.startup import StartupError
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.server import Server
from tests.support.http2 import Connection, header_block, message

TIMEOUT_S = 60.0
NOW = "2025-07-15T08:00-03:00"
PROGRAM = Path("/proc/self/comm").read_text("utf-8").strip()
Spawn = Callable[..., subprocess.Popen[str]]
AddressOf = Callable[[subprocess.Popen[str]], str]
Connect = Callable[[str], ClinicServiceStub]


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=TIMEOUT_S)
    return process.returncode, errors


def test_a_port_in_use_is_an_error_that_names_its_holder(clinic: Server, tmp_path: Path) -> None:
    with pytest.raises(StartupError) as error:
        serve("clinic_b", clinic.address, tmp_path / "other", "blueprint", NOW)
    assert f"{PROGRAM} (process {os.getpid()}) listens there already" in str(error.value)
    assert "--listen" in str(error.value)
    # What was opened before the port was tried is given back.
    serve("clinic_b", "127.0.0.1:0", tmp_path / "other", "blueprint", NOW).stop()


def test_a_port_in_use_is_told_in_one_line(clinic: Server, spawn: Spawn, silo: Path) -> None:
    elsewhere = str(silo.with_name("elsewhere"))
    code, errors = ended(spawn("--silo", elsewhere, listen=clinic.address))
    assert code == 1
    assert errors == (
        f"python -m clinics: cannot listen on {clinic.address}: {PROGRAM} (process {os.getpid()}) listens there "
        "already. Stop it, or choose another port with --listen.\n"
    )


def test_a_second_process_on_a_silo_is_told_who_holds_it(clinic: Server, spawn: Spawn) -> None:
    code, errors = ended(spawn("--agenda", "blueprint"))
    assert code == 1
    assert f"another process holds this silo (process {os.getpid()} at {clinic.address})" in errors
    assert "Traceback" not in errors


def test_a_silo_is_free_again_after_a_kill(spawn: Spawn, address_of: AddressOf) -> None:
    first = spawn()
    address_of(first)
    first.kill()
    first.wait(TIMEOUT_S)
    assert address_of(spawn())


def test_a_stopped_clinic_leaves_no_thread_of_its_own(silo: Path) -> None:
    before = {*threading.enumerate()}
    serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW).stop()
    left = {thread.name for thread in threading.enumerate() if thread not in before}
    assert left.isdisjoint({"slot-store-writer", "agenda-upkeep"})


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_clinic_that_is_asked_to_end_ends_with_success(
    spawn: Spawn, address_of: AddressOf, number: signal.Signals
) -> None:
    process = spawn()
    address_of(process)
    process.send_signal(number)
    assert ended(process) == (0, "")


def test_a_broken_file_stops_the_start_in_one_line_and_is_left_alone(spawn: Spawn, silo: Path) -> None:
    silo.mkdir()
    (silo / "db.json").write_text('{"slots": [{"doctor": "Dr. X"}]}', "utf-8")
    code, errors = ended(spawn())
    assert code == 1
    assert errors.count("\n") == 1
    assert f'{silo / "db.json"}: slots[0].specialty: the field "specialty" is missing' in errors
    assert (silo / "db.json").read_text("utf-8") == '{"slots": [{"doctor": "Dr. X"}]}'


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("clinic_id", "listen", "arguments", "said"),
    [
        ("clinic_z", "127.0.0.1:0", (), "known are clinic_a, clinic_b"),
        ("clinic_a", "8001", (), "--listen must be host:port"),
        ("clinic_a", "127.0.0.1:65536", (), "--listen must be host:port"),
        ("clinic_a", "127.0.0.1:0", ("--now", "tomorrow"), "--now: not an ISO 8601 instant"),
        ("clinic_a", "127.0.0.1:0", ("--now", "2025-07-15T08:00"), "--now: a fixed now needs a UTC offset"),
        ("clinic_a", "127.0.0.1:0", ("--now", "0001-01-01T00:00+14:00"), "--now: the year must be from 2000 to 2199"),
        ("clinic_a", "127.0.0.1:0", ("--now", "9999-12-31T23:59-03:00"), "--now: the year must be from 2000 to 2199"),
        ("clinic_a", "127.0.0.1:0", ("--agenda", "lunar"), "invalid choice"),
    ],
)
def test_wrong_usage_is_told_with_what_is_right(
    spawn: Spawn, silo: Path, clinic_id: str, listen: str, arguments: tuple[str, ...], said: str
) -> None:
    code, errors = ended(spawn(*arguments, clinic_id=clinic_id, listen=listen))
    assert code == 2
    assert said in errors
    assert "Traceback" not in errors
    assert not silo.exists()


@pytest.mark.long(but=1)
@pytest.mark.parametrize("rate", ["20", "0,5", "often", "1,nan"])
def test_a_rate_that_is_none_is_wrong_usage(spawn: Spawn, rate: str) -> None:
    code, errors = ended(spawn("--rate", rate))
    assert code == 2
    assert errors == "python -m clinics: --rate must be READ_PER_S,WRITE_PER_S, such as 20,5, or off\n"


@pytest.mark.parametrize(("arguments", "refused"), [(("--rate", "0.001,0.001"), True), ((), False)])
def test_a_clinic_without_tokens_limits_callers_only_where_it_is_told_to(
    spawn: Spawn, address_of: AddressOf, connect: Connect, arguments: tuple[str, ...], *, refused: bool
) -> None:
    stub = connect(address_of(spawn("--agenda", "blueprint", "--now", NOW, *arguments)))
    stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S)
    again = stub.ListAvailableSlots.future(pb.ListAvailableSlotsRequest(), timeout=TIMEOUT_S)
    assert again.code() is (grpc.StatusCode.RESOURCE_EXHAUSTED if refused else grpc.StatusCode.OK)


@pytest.mark.long
def test_a_second_request_to_end_ends_a_clinic_that_waits_for_a_call(spawn: Spawn, address_of: AddressOf) -> None:
    process = spawn()
    with Connection(address_of(process)) as connection:
        (stream,) = connection.begin(header_block("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"))
        connection.say(stream, message(b"\x3a\x00"))
        while not connection.answers:
            connection.listen(TIMEOUT_S)
        process.terminate()
        # It says on every connection that it takes no more calls.
        while not connection.is_over:
            connection.listen(TIMEOUT_S)
        until = time.monotonic() + TIMEOUT_S
        while process.poll() is None and time.monotonic() < until:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
    assert process.poll() == 128 + signal.SIGTERM


def test_a_clinic_writes_its_log_to_a_file_that_it_is_given(spawn: Spawn, silo: Path) -> None:
    code, errors = ended(spawn("--log", str(silo / "no such folder" / "a.log")))
    assert code == 1
    assert "cannot be written" in errors
