"""A desk that is killed within a turn: the turn is finished when the session is taken up again, and nothing is lost."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import Desk, open_checkpoints
from tests.support.home import ROOT

DEADLINE_S = 60
OBSERVATION = "Percebi que pacientes com hipertensão que fazem caminhada faltam menos às consultas"

# The process says that the agent has begun and then stands still, so that it is killed in the agent's work, whenever.
KILLED_AT_WORK = """
import sys, threading
from pathlib import Path
from orchestrator.journal.events import AgentStarted, EventChannel
from orchestrator.research.graph.desk import open_checkpoints
from orchestrator.research.graph.desk import Desk

def listen(event):
    if armed and isinstance(event, AgentStarted) and event.agent == sys.argv[2]:
        print("at work", flush=True)
        threading.Event().wait()

armed = False
with open_checkpoints(Path(sys.argv[1])) as checkpoints:
    desk = Desk(checkpoints, EventChannel([listen]))
    session = str(uuid.uuid4())
    desk.answer(session, sys.argv[3])
    print(session, flush=True)
    armed = True
    desk.answer(session, sys.argv[4])
"""


@pytest.mark.long
@pytest.mark.parametrize("agent", ["orchestrator", "structurer", "methodologist"])
def test_a_turn_that_was_killed_is_finished(tmp_path: Path, agent: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED_AT_WORK, str(tmp_path), agent, OBSERVATION, "quem não caminha; 12 meses"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        session = process.stdout.readline().strip()
        assert process.stdout.readline().strip() == "at work"
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=DEADLINE_S)
    with open_checkpoints(tmp_path) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        assert [version.version for version in desk.state(session).hypothesis_versions] == [1]
        reply = desk.resume(session)
        state = desk.state(session).model_dump(mode="json")
    assert reply is not None
    assert "V2" in reply.plain
    assert [version["feedback"]["status"] for version in state["hypothesis_versions"]] == [
        "needs_refinement",
        "approved",
    ]
    assert [saying["speaker"] for saying in state["conversation_history"]].count("researcher") == 2
