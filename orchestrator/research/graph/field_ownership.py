"""Which agent may write which field of the state, and the boundary around every node that enforces it."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

from orchestrator.journal import AgentStarted, EventChannel
from orchestrator.research.graph.state import Agent, MultiAgentState

FieldWriter = Agent | Literal["desk"]
"""An agent, or the desk, which hands in what the person said."""

_SHARED = frozenset({"conversation_history", "messages"})

OWNED: Mapping[FieldWriter, frozenset[str]] = {
    "desk": _SHARED | {"user_input", "session_id"},
    "orchestrator": _SHARED
    | {"current_stage", "orchestrator_analysis", "next_step", "agent_suggestion"}
    | {"focal_argument", "reflection_prompt", "stage_suggestion"},
    "structurer": _SHARED | {"current_stage", "structurer_output"},
    "methodologist": _SHARED | {"current_stage", "hypothesis_versions", "methodologist_output"},
}
"""The fields of each writer."""

Update = Mapping[str, Any]
"""The fields that a node changes, as values of the state."""


class OwnershipError(Exception):
    """An agent wrote a foreign field; the message names both, and no value."""


class GraphNode(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: MultiAgentState) -> dict[str, Any]:
        """Return the fields that change."""


def checked(writer: FieldWriter, update: Update) -> dict[str, Any]:
    """Return an update with its values checked and, but for the messages, as plain JSON.

    Raise OwnershipError for a field of another, and pydantic.ValidationError, which quotes nothing, for a wrong one.
    """
    foreign = sorted(update.keys() - OWNED[writer])
    if foreign:
        raise OwnershipError(f"{writer} may not write {', '.join(foreign)}")
    plain = MultiAgentState.model_validate({"session_id": "", **update}).model_dump(mode="json", include={*update})
    return {field: value if field == "messages" else plain[field] for field, value in update.items()}


def owned(writer: FieldWriter, node: Callable[[MultiAgentState], Update], events: EventChannel) -> GraphNode:
    """Return a node for the graph: an agent behind its boundary, whose beginnings are published to `events`."""

    def run(state: MultiAgentState) -> dict[str, Any]:
        events.publish(AgentStarted(state.session_id, writer))
        return checked(writer, node(state))

    return run
