"""What the READMEs tell people to paste works, and both tell the same."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from clinics.program import serve
from mesh.server import NodePolicies
from mesh.tls import read_server_tls
from tests.support.clinics import NOW
from tests.support.home import COMMAND
from tests.support.tokens import make_keys

ROOT = Path(__file__).parents[2]
CODE = ("python", "json", "yaml", "proto")
READMES = ("README.md", "README.pt-BR.md")
DEADLINE_S = 60


def blocks(readme: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / readme).read_text("utf-8"), re.DOTALL)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    keys = make_keys(tmp_path)
    silo = tmp_path / "clinic_a"
    with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, NodePolicies(keys.public)) as clinic:
        yield clinic.address


def test_the_two_commands_come_first() -> None:
    for readme in READMES:
        assert [line.split("#")[0].strip() for line in blocks(readme, "sh")[0].splitlines()] == [
            "make run",
            "make test",
        ]


def test_both_languages_show_the_same_code() -> None:
    english, portuguese = (
        [*blocks(readme, "sh")[1:], *(block for language in CODE for block in blocks(readme, language))]
        for readme in READMES
    )
    assert english == portuguese


@pytest.mark.skipif(shutil.which("grpcurl") is None, reason="grpcurl is not installed")
def test_the_grpcurl_examples_work_when_pasted(address: str, tmp_path: Path) -> None:
    pasted = "\n".join(block for block in blocks("README.md", "sh") if "grpcurl -plaintext" in block)
    assert pasted.count("grpcurl -plaintext") >= 7
    pasted = pasted.replace("127.0.0.1:8001", address).replace(".venv/bin/clinic-mesh", " ".join(COMMAND))
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", pasted],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "CLINIC_MESH_DATA_DIR": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "clinic.v1.ClinicService",
        "SERVING",
        "inputSchema",
        '"status": "confirmed"',
        '"patient_id": "CARD-001"',
    ):
        assert part in done.stdout


@pytest.mark.skipif(shutil.which("grpcurl") is None, reason="grpcurl is not installed")
def test_the_grpcurl_example_over_tls_works_when_pasted(tmp_path: Path) -> None:
    certs, call = (block for block in blocks("README.md", "sh") if "CLINIC_MESH_TLS_DIR" in block)
    shell = {**os.environ, "PYTHONPATH": str(ROOT), "CLINIC_MESH_DATA_DIR": str(tmp_path), "HOME": str(tmp_path)}
    shell |= {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-00"}
    command, bash = " ".join(COMMAND), ["bash", "-euo", "pipefail", "-c"]
    make = certs.replace(".venv/bin/clinic-mesh", command)
    subprocess.run([*bash, make], env=shell, check=True, capture_output=True, cwd=tmp_path)
    folder, keys = tmp_path / "clinic-tls", make_keys(tmp_path)
    tls = read_server_tls(folder / "clinic_a.pem", folder / "clinic_a.key", folder / "ca.pem")
    with serve(
        "clinic_a", "127.0.0.1:0", tmp_path / "a", "blueprint", NOW, NodePolicies(keys.public, tls=tls)
    ) as clinic:
        token = f'TOKEN="authorization: Bearer $({command} token --clinic clinic_a)"'
        where = f"export CLINIC_MESH_TLS_DIR={folder}"
        pasted = call.replace("localhost:8001", clinic.address.replace("127.0.0.1", "localhost"))
        done = subprocess.run(
            [*bash, "\n".join([where, token, pasted])],
            env=shell,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
            cwd=tmp_path,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert '"available_slots"' in done.stdout


def test_the_python_example_is_a_test_that_passes(tmp_path: Path) -> None:
    example = next(block for block in blocks("README.md", "python") if "def test_" in block)
    namespace: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), namespace)
    test = namespace["test_all_listed_slots_are_open"]
    assert callable(test)
    test(tmp_path)


def test_every_file_that_a_readme_links_to_exists() -> None:
    for readme in READMES:
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / readme).read_text("utf-8")):
            assert (ROOT / target).exists(), f"{readme} links to {target}"
