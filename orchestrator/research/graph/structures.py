"""The structures inside the desk's state, as the document of the state shows them.

Agents build these and the graph's boundary checks them; what is kept is their plain dicts, so that a checkpoint needs
no
class of ours to be read.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from orchestrator.research.rules import Aspect

MAX_VERSIONS = 3
"""A question is put three times at most: V1, V2, V3."""

Text = Annotated[str, Field(min_length=1, max_length=20_000)]


class _Structure(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Improvement(_Structure):
    """Something that a version lacks.

    Attributes:
        aspect: Under which of the four aspects.
        gap: What is missing.
        suggestion: How to fill it in.
    """

    aspect: Aspect
    gap: Text
    suggestion: Text


class Feedback(_Structure):
    """What the methodologist said of a version."""

    status: Literal["approved", "needs_refinement"]
    improvements: tuple[Improvement, ...]


class HypothesisVersion(_Structure):
    """A version of the question with its feedback."""

    version: Annotated[int, Field(ge=1, le=MAX_VERSIONS)]
    question: Text
    feedback: Feedback


class StructuredElements(_Structure):
    """What stands around a question.

    Attributes:
        context: The observation that it began with.
        problem: What is not known.
        contribution: What an answer would be good for.
    """

    context: Text
    problem: Text
    contribution: Text


class AddressedGap(_Structure):
    """A gap of the version before that this one fills in.

    Attributes:
        aspect: Its aspect.
        gap: What was missing.
        answer: What stands there now, in the person's words.
    """

    aspect: Aspect
    gap: Text
    answer: Text


class StructurerOutput(_Structure):
    """What the structurer made."""

    structured_question: Text
    elements: StructuredElements
    version: Annotated[int, Field(ge=1, le=MAX_VERSIONS)]
    addressed_gaps: tuple[AddressedGap, ...] = ()


class MethodologistOutput(_Structure):
    """The methodologist's verdict.

    Attributes:
        status: "rejected": not a question that the desk works on.
        justification: Why.
        improvements: What is missing; nothing unless it needs refinement.
        clarifications: What the person has answered so far, by aspect.
    """

    status: Literal["approved", "needs_refinement", "rejected"]
    justification: Text
    improvements: tuple[Improvement, ...] = ()
    clarifications: dict[str, str] = {}


class FocalArgument(_Structure):
    """What the conversation is about, as far as it is known; unknown is empty."""

    intent: Literal["test_hypothesis", "review_literature", "build_theory"]
    subject: str
    population: str
    metrics: str
    article_type: Literal["empirical", "review", "theoretical"]


class StageSuggestion(_Structure):
    """The conversation has grown out of a stage."""

    from_stage: Text
    to_stage: Text
    justification: Text


class AgentSuggestion(_Structure):
    """Who should go on, and why."""

    agent: Literal["structurer", "methodologist"]
    justification: Text


class Saying(_Structure):
    """One entry of the readable history.

    Attributes:
        speaker: "researcher", or an agent.
        text: What was said, without what identifies anybody.
    """

    speaker: Literal["researcher", "orchestrator", "structurer", "methodologist"]
    text: Text
