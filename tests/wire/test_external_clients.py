"""Clients that are not ours drive a running clinic: buf curl always, grpcurl where it is installed.

They know the contract from reflection alone: a developer needs no file of ours to call a clinic.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from generated.clinic.v1 import clinic_service_pb2

ROOT = Path(__file__).parents[2]
BUF = Path(sys.executable).with_name("buf")
CLINIC = clinic_service_pb2.DESCRIPTOR.services_by_name["ClinicService"]
DEADLINE_S = 20

# Section 2.2 of the blueprint gives this envelope as its example; it is sent as it stands there.
BLUEPRINT_ENVELOPE = """
{
    "jsonrpc": "2.0",
    "id": "550e8400-e29b-41d4-a716-446655440000",
    "method": "tools/call",
    "params": {
        "name": "book_appointment",
        "arguments": {
            "doctor": "Dr. Ricardo Lopes",
            "date": "2025-07-21",
            "time": "09:00",
            "patient_name": "Carlos Teste",
            "cpf": "123.456.789-00"
        }
    }
}
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client printed: the response, or the gRPC status as JSON."""

    ok: bool
    body: dict[str, Any]  # JSON as the client printed it; the tests look into it by name


class Client(Protocol):
    """A command-line client of gRPC, pointed at one address."""

    def services(self) -> set[str]: ...

    def methods(self, service: str) -> set[str]: ...

    def call(self, method: str, request: str) -> Answer: ...


@dataclass(frozen=True, slots=True)
class BufCurl:
    address: str

    def services(self) -> set[str]:
        return set(self._run("--list-services", f"http://{self.address}").stdout.split())

    def methods(self, service: str) -> set[str]:
        listed = self._run("--list-methods", f"http://{self.address}").stdout.split()
        return {name for owner, _, name in (line.partition("/") for line in listed) if owner == service}

    def call(self, method: str, request: str) -> Answer:
        done = self._run("--data", "@-", f"http://{self.address}/{method}", text=request)
        return Answer(done.returncode == 0, json.loads(done.stdout or done.stderr))

    def _run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        protocol = ("--protocol", "grpc", "--http2-prior-knowledge", "--timeout", f"{DEADLINE_S}s")
        return _run(str(BUF), "curl", *protocol, *arguments, text=text)


@dataclass(frozen=True, slots=True)
class Grpcurl:
    address: str

    def services(self) -> set[str]:
        return set(self.run(self.address, "list").stdout.split())

    def methods(self, service: str) -> set[str]:
        listed = self.run(self.address, "list", service).stdout.split()
        return {name.removeprefix(f"{service}.") for name in listed}

    def call(self, method: str, request: str) -> Answer:
        done = self.run("-format-error", "-d", "@", self.address, method, text=request)
        return Answer(done.returncode == 0, json.loads(done.stdout or done.stderr))

    def run(self, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return _run("grpcurl", "-plaintext", "-max-time", str(DEADLINE_S), *arguments, text=text)


def _run(*command: str, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=2 * DEADLINE_S)


needs_grpcurl = pytest.mark.skipif(shutil.which("grpcurl") is None, reason="grpcurl is not installed")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a clinic_a, a real process with the blueprint's agenda; who books there gives it back."""
    silo = str(tmp_path_factory.mktemp("clinic") / "silo")
    command = [sys.executable, "-m", "clinics", "clinic_a", "--listen", "127.0.0.1:0", "--silo", silo]
    agenda = ["--no-auth", "--agenda", "blueprint", "--now", "2025-07-15T08:00:00-03:00"]
    with subprocess.Popen([*command, *agenda], cwd=ROOT, stdout=subprocess.PIPE, text=True) as clinic:
        assert clinic.stdout is not None
        ready = clinic.stdout.readline()
        try:
            assert ready, "the clinic did not start"
            yield ready.split()[-1]
        finally:
            clinic.terminate()
            clinic.wait(DEADLINE_S)


