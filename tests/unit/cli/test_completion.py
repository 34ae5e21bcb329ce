"""Completion, in the shells themselves: commands, options, ids of clinics, values and files.

Of zsh, which completes at a terminal only, no more is asked than that it can read its script.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from orchestrator.cli.command_line import completion_script
from tests.support.home import COMMAND, ROOT

CLINICS = {f"clinic_{letter}" for letter in "abcdef"}
DEADLINE_S = 30

CASES = [
    ("resta", {"restart"}),
    ("restart ", CLINICS),
    ("logs clinic_", CLINICS),
    ("token --clinic clinic_c", {"clinic_c"}),
    ("up --det", {"--detach"}),
    ("--agenda blu", {"blueprint"}),
    ("status --role o", {"operator"}),
    ("status -o ", {"text", "json"}),
    ("completion ", {"bash", "zsh", "fish"}),
]
FILES = [("ask --identity-file m", "file"), ("stats --report fo", "dir"), ("--data-dir fo", "dir")]

BASH = """
source "$1"; shift
handler=$(complete -p clinic-mesh | grep -o '_[a-z_]*completion')
COMP_WORDS=(clinic-mesh "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
"$handler" clinic-mesh "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" && printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    command = tmp_path / "bin" / "clinic-mesh"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return tmp_path


def script(folder: Path, shell: str) -> Path:
    path = folder / f"_clinic-mesh.{shell}"
    path.write_text(completion_script(shell), encoding="utf-8")
    return path


def run(folder: Path, *command: str, **variables: str) -> set[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment(folder), **variables},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=True,
    )
    return {line.split("\t")[0].strip() for line in done.stdout.splitlines()}


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLINIC_MESH_")}
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(folder))
    return {**kept, **homes, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def only_installed(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.mark.long(but=1)
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


@pytest.mark.long(but=1)
@pytest.mark.parametrize(("line", "kind"), FILES)
def test_a_shell_is_asked_to_complete_files_and_folders(folder: Path, line: str, kind: str) -> None:
    words = ["clinic-mesh", *line.split(" ")]
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    answer = run(folder, "clinic-mesh", _CLINIC_MESH_COMPLETE="bash_complete", **asked)
    assert answer - {""} == {f"{kind},{words[-1]}"}


@pytest.mark.long(but=1)
@pytest.mark.parametrize("line", ["restart ", "--registry missing.yaml restart "])
def test_a_registry_that_cannot_be_used_completes_nothing_and_says_nothing(folder: Path, line: str) -> None:
    words = ["clinic-mesh", *line.split(" ")]
    asked = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    unusable = {"_CLINIC_MESH_COMPLETE": "bash_complete", "CLINIC_MESH_REGISTRY": str(folder)}
    done = subprocess.run(
        ["clinic-mesh"],
        env={**environment(folder), **unusable, **asked},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")
