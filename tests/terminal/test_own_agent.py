"""docs/agents.md, done as it says from an empty folder, with a wheel in an environment of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.free_ports import free_base_port
from tests.support.home import DEADLINE_S, ROOT

DOCUMENT = (ROOT / "docs" / "agents.md").read_text("utf-8")
FILES = dict(re.findall(r"File `([^`]+)`:\n\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))
COMMANDS = [block.strip() for block in re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL)]
PACKAGES = Path(pytest.__file__).parents[1]  # where this environment keeps what the wheel needs: nothing is downloaded


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel of this repository, which is not importable there."""
    folder = tmp_path_factory.mktemp("wheel")
    source, venv = folder / "source", folder / "venv"
    source.mkdir()
    for name in ("generated", "mesh", "clinics", "orchestrator", "prompts"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run([*pip, "wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={folder}", str(source)])
    run([sys.executable, "-m", "venv", "--without-pip", str(venv)])
    (wheel,) = folder.glob("*.whl")
    run([*pip, f"--python={venv}/bin/python", "install", "--no-deps", "--no-index", str(wheel)])
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "needed.pth").write_text(f"{PACKAGES}\n", "utf-8")
    return venv


def run(command: Sequence[str], **options: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


class Project:
    """A developer's folder, and a shell in it that keeps what was exported."""

    def __init__(self, folder: Path, venv: Path) -> None:
        self.folder = folder
        (folder / ".venv").symlink_to(venv)
        plugins = Path(sys.executable).parent
        self.environment = {"PATH": f"{plugins}:{os.environ['PATH']}", "HOME": str(folder), "LANG": "C.UTF-8"}
        self._port = str(free_base_port())
        for name, text in FILES.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text.replace("9001", self._port), "utf-8")

    def shell(self, command: str) -> str:
        """Run a block of the document; what it exports holds for the blocks after it."""
        exported = [line for line in self._exports if line not in command]
        script = "\n".join([*exported, command.replace("9001", self._port)])
        return run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, env=self.environment)

    @property
    def _exports(self) -> list[str]:
        return [line for block in COMMANDS for line in block.splitlines() if line.startswith("export ")]

    @contextmanager
    def served(self, command: str) -> Iterator[None]:
        """Run the program of the document meanwhile."""
        program = subprocess.Popen(
            ["bash", "-c", f"exec {command.replace('9001', self._port)}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert program.stdout is not None
            assert "pharmacy listening on" in program.stdout.readline()
            yield
        finally:
            program.terminate()
            program.communicate(timeout=DEADLINE_S)


@pytest.mark.long
def test_the_document_leads_from_an_empty_folder_to_a_registered_agent(tmp_path: Path, environment: Path) -> None:
    install, generate, test, token, serve, call, grpcurl, certs, serve_tls, call_tls = COMMANDS
    assert install.startswith("python3 -m venv .venv")  # which the fixture did, without the downloads
    project = Project(tmp_path, environment)
    assert "pharmacy/v1/pharmacy_service.proto" in project.shell(generate)
    assert "1 passed" in project.shell(test)
    project.shell(token)
    with project.served(serve):
        assert project.shell(call) == '{"drugs": ["Metformina"]}\n'
        if shutil.which("grpcurl"):
            assert "Losartana" in project.shell(grpcurl)
    project.shell(certs)
    with project.served(serve_tls):
        assert project.shell(call_tls) == '{"drugs": ["Metformina"]}\n'


MEASURED = """
import grpc
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from mesh.server import NodePolicies
from mesh.telemetry_sdk import open_telemetry
from pharmacy.v1 import pharmacy_service_pb2 as pb, pharmacy_service_pb2_grpc
from serve import open_pharmacy

reader = InMemoryMetricReader()
with open_telemetry("pharmacy", reader) as telemetry:
    with open_pharmacy("127.0.0.1:0", NodePolicies(telemetry=telemetry)) as node:
        with grpc.insecure_channel(node.address) as channel:
            stub = pharmacy_service_pb2_grpc.PharmacyServiceStub(channel)
            stub.FindDrug(pb.FindDrugRequest(name="losar"), timeout=5)
    print(reader.get_metrics_data().to_json())
"""


@pytest.mark.long
def test_the_program_of_the_document_sends_telemetry_as_it_says(tmp_path: Path, environment: Path) -> None:
    project = Project(tmp_path, environment)
    project.shell(COMMANDS[1])
    quiet = {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"}
    command = [f"{environment}/bin/python", "-c", MEASURED]
    measured = run(command, cwd=tmp_path, env={**project.environment, **quiet, "PYTHONPATH": "."})
    for told in ('"service.name": "pharmacy"', '"rpc.method": "pharmacy.v1.PharmacyService/FindDrug"', '"count": 1'):
        assert told in measured


@pytest.mark.long
def test_the_types_of_the_wheel_and_of_the_generated_code_are_checked(tmp_path: Path, environment: Path) -> None:
    project = Project(tmp_path, environment)
    project.shell(COMMANDS[1])
    program = tmp_path / "serve.py"
    program.write_text(program.read_text("utf-8").replace("-> pb.FindDrugResponse:", "-> pb.FindDrugRequest:"), "utf-8")
    with pytest.raises(AssertionError) as refused:
        project.shell(f"{sys.executable} -m mypy --python-executable .venv/bin/python --cache-dir mypy serve.py")
    # The answer that is made, and the Protocol that it does not keep: nothing else is wrong.
    assert re.findall(r"\[([a-z-]+)\]", str(refused.value)) == ["return-value", "assignment"]


@pytest.mark.long
def test_protocs_own_code_finds_the_options(tmp_path: Path, environment: Path) -> None:
    project = Project(tmp_path, environment)
    contract = run([f"{environment}/bin/python", "-c", "import generated; print(generated.__path__[0])"]).strip()
    protoc = [sys.executable, "-m", "grpc_tools.protoc", "-Iprotos", f"-I{contract}", "--python_out=."]
    run([*protoc, "pharmacy/v1/pharmacy_service.proto"], cwd=tmp_path, env=project.environment)
    use = "from pharmacy.v1 import pharmacy_service_pb2 as pb; import mesh.v1.options_pb2; print(pb.FindDrugRequest())"
    run([f"{environment}/bin/python", "-c", use], cwd=tmp_path, env=project.environment)


@pytest.mark.long
def test_a_folder_of_clinics_is_served_beside_those_of_the_wheel(tmp_path: Path, environment: Path) -> None:
    profile, words = re.findall(r"```json\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)[-2:]
    for name, text in {
        "clinic_g/clinic.json": profile,
        "clinic_g/patients.json": '{"patients": []}',
        "specialties/neurology.json": words,
    }.items():
        (tmp_path / "clinics" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "clinics" / name).write_text(text, "utf-8")
    service = "service: clinic.v1.ClinicService, match: {intents: [list_available_slots]"
    agents = f"""agents:
      - {{id: clinic_a, {service}, domains: [Cardiology]}}}}
      - {{id: clinic_g, {service}, domains: [Neurology]}}}}
    """
    (tmp_path / "registry.yaml").write_text(agents, "utf-8")
    settings = {"AGENDA": "blueprint", "NOW": "2025-07-15T08:00-03:00", "DATA_DIR": str(tmp_path / "data")}
    settings |= {"CLINICS_DIR": "clinics", "REGISTRY": "registry.yaml", "BASE_PORT": str(free_base_port())}
    settings |= {"NAME": "Carlos Teste", "CPF": "123.456.789-09"}
    shell = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        **{f"CLINIC_MESH_{key}": value for key, value in settings.items()},
    }
    listed = run([f"{environment}/bin/clinic-mesh", "ask", "tem neurologista?"], cwd=tmp_path, env=shell)
    assert "Dra. Íris Salgado" in listed
