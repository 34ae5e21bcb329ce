"""The clinic terminal and every other command do without LangGraph, and nothing said goes to a tracing service."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mesh.errors import UsageError
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.research import run
from orchestrator.research import ports
from orchestrator.settings import read_settings
from tests.support.home import ROOT

HEAVY = ("langgraph", "langchain_core", "langsmith", "sqlite3")


def run_python(code: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout


LIGHT = (
    *("orchestrator.cli.commands", "orchestrator.cli.in_terminal", "orchestrator.cli.script"),
    *("orchestrator.composition", "orchestrator.cli.research", "orchestrator.terminal.desk_terminal"),
)


def test_what_opens_a_prompt_does_not_load_langgraph() -> None:
    code = f"import sys, {', '.join(LIGHT)}; print([name for name in {HEAVY} if name in sys.modules])"
    assert run_python(code) == "[]\n"


def test_without_the_extra_one_sentence_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_EXTRA", ("langgraph_that_is_not_there.graph",))
    settings = read_settings({"data_dir": str(tmp_path)}, {}, tmp_path / ".env")
    with pytest.raises(UsageError, match="make extra-research"):
        run(Arguments(command="research"), settings, None)  # type: ignore[arg-type]  # it is not reached


SAID_TO_A_DESK = """
from pathlib import Path
from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import open_checkpoints
from orchestrator.research.graph.desk import Desk
with open_checkpoints(Path({folder!r})) as checkpoints:
    desk = Desk(checkpoints, EventChannel())
    desk.answer(str(uuid.uuid4()), "Como X impacta Y?")
"""


@pytest.mark.long
def test_nothing_phones_home_even_where_the_environment_asks_for_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        port = listening.getsockname()[1]
        run_python(
            SAID_TO_A_DESK.format(folder=str(tmp_path)),
            LANGSMITH_TRACING="true",
            LANGCHAIN_TRACING_V2="true",
            LANGSMITH_API_KEY="a-key",
            LANGSMITH_ENDPOINT=f"http://127.0.0.1:{port}",
            LANGCHAIN_ENDPOINT=f"http://127.0.0.1:{port}",
        )
        with pytest.raises(BlockingIOError):
            listening.accept()
