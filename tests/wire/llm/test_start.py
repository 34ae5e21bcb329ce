"""Only who uses a language model pays for loading its SDK."""

import subprocess
from pathlib import Path

import pytest

from tests.support.chat_server import chat_server
from tests.support.home import Home

LISTING_IMPORTS = {"PYTHONPROFILEIMPORTTIME": "1"}


def imported(run: subprocess.CompletedProcess[str]) -> set[str]:
    """Return the modules that a process loaded."""
    return {line.rpartition("|")[2].strip() for line in run.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (("--help",), "orchestrator.cli.command_line"),
        (("doctor",), "orchestrator.cli.doctor"),
        (("status",), "orchestrator.cli.clinics"),
        (("ask", "olá", "--no-start", "--identity-file", "me.txt"), "orchestrator.conversation"),
    ],
)
def test_without_a_model_the_sdk_is_not_loaded(arguments: tuple[str, ...], loaded: str, tmp_path: Path) -> None:
    home = Home(tmp_path)
    (tmp_path / "me.txt").touch(0o600)
    (tmp_path / "me.txt").write_text("Maria Souza\n529.982.247-25\n", "utf-8")
    run = home.run(*arguments, environment={**LISTING_IMPORTS, "OPENAI_API_KEY": "sk-lies-about"})
    modules = imported(run)
    assert loaded in modules
    assert "openai" not in modules


@pytest.mark.long
def test_with_a_model_it_is(tmp_path: Path) -> None:
    with chat_server(["ok", '{"answer": "ok"}']) as server:
        model = {"CLINIC_MESH_LLM": "openai", "CLINIC_MESH_LLM_MODEL": "m", "OPENAI_BASE_URL": server.base_url}
        run = Home(tmp_path).run("doctor", environment={**LISTING_IMPORTS, **model})
    assert run.returncode == 0
    assert "openai" in imported(run)
