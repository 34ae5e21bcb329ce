"""generated/ is what scripts/generate.py writes, and its descriptors keep the names the contract gave them."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from generated.mesh.v1 import tool_service_pb2

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "scripts" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of one small contract beside a copy of the generator, with its code generated."""
    contract = tmp_path / "protos" / "mesh" / "v1"
    contract.mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "generate.py", tmp_path / "scripts")
    (contract / "ping.proto").write_text(
        'syntax = "proto3"; package mesh.v1; message Ping { string text = 1; }\n', encoding="utf-8"
    )
    (contract / "echo.proto").write_text(
        'syntax = "proto3"; package mesh.v1; import "mesh/v1/ping.proto";\n'
        "service EchoService { rpc Echo(Ping) returns (Ping); }\n",
        encoding="utf-8",
    )
    assert run_generator(tmp_path).returncode == 0
    return tmp_path


def run_generator(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(project / "scripts" / "generate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_generated_code_is_what_the_contract_generates() -> None:
    done = run_generator(ROOT, "--check")
    assert done.returncode == 0, done.stderr


def test_a_descriptor_keeps_the_name_the_contract_gave_its_file() -> None:
    assert tool_service_pb2.DESCRIPTOR.name == "mesh/v1/tool_service.proto"
    assert tool_service_pb2.CallRequest.__module__ == "generated.mesh.v1.tool_service_pb2"


def test_the_check_names_missing_changed_and_stale_files_and_writes_nothing(project: Path) -> None:
    package = project / "generated" / "mesh" / "v1"
    (package / "ping_pb2.pyi").unlink()
    (package / "ping_pb2.py").write_text("changed = True\n", encoding="utf-8")
    (package / "old_pb2.py").touch()

    done = run_generator(project, "--check")

    assert done.returncode == 1
    named = [line.removeprefix("not current: ") for line in done.stderr.splitlines()[:-1]]
    assert named == [f"generated/mesh/v1/{name}" for name in ("old_pb2.py", "ping_pb2.py", "ping_pb2.pyi")]
    assert (package / "old_pb2.py").exists()
    assert not (package / "ping_pb2.pyi").exists()


def test_generating_removes_what_the_contract_no_longer_has(project: Path) -> None:
    stale = project / "generated" / "clinic" / "v1"
    stale.mkdir(parents=True)
    (stale / "old_pb2.py").touch()

    assert run_generator(project).returncode == 0

    assert not (project / "generated" / "clinic").exists()
    assert run_generator(project, "--check").returncode == 0


def test_generated_code_imports_beside_a_package_named_like_the_contracts(project: Path) -> None:
    (project / "mesh").mkdir()
    (project / "mesh" / "__init__.py").touch()
    use = "import mesh; from generated.mesh.v1.echo_pb2_grpc import EchoServiceStub as S; print(S.__name__)"

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", use], cwd=project, capture_output=True, text=True, check=False, timeout=60
    )

    assert done.stdout == "EchoServiceStub\n", done.stderr


def test_a_contract_that_protoc_refuses_fails_and_leaves_the_code_alone(project: Path) -> None:
    before = sorted((project / "generated").rglob("*.py*"))
    (project / "protos" / "mesh" / "v1" / "ping.proto").write_text("message {", encoding="utf-8")

    done = run_generator(project)

    assert done.returncode == 1
    assert "mesh/v1/ping.proto" in done.stderr
    assert sorted((project / "generated").rglob("*.py*")) == before


@pytest.mark.parametrize(
    ("written", "moved"),
    [
        ("from mesh.v1 import a_pb2 as x", "from generated.mesh.v1 import a_pb2 as x"),
        ("from mesh.v1.a_pb2 import *", "from generated.mesh.v1.a_pb2 import *"),
        ("import mesh.v1.a_pb2 as x", "import generated.mesh.v1.a_pb2 as x"),
        ("import mesh.v1.a_pb2\nx: mesh.v1.a_pb2.A", "import generated.mesh.v1.a_pb2\nx: generated.mesh.v1.a_pb2.A"),
        (
            "from mesh.v1 import a_pb2; import mesh.v1.a_pb2",
            "from generated.mesh.v1 import a_pb2; import generated.mesh.v1.a_pb2",
        ),
        ("import os, mesh.v1.a_pb2", "import os, generated.mesh.v1.a_pb2"),
        ("build(D, 'mesh.v1.a_pb2', g)", "build(D, 'generated.mesh.v1.a_pb2', g)"),
        ("é = x; import mesh.v1.a_pb2 as y", "é = x; import generated.mesh.v1.a_pb2 as y"),
    ],
)
def test_a_mention_of_a_generated_module_moves_under_our_package(
    generator: ModuleType, written: str, moved: str
) -> None:
    assert generator.reroot(written.encode(), {"mesh.v1.a_pb2"}).decode() == moved


@pytest.mark.parametrize(
    "text",
    [
        "import mesh",
        "from mesh import catalogue",
        "from mesh.v1 import other",
        "from google.protobuf import descriptor_pb2 as d",
        "file = b'\\n\\x0emesh/v1/a.proto\\x12\\x07mesh.v1'",
        "# import mesh.v1.a_pb2",
        "service = 'mesh.v1.ToolService'",
        "from .mesh.v1 import a_pb2",
    ],
)
def test_anything_else_that_looks_like_one_stays(generator: ModuleType, text: str) -> None:
    assert generator.reroot(text.encode(), {"mesh.v1.a_pb2"}) == text.encode()
