"""How a command starts: what it loads before its first prompt, an interruption meanwhile, and any encoding."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.home import COMMAND, ROOT, Home

HEAVY = (
    "pydantic",
    "openai",
    "langgraph",
    "sqlite3",
    "psycopg",
    "opentelemetry.context",
    "cryptography",
    "orchestrator.memory",
)


def test_nothing_that_the_prompt_does_not_use_is_loaded_before_it() -> None:
    code = (
        "import sys, orchestrator.cli.commands, orchestrator.cli.in_terminal as _;"
        "from orchestrator.agents.registry_file import read_registry; read_registry(8001);"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "[]\n"


INTERRUPTED_AT = """
import os, signal, sys

module, sys.argv = sys.argv[1], ["clinic-mesh", "ask", "oi", "--no-start", *sys.argv[2:]]

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from orchestrator.cli import main
sys.exit(main())
"""


@pytest.mark.long(but=3)
@pytest.mark.parametrize(
    "module",
    [
        *("click", "orchestrator.settings_table", "orchestrator.cli.commands", "grpc"),
        *("orchestrator.cli.converse", "orchestrator.cli.script", "orchestrator.planner"),
    ],
)
def test_an_interruption_while_modules_load_ends_the_command_without_a_traceback(module: str, tmp_path: Path) -> None:
    home = Home(tmp_path)
    (identity := tmp_path / "identity").write_text("Maria Souza\n529.982.247-25\n")
    identity.chmod(0o600)
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT, module, "--identity-file", str(identity)],
        cwd=ROOT,
        env=home.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


@pytest.mark.long
def test_results_are_written_in_any_encoding_and_json_loses_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    written = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25", "PYTHONIOENCODING": "ascii"}

    def said(*arguments: str) -> str:
        run = subprocess.run(
            [*COMMAND, "ask", "oi", "--no-start", *arguments],
            cwd=tmp_path,
            env={**home.environment, **written},
            capture_output=True,
            timeout=60,
            check=True,
        )
        return run.stdout.decode("ascii")

    assert said().startswith("Ol?! Posso")
    assert json.loads(said("--output", "jsonl"))["text"].startswith("Olá! Posso mostrar horários")
