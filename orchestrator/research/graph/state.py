"""`MultiAgentState`, the state that the agents of the desk share: its fields are the document's, name by name."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from orchestrator.research.ports import Stage

NextStep = Literal["explore", "suggest_agent", "clarify"]

Structure = dict[str, Any]
"""A structure of `structures` as plain JSON values."""


class MultiAgentState(TypedDict):
    """What the agents know; who may write which field is `owners`' to say.

    Attributes:
        user_input: What the person wrote last, without what identifies anybody.
        session_id: The session, which is also the checkpointer's thread.
        conversation_history: What was said, readable: a `Saying` each.
        current_stage: Where the work stands.
        hypothesis_versions: A `HypothesisVersion` for each version, V1 first.
        orchestrator_analysis: What the orchestrator made of the last message.
        next_step: What the orchestrator does next; None: nothing is left to do.
        agent_suggestion: An `AgentSuggestion`.
        focal_argument: A `FocalArgument`.
        reflection_prompt: What the person might think about: an open gap as a question.
        stage_suggestion: A `StageSuggestion`.
        structurer_output: A `StructurerOutput`.
        methodologist_output: A `MethodologistOutput`.
        messages: The same conversation as messages of LangChain.
    """

    user_input: str
    session_id: str
    conversation_history: list[Structure]
    current_stage: Stage

    hypothesis_versions: list[Structure]

    orchestrator_analysis: str | None
    next_step: NextStep | None
    agent_suggestion: Structure | None
    focal_argument: Structure | None
    reflection_prompt: str | None
    stage_suggestion: Structure | None

    structurer_output: Structure | None

    methodologist_output: Structure | None

    messages: Annotated[list[AnyMessage], add_messages]


def new_state(session_id: str) -> MultiAgentState:
    """Return the state before anything was said."""
    return MultiAgentState(
        user_input="",
        session_id=session_id,
        conversation_history=[],
        current_stage="classifying",
        hypothesis_versions=[],
        orchestrator_analysis=None,
        next_step=None,
        agent_suggestion=None,
        focal_argument=None,
        reflection_prompt=None,
        stage_suggestion=None,
        structurer_output=None,
        methodologist_output=None,
        messages=[],
    )
