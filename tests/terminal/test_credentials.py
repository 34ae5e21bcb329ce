"""The command's keys, tokens and certificates, by real processes."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from orchestrator.agents.registry_file import read_registry
from tests.support.home import DEADLINE_S, Home
from tests.support.tokens import payload_of
from tests.wire.parity.doors import TRACE, Refusal, TypedDoor

ME = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
ASK = "quais são os horários de cardiologia?"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A machine on which six clinics run while the module's tests last."""
    home = Home(tmp_path_factory.mktemp("home"))
    assert home.run("up", "--detach").returncode == 0
    yield home
    home.close()


def door(home: Home, token: str | None) -> TypedDoor:
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    return TypedDoor(grpc.insecure_channel(home.holder("clinic_a").address), (*TRACE, *metadata))


def test_the_first_start_makes_keys_that_no_clinic_sees(running: Home) -> None:
    keys = running.data / "keys"
    later = {"memory.key"}  # which the first conversation makes
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in keys.iterdir() if path.name not in later} == {
        "orchestrator.pem": 0o600,
        "operator.pem": 0o600,
        "public": 0o700,
    }
    told = Path(f"/proc/{running.holder('clinic_a').pid}/cmdline").read_bytes().decode().split("\0")
    assert told[told.index("--keys") + 1] == str(keys / "public")
    assert not any(name in " ".join(told) for name in ("orchestrator.pem", "operator.pem", "--no-auth"))


def test_a_printed_token_opens_its_clinic_and_no_other(running: Home) -> None:
    printed = running.call("token", "--clinic", "clinic_a", environment=ME)
    assert (printed.returncode, printed.stderr) == (0, "")
    token = printed.stdout.strip()
    payload = payload_of(token)
    assert (payload["aud"], payload["exp"] - payload["iat"], payload["role"]) == ("clinic_a", 900, "patient")
    refused = door(running, None).ask("list_available_slots", {})
    assert isinstance(refused, Refusal)
    assert "clinic-mesh token --clinic clinic_a" in refused.message
    assert not isinstance(door(running, token).ask("list_available_slots", {}), Refusal)
    other = running.call("token", "--clinic", "clinic_b", "--ttl", "60", environment=ME).stdout.strip()
    assert isinstance(door(running, other).ask("list_available_slots", {}), Refusal)


def test_an_operators_token_lists_patients(running: Home) -> None:
    token = running.call("token", "--clinic", "clinic_a", "--role", "operator", environment=ME).stdout.strip()
    assert not isinstance(door(running, token).ask("list_patients", {}), Refusal)


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "complaint"),
    [
        (["--clinic", "clinic_z"], ME, 2, "there is no such agent"),
        (["--clinic", "clinic_a", "--ttl", "3601"], ME, 2, "--ttl: a token lives 1 to 3600 seconds"),
        (["--clinic", "clinic_a"], {}, 6, "who is speaking?"),
    ],
)
def test_no_token_is_printed_for_nobody_nowhere_or_forever(
    running: Home, arguments: list[str], environment: dict[str, str], code: int, complaint: str
) -> None:
    run = running.call("token", *arguments, environment=environment)
    assert (run.returncode, run.stdout) == (code, "")
    assert complaint in run.stderr


def test_an_operator_without_the_operators_key_is_told_so_and_a_patient_goes_on(running: Home) -> None:
    key = running.data / "keys" / "operator.pem"
    elsewhere = running.folder / "operator.pem"
    listed = running.call("ask", "lista de pacientes da clínica A", "--role", "operator", environment=ME)
    assert listed.returncode == 0
    assert "CARD-001" in listed.stdout
    key.rename(elsewhere)
    try:
        for command in (["ask", "lista de pacientes"], ["token", "--clinic", "clinic_a"]):
            run = running.call(*command, "--role", "operator", environment=ME)
            assert (run.returncode, run.stdout) == (6, "")
            assert "operator.pem: the key of the operator cannot be read" in run.stderr
        assert running.call("ask", ASK, environment=ME).returncode == 0
    finally:
        elsewhere.rename(key)


def test_other_keys_than_the_clinics_are_named_as_the_problem(running: Home, tmp_path: Path) -> None:
    other = {**ME, "CLINIC_MESH_KEYS_DIR": str(tmp_path / "keys")}
    run = running.call("ask", ASK, environment=other)
    assert run.returncode == 69
    assert "clinic_a: already running at" in run.stderr
    assert "with other keys than ours" in run.stderr
    status = running.call("status", "--output", "json", environment=other)
    assert {clinic["health"] for clinic in json.loads(status.stdout)["clinics"]} == {"other keys"}
    refused = running.call("ask", ASK, "--no-start", environment=other)
    assert refused.returncode == 5
    assert "confia em outras chaves" in refused.stdout


def test_a_patient_is_shown_no_record_of_another_by_id(running: Home) -> None:
    there, nowhere = (
        running.call("ask", f"ficha do paciente {each}", environment=ME) for each in ("CARD-001", "CARD-999")
    )
    assert there.stdout.replace("CARD-001", "") == nowhere.stdout.replace("CARD-999", "")


@pytest.mark.long(but=1)
@pytest.mark.parametrize("kind", ["mutual", "server"])
def test_a_whole_conversation_over_tls(tmp_path: Path, kind: str) -> None:
    home = Home(tmp_path / "home")
    tls = {**ME, "CLINIC_MESH_TLS_DIR": str(home.folder / "tls"), "CLINIC_MESH_TLS": kind}
    try:
        missing = home.run("up", "--detach", environment=tls)
        assert missing.returncode == 2
        assert "ca.pem: cannot be read" in missing.stderr
        made = home.call("certs", environment=tls)
        assert made.returncode == 0
        others = ("the authority", "the gateway", "the memory service", "the orchestrator", "the probe")
        assert len(made.stdout.splitlines()) == len(read_registry(8001)) + len(others)
        assert "none was replaced" in home.call("certs", environment=tls).stdout
        assert home.run("up", "--detach", environment=tls).returncode == 0
        answer = home.call("ask", ASK, environment=tls)
        assert answer.returncode == 0
        assert "Dr. Ricardo Lopes" in answer.stdout
        assert '"memorias"' in home.call("call", "memory", "listar_memorias", environment=tls).stdout
        assert home.call("status").returncode == 69, "in the clear nobody answers"
        assert home.run("down", environment=tls).returncode == 0
    finally:
        home.close()


def test_certs_without_a_setting_says_what_to_set(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    made = home.call("certs")
    assert f"set CLINIC_MESH_TLS_DIR={home.data / 'tls'} to use them" in made.stdout


@pytest.mark.skipif(shutil.which("grpcurl") is None, reason="grpcurl is not installed")
def test_grpcurl_takes_one_more_line(running: Home) -> None:
    token = running.call("token", "--clinic", "clinic_a", environment=ME).stdout.strip()
    method = "clinic.v1.ClinicService/ListAvailableSlots"
    command = ["grpcurl", "-plaintext", "-H", f"authorization: Bearer {token}"]
    done = subprocess.run(
        [*command, running.holder("clinic_a").address, method],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0
    assert "available_slots" in done.stdout
