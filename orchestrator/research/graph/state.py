"""`MultiAgentState`, which the agents of the desk share, its structures, and which agent may write which field."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

from orchestrator.planner.text import guess_language, normalise
from orchestrator.research.ports import Stage
from orchestrator.research.rules import ASPECTS, Aspect, Element, Elements, Intent, parse
from orchestrator.texts import Texts
from orchestrator.turn import Language

MAX_VERSIONS = 3  # a question has three versions at most: V1, V2, V3

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Agent = Literal["orchestrator", "structurer", "methodologist"]
Speaker = Agent | Literal["researcher"]
_UTTERANCES = 5  # from how many of the person's last utterances their language is guessed
FieldWriter = Agent | Literal["desk"]  # an agent, or the desk, which hands in what the person said
_SHARED = frozenset({"conversation_history", "messages"})
OWNED: Mapping[FieldWriter, frozenset[str]] = {
    "desk": _SHARED | {"user_input", "session_id"},
    "orchestrator": _SHARED
    | {"current_stage", "orchestrator_analysis", "next_step", "agent_suggestion"}
    | {"focal_argument", "reflection_prompt", "stage_suggestion"},
    "structurer": _SHARED | {"current_stage", "structurer_output"},
    "methodologist": _SHARED | {"current_stage", "hypothesis_versions", "methodologist_output"},
}  # the fields of each writer
Update = Mapping[str, Any]  # the fields that a node changes, as values of the state


class Structure(BaseModel):
    """What is kept as it was checked, and never repeated in an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Improvement(Structure):
    """Something that a version lacks."""

    aspect: Aspect
    gap: Text
    suggestion: Text  # how to fill the gap

    @classmethod
    def of(cls, element: Element, texts: Texts) -> Self:
        """Return the improvement by an element that is missing."""
        gap, suggestion = (texts.text(f"research.gaps.{element}.{part}") for part in ("gap", "suggestion"))
        return cls(aspect=ASPECTS[element], gap=gap, suggestion=suggestion)

    def element(self, texts: Texts) -> Element | None:
        """Return the element that is missing; None for what a model found."""
        return next((each for each in Element if texts.text(f"research.gaps.{each}.gap") == self.gap), None)


class Feedback(Structure):
    """The methodologist's verdict on a version."""

    status: Literal["approved", "needs_refinement"]
    improvements: tuple[Improvement, ...]


class HypothesisVersion(Structure):
    """A version of the question with its feedback."""

    version: Annotated[int, Field(ge=1, le=MAX_VERSIONS)]
    question: Text
    feedback: Feedback


class StructuredElements(Structure):
    """The context of a question."""

    context: Text  # the first observation
    problem: Text  # what is not known
    contribution: Text  # the use of an answer


class AddressedGap(Structure):
    """A gap of the previous version that this one fills."""

    aspect: Aspect
    gap: Text
    answer: Text  # what fills it, in the person's words


class StructurerOutput(Structure):
    """What the structurer made."""

    structured_question: Text
    elements: StructuredElements
    version: Annotated[int, Field(ge=1, le=MAX_VERSIONS)]
    addressed_gaps: tuple[AddressedGap, ...] = ()


class MethodologistOutput(Structure):
    """The methodologist's verdict."""

    status: Literal["approved", "needs_refinement", "rejected"]  # "rejected" for what the desk does not work on
    justification: Text
    improvements: tuple[Improvement, ...] = ()  # what is missing, if it needs refinement
    clarifications: dict[str, str] = {}  # what the person has answered so far, by aspect


class FocalArgument(Structure):
    """The subject of the conversation, as far as it is known; unknown fields are empty."""

    intent: Intent
    subject: str
    population: str
    metrics: str
    article_type: Literal["empirical", "review", "theoretical"]


class StageSuggestion(Structure):
    """The conversation moves on to another stage."""

    from_stage: Text
    to_stage: Text
    justification: Text