@pytest.fixture(params=[BufCurl, pytest.param(Grpcurl, marks=needs_grpcurl)])
def client(request: pytest.FixtureRequest, address: str) -> Client:
    client: Client = request.param(address)
    return client


def test_a_client_finds_both_doors_and_health_by_reflection(client: Client) -> None:
    assert client.services() >= {CLINIC.full_name, "mesh.v1.ToolService", "grpc.health.v1.Health"}


def test_a_client_finds_every_method_of_the_typed_door_by_reflection(client: Client) -> None:
    assert client.methods(CLINIC.full_name) == {method.name for method in CLINIC.methods}


def test_a_typed_call_answers_with_the_contracts_own_field_names(client: Client) -> None:
    answer = client.call("clinic.v1.ClinicService/ListAvailableSlots", '{"doctor": "Dr. Ricardo Lopes"}')

    assert answer.ok, answer.body
    assert answer.body["specialty"] == "Cardiology"
    opened = {(slot["doctor"], slot["date"], slot["time"]) for slot in answer.body["available_slots"]}
    assert ("Dr. Ricardo Lopes", "2025-07-21", "09:00") in opened


def test_the_blueprints_envelope_books_unchanged(client: Client) -> None:
    answer = client.call("mesh.v1.ToolService/Call", BLUEPRINT_ENVELOPE)

    assert answer.ok, answer.body
    sent = json.loads(BLUEPRINT_ENVELOPE)
    assert answer.body["id"] == sent["id"]
    assert answer.body["result"]["status"] == "confirmed"
    booked = answer.body["result"]["appointment"]
    assert booked.items() >= (sent["params"]["arguments"] | {"specialty": "Cardiology", "duration_min": 30}).items()
    left = client.call("clinic.v1.ClinicService/ListAvailableSlots", "{}")
    opened = {(slot["date"], slot["time"]) for slot in left.body["available_slots"]}
    assert ("2025-07-21", "09:00") not in opened
    given_back = client.call("clinic.v1.ClinicService/CancelAppointment", json.dumps(sent["params"]["arguments"]))
    assert given_back.ok, given_back.body


def test_the_envelope_door_lists_the_tools(client: Client) -> None:
    answer = client.call("mesh.v1.ToolService/Call", '{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}')

    assert answer.ok, answer.body
    assert answer.body["id"] == 7
    assert len(answer.body["result"]["tools"]) == len(CLINIC.methods) - 1  # GetClinic is not a tool


def test_a_refused_write_reaches_a_client_as_a_status_with_details(client: Client) -> None:
    booking = json.loads(BLUEPRINT_ENVELOPE)["params"]["arguments"] | {"time": "03:15"}

    answer = client.call("clinic.v1.ClinicService/BookAppointment", json.dumps(booking))

    assert not answer.ok
    assert answer.body["code"] in {"failed_precondition", 9}
    assert "google.rpc.ErrorInfo" in json.dumps(answer.body["details"])
    assert booking["cpf"] not in json.dumps(answer.body)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("service", ["", "clinic.v1.ClinicService", "mesh.v1.ToolService"])
def test_a_client_reads_the_health_of_each_service(client: Client, service: str) -> None:
    answer = client.call("grpc.health.v1.Health/Check", json.dumps({"service": service}))

    assert answer == Answer(ok=True, body={"status": "SERVING"})


@needs_grpcurl
@pytest.mark.parametrize(
    "symbol", ["clinic.v1.ClinicService", "clinic.v1.BookAppointmentRequest", "clinic.v1.ErrorReason"]
)
def test_grpcurl_describes_an_element_of_the_contract_with_its_options(address: str, symbol: str) -> None:
    described = Grpcurl(address).run(address, "describe", symbol)

    assert described.returncode == 0, described.stderr
    assert described.stdout.startswith(f"{symbol} is ")
    assert "(.mesh.v1." in described.stdout
