"""`MultiAgentState`, which the agents of the desk share, and the structures in it.

The state keeps plain dicts, so that a checkpoint can be read without our classes.
"""

from typing import Annotated, Any, Literal, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

from orchestrator.research.ports import Stage
from orchestrator.research.rules import Aspect

MAX_VERSIONS = 3
"""A question has three versions at most: V1, V2, V3."""

Text = Annotated[str, Field(min_length=1, max_length=20_000)]


class _Structure(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Improvement(_Structure):
    """Something that a version lacks."""

    aspect: Aspect
    gap: Text
    suggestion: Text  # how to fill the gap


class Feedback(_Structure):
    """The methodologist's verdict on a version."""

    status: Literal["approved", "needs_refinement"]
    improvements: tuple[Improvement, ...]


class HypothesisVersion(_Structure):
    """A version of the question with its feedback."""

    version: Annotated[int, Field(ge=1, le=MAX_VERSIONS)]
    question: Text
    feedback: Feedback


class StructuredElements(_Structure):
    """The context of a question."""

    context: Text  # the first observation
    problem: Text  # what is not known
    contribution: Text  # the use of an answer


class AddressedGap(_Structure):
    """A gap of the previous version that this one fills."""

    aspect: Aspect
    gap: Text
    answer: Text  # what fills it, in the person's words


class StructurerOutput(_Structure):
    """What the structurer made."""

    structured_question: Text
    elements: StructuredElements
    version: Annotated[int, Field(ge=1, le=MAX_VERSIONS)]
    addressed_gaps: tuple[AddressedGap, ...] = ()


class MethodologistOutput(_Structure):
    """The methodologist's verdict."""

    status: Literal["approved", "needs_refinement", "rejected"]  # "rejected" for what the desk does not work on
    justification: Text
    improvements: tuple[Improvement, ...] = ()  # what is missing, if it needs refinement
    clarifications: dict[str, str] = {}  # what the person has answered so far, by aspect


class FocalArgument(_Structure):
    """The subject of the conversation, as far as it is known; unknown fields are empty."""

    intent: Literal["test_hypothesis", "review_literature", "build_theory"]
    subject: str
    population: str
    metrics: str
    article_type: Literal["empirical", "review", "theoretical"]


class StageSuggestion(_Structure):
    """The conversation moves on to another stage."""

    from_stage: Text
    to_stage: Text
    justification: Text


class AgentSuggestion(_Structure):
    """The agent that should go on, and why."""

    agent: Literal["structurer", "methodologist"]
    justification: Text


class Saying(_Structure):
    """One entry of the readable history."""

    speaker: Literal["researcher", "orchestrator", "structurer", "methodologist"]  # "researcher", or an agent
    text: Text  # what was said, without what identifies anybody


NextStep = Literal["explore", "suggest_agent", "clarify"]

Structure = dict[str, Any]
"""A structure as plain JSON values."""


class MultiAgentState(TypedDict):
    """What the agents know; `field_ownership` says which agent may write which field."""

    user_input: str  # what the person wrote last, without what identifies anybody
    session_id: str  # the session, which is also the checkpointer's thread
    conversation_history: list[Structure]  # what was said, as `Saying` entries
    current_stage: Stage

    hypothesis_versions: list[Structure]  # a `HypothesisVersion` for each version, V1 first

    orchestrator_analysis: str | None
    next_step: NextStep | None  # what the orchestrator does next; None if nothing is left to do
    agent_suggestion: Structure | None  # an `AgentSuggestion`
    focal_argument: Structure | None  # a `FocalArgument`
    reflection_prompt: str | None  # an open gap as a question to think about
    stage_suggestion: Structure | None  # a `StageSuggestion`

    structurer_output: Structure | None

    methodologist_output: Structure | None

    messages: Annotated[list[AnyMessage], add_messages]  # the same conversation as messages of LangChain


def new_state(session_id: str) -> MultiAgentState:
    """Return the state of a new session."""
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