class AgentSuggestion(Structure):
    """The agent that should go on, and why."""

    agent: Literal["structurer", "methodologist"]
    justification: Text


class Saying(Structure):
    """One entry of the readable history."""

    speaker: Speaker
    text: Text  # what was said, without what identifies anybody


class MultiAgentState(Structure):
    """What the agents know; a session begins with the defaults, and `OWNED` says who may write which field.

    LangGraph keeps the fields as plain JSON values, so that a checkpoint can be read without these classes.
    """

    user_input: str = ""  # what the person wrote first, without what identifies anybody
    session_id: str  # the session, which is also the checkpointer's thread
    conversation_history: tuple[Saying, ...] = ()
    current_stage: Stage = "classifying"

    hypothesis_versions: tuple[HypothesisVersion, ...] = ()  # V1 first

    orchestrator_analysis: str | None = None
    # What the orchestrator does next; None if nothing is left to do
    next_step: Literal["explore", "suggest_agent", "clarify"] | None = None
    agent_suggestion: AgentSuggestion | None = None
    focal_argument: FocalArgument | None = None
    reflection_prompt: str | None = None  # an open gap as a question to think about
    stage_suggestion: StageSuggestion | None = None

    structurer_output: StructurerOutput | None = None

    methodologist_output: MethodologistOutput | None = None

    messages: Annotated[list[AnyMessage], add_messages] = []  # the same conversation as messages of LangChain

    @cached_property
    def language(self) -> Language:
        """The language of a session: of its question, or of the person's words before there is one."""
        for version in self.hypothesis_versions:
            for language in Language:
                if parse(version.question, language).present:
                    return language
        said = [saying.text for saying in self.conversation_history if saying.speaker == "researcher"]
        return guess_language(normalise(" ".join(said[-_UTTERANCES:])), Language.PT)

    def saying(self, speaker: Speaker, text: str) -> dict[str, Any]:
        """Return the part of an update by which somebody says something."""
        message = HumanMessage(text) if speaker == "researcher" else AIMessage(text, name=speaker)
        said = Saying(speaker=speaker, text=text)
        return {"conversation_history": (*self.conversation_history, said), "messages": [message]}

    @property
    def said(self) -> str:
        """What the person said last; empty before they said anything."""
        return next((each.text for each in reversed(self.conversation_history) if each.speaker == "researcher"), "")

    @property
    def last(self) -> HypothesisVersion | None:
        """The newest version; None before the first."""
        return self.hypothesis_versions[-1] if self.hypothesis_versions else None

    @property
    def known(self) -> Elements:
        """What is known so far: the last version's elements, or the population before there is one."""
        if self.last is not None:
            return parse(self.last.question, self.language)
        return Elements(population=self.focal_argument.population if self.focal_argument is not None else "")

    @property
    def intent(self) -> Intent:
        """What the work is to be; testing a hypothesis where nobody has said."""
        return "test_hypothesis" if self.focal_argument is None else self.focal_argument.intent

    @property
    def population(self) -> str:
        """The population of the last version; empty if it has none, and before the first."""
        return self.known.population if self.last is not None else ""


class OwnershipError(Exception):
    """An agent wrote a foreign field; the message names both, and no value."""


def checked(writer: FieldWriter, update: Update) -> dict[str, Any]:
    """Return an update, its values checked and, but for messages, plain JSON; raise OwnershipError, ValidationError."""
    if foreign := sorted(update.keys() - OWNED[writer]):
        raise OwnershipError(f"{writer} may not write {', '.join(foreign)}")
    plain = MultiAgentState.model_validate({"session_id": "", **update}).model_dump(mode="json", include={*update})
    return {field: value if field == "messages" else plain[field] for field, value in update.items()}


def listed(aspects: Iterable[Aspect], texts: Texts) -> str:
    """Return some aspects as a person reads them, each once."""
    return ", ".join(dict.fromkeys(texts.text(f"research.aspects.{aspect}") for aspect in aspects))
