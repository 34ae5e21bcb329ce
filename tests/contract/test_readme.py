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
from tests.support.clinics import NOW
from tests.support.home import COMMAND
from tests.support.tokens import make_keys

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.pt-BR.md")
DEADLINE_S = 60


def blocks(readme: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / readme).read_text("utf-8"), re.DOTALL)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    keys = make_keys(tmp_path)
    silo = tmp_path / "clinic_a"
    with serve("clinic_a", "127.0.0.1:0", silo, agenda="blueprint", now=NOW, keys=keys.public) as clinic:
        yield clinic.address


def test_the_two_commands_come_first() -> None:
    for readme in READMES:
        assert [line.split("#")[0].strip() for line in blocks(readme, "sh")[0].splitlines()] == [
            "make run",
            "make test",
        ]


def test_both_languages_show_the_same_code() -> None:
    english, portuguese = ([*blocks(readme, "sh")[1:], *blocks(readme, "python")] for readme in READMES)
    assert english == portuguese


@pytest.mark.skipif(shutil.which("grpcurl") is None, reason="grpcurl is not installed")
def test_the_grpcurl_examples_work_when_pasted(address: str, tmp_path: Path) -> None:
    pasted = "\n".join(block for block in blocks("README.md", "sh") if "grpcurl" in block)
    assert pasted.count("grpcurl -plaintext") >= 6
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
    for part in ("clinic.v1.ClinicService", "SERVING", "inputSchema", '"status": "confirmed"'):
        assert part in done.stdout


def test_the_python_example_is_a_test_that_passes(tmp_path: Path) -> None:
    (example,) = blocks("README.md", "python")
    namespace: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), namespace)
    test = namespace["test_all_listed_slots_are_open"]
    assert callable(test)
    test(tmp_path)


def test_every_file_that_a_readme_links_to_exists() -> None:
    for readme in READMES:
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / readme).read_text("utf-8")):
            assert (ROOT / target).exists(), f"{readme} links to {target}"
