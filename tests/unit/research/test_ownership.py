"""Every agent writes its own fields and no others; what it writes is what the document says."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pydantic import ValidationError

from orchestrator.journal.events import AgentStarted, Event, EventChannel, TurnFinished
from orchestrator.research.graph import desk
from orchestrator.research.graph.agents import structure
from orchestrator.research.graph.desk import open_checkpoints
from orchestrator.research.graph.reasoners import Reasoners
from orchestrator.research.graph.state import OWNED, FieldWriter, MultiAgentState, OwnershipError, Update, checked

FIELDS = (
    *("user_input", "session_id", "conversation_history", "current_stage", "hypothesis_versions"),
    *("orchestrator_analysis", "next_step", "agent_suggestion", "focal_argument", "reflection_prompt"),
    *("stage_suggestion", "structurer_output", "methodologist_output", "messages"),
)
SHARED = {"conversation_history", "current_stage", "messages"}
OWN = {
    "desk": {"user_input", "session_id", "conversation_history", "messages"},
    "orchestrator": SHARED
    | {"orchestrator_analysis", "next_step", "agent_suggestion", "focal_argument", "reflection_prompt"}
    | {"stage_suggestion"},
    "structurer": SHARED | {"structurer_output"},
    "methodologist": SHARED | {"methodologist_output", "hypothesis_versions"},
}
NEW = MultiAgentState(session_id="a-session")
VALUES: dict[str, Any] = {**NEW.model_dump(mode="json"), "user_input": "texto"}


def test_the_state_has_exactly_the_fields_of_the_document() -> None:
    assert tuple(MultiAgentState.model_fields) == FIELDS
    assert set().union(*OWNED.values()) == set(FIELDS)


@pytest.mark.parametrize(("writer", "field"), list(product(OWNED, FIELDS)))
def test_a_field_is_written_by_its_owners_only(writer: FieldWriter, field: str) -> None:
    update = {field: VALUES[field]}
    if field in OWN[writer]:
        assert checked(writer, update) == update
    else:
        with pytest.raises(OwnershipError, match=f"{writer} may not write {field}"):
            checked(writer, update)


def test_a_field_that_there_is_not_is_nobodys() -> None:
    with pytest.raises(OwnershipError):
        checked("orchestrator", {"pressure": "12 por 8"})


@pytest.mark.parametrize(
    ("writer", "update"),
    [
        ("structurer", {"structurer_output": {"structured_question": "Como X impacta Y?"}}),
        ("methodologist", {"methodologist_output": {"status": "maybe", "justification": "segredo"}}),
        (
            "methodologist",
            {"hypothesis_versions": [{"version": 4, "question": "segredo", "feedback": {"status": "approved"}}]},
        ),
        ("orchestrator", {"focal_argument": {"intent": "segredo"}}),
        ("orchestrator", {"stage_suggestion": {"from_stage": "segredo"}}),
    ],
)
def test_a_structure_that_is_not_the_documents_is_refused_without_its_values(
    writer: FieldWriter, update: Update
) -> None:
    with pytest.raises(ValidationError) as refused:
        checked(writer, update)
    assert "segredo" not in str(refused.value)


def said_to(agent: Callable[[Reasoners, MultiAgentState], Update], folder: Path) -> list[Event]:
    """Return the events of a turn in which the structurer is this agent."""
    events: list[Event] = []
    with open_checkpoints(folder) as checkpoints, patch.object(desk, "structure", agent):
        taken = desk.Desk(checkpoints, EventChannel([events.append]))
        with suppress(OwnershipError):
            taken.answer(session := str(uuid.uuid4()), "Como o café impacta a pressão arterial em adultos?")
            assert taken.state(session).structurer_output is not None
    return events


def test_an_agent_that_oversteps_changes_nothing(tmp_path: Path) -> None:
    def overstepping(_: Reasoners, __: MultiAgentState) -> Update:
        return {"current_stage": "done", "methodologist_output": None}

    events = said_to(overstepping, tmp_path)
    assert [event.agent for event in events if isinstance(event, AgentStarted)] == ["orchestrator", "structurer"]
    assert not any(isinstance(event, TurnFinished) for event in events)


def test_an_agent_is_told_of_when_it_begins_and_never_what_it_writes(tmp_path: Path) -> None:
    events = said_to(structure, tmp_path)
    agents = [event.agent for event in events if isinstance(event, AgentStarted)]
    assert agents == ["orchestrator", "structurer", "methodologist", "orchestrator"]
    assert "café" not in repr(events)
