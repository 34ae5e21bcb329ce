"""Every agent writes its own fields and no others; what it writes is what the document says."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from orchestrator.journal.events import AgentStarted, Event, EventChannel
from orchestrator.research.graph.state import (
    OWNED,
    FieldWriter,
    MultiAgentState,
    OwnershipError,
    Update,
    checked,
    owned,
)

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


def test_a_node_that_oversteps_raises_before_the_state_changes() -> None:
    events: list[Event] = []

    def overstepping(_: MultiAgentState) -> Update:
        return {"current_stage": "done", "methodologist_output": None}

    node = owned("structurer", overstepping, EventChannel([events.append]))
    with pytest.raises(OwnershipError):
        node(NEW)
    assert events == [AgentStarted("a-session", "structurer")]


def test_a_node_is_told_when_it_begins_and_never_what_it_writes() -> None:
    events: list[Event] = []

    def working(_: MultiAgentState) -> Update:
        return {"current_stage": "structuring", "orchestrator_analysis": "segredo"}

    owned("orchestrator", working, EventChannel([events.append]))(NEW)
    assert events == [AgentStarted("a-session", "orchestrator")]
