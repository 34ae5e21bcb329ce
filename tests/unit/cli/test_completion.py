"""Completion scripts, in the shells themselves: commands, options, ids of clinics, values and files.

Of zsh, which completes at a terminal only, no more is asked than that it can read its script.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from orchestrator.cli.completion import completion_script

CLINICS = ("clinic_a", "clinic_c")
DEADLINE_S = 30

CASES = [
    ("resta", {"restart"}),
    ("restart ", set(CLINICS)),
    ("logs clinic_", set(CLINICS)),
    ("token --clinic ", set(CLINICS)),
    ("up --det", {"--detach"}),
    ("--agenda blu", {"blueprint"}),
    ("status --role o", {"operator"}),
    ("status -o ", {"text", "json"}),
    ("completion ", {"bash", "zsh", "fish"}),
    ("ask --identity-file m", {"me.txt"}),
    ("stats --report fo", {"folder"}),
]

BASH = """
source "$1"; shift
handler=$(complete -p clinic-mesh | grep -o '_[a-z_]*')
COMP_WORDS=(clinic-mesh "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
"$handler" clinic-mesh "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" && printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "me.txt").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


def script(folder: Path, shell: str) -> Path:
    path = folder / f"_clinic-mesh.{shell}"
    path.write_text(completion_script(shell, CLINICS), encoding="utf-8")
    return path


def run(folder: Path, *command: str) -> set[str]:
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    return {line.split("\t")[0].strip().rstrip("/") for line in done.stdout.splitlines()}


def only_installed(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@only_installed("bash")
@pytest.mark.parametrize(("line", "expected"), CASES)
def test_bash_completes(folder: Path, line: str, expected: set[str]) -> None:
    words = line.split(" ")
    assert run(folder, "bash", "--norc", "-c", BASH, "bash", str(script(folder, "bash")), *words) == expected


@only_installed("fish")
@pytest.mark.parametrize(("line", "expected"), CASES)
def test_fish_completes(folder: Path, line: str, expected: set[str]) -> None:
    ask = f"source {script(folder, 'fish')}; complete -C 'clinic-mesh {line}'"
    assert run(folder, "fish", "--no-config", "-c", ask) == expected


@only_installed("zsh")
def test_zsh_can_read_its_script(folder: Path) -> None:
    assert run(folder, "zsh", "-f", "-n", str(script(folder, "zsh"))) == set()


def test_what_the_parser_is_told_for_completion_stays_with_the_script() -> None:
    completion_script("bash", CLINICS)
    assert "clinic_b" in completion_script("bash", ("clinic_b",))
    assert "clinic_a" not in completion_script("bash", ("clinic_b",))
