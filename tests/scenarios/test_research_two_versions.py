"""The example of the state's document, word by word: a question without a population, and the one that has it."""

from __future__ import annotations

import uuid
from pathlib import Path

from orchestrator.journal.events import EventChannel
from orchestrator.research.graph.desk import Desk, open_checkpoints


def test_the_documents_two_versions(tmp_path: Path) -> None:
    with open_checkpoints(tmp_path) as checkpoints:
        desk = Desk(checkpoints, EventChannel())
        session = str(uuid.uuid4())
        desk.answer(session, "Como X impacta Y?")
        desk.answer(session, "adultos 18-40 anos")
        state = desk.state(session).model_dump(mode="json")
    assert state["hypothesis_versions"] == [
        {
            "version": 1,
            "question": "Como X impacta Y?",
            "feedback": {
                "status": "needs_refinement",
                "improvements": [
                    {
                        "aspect": "população",
                        "gap": "Não especificada",
                        "suggestion": "Definir de quem se trata, por exemplo: adultos 18-40 anos.",
                    }
                ],
            },
        },
        {
            "version": 2,
            "question": "Como X impacta Y em adultos 18-40 anos?",
            "feedback": {"status": "approved", "improvements": []},
        },
    ]
    assert state["methodologist_output"] is not None
    assert state["methodologist_output"]["status"] == "approved"
    assert state["methodologist_output"]["clarifications"] == {"população": "adultos 18-40 anos"}
    assert state["structurer_output"] is not None
    assert state["structurer_output"]["version"] == 2
    assert [message["type"] for message in state["messages"]].count("human") == 2
    assert state["session_id"] == session
