"""Reads a model's text as a plan: untrusted JSON in, a typed answer or the reason why it is none out.

Tolerant about what is around the JSON and about the blueprint's own forms (2.3.1: a bare list of steps; `reasoning`
with `steps`), strict about types. Whether clinics, tools and slots exist is `model_steps`' question. No reason repeats
anything that the model wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from orchestrator.llm import json_in
from orchestrator.planner.model.model_classification import GivenClassification, read_classification
from orchestrator.planner.model.model_memory import GivenCall, read_calls
from orchestrator.planner.model.model_talk import KINDS, MEMORY_TOPICS
from orchestrator.turn import PlanKind, Topic

MAX_STEPS = 12
"""Steps of a plan: two tools at each of six clinics."""

_MAX_REASONING_LINES = 12
_MAX_REASONING_CHARACTERS = 300

_DEFAULT_TOPICS = {
    PlanKind.CLARIFY: Topic.ASK_REQUEST,
    PlanKind.OUT_OF_SCOPE: Topic.OFF_TOPIC,
    PlanKind.SMALLTALK: Topic.HELP,
}
"""What is meant where a model names a kind and no topic; a refusal must say why."""


class UnreadableError(ValueError):
    """A text that is no plan; the message says why and repeats nothing of it."""


@dataclass(frozen=True, slots=True)
class GivenStep:
    """A step as a model gave it.

    Attributes:
        clinic: Whatever stands there; empty when it is no text.
        action: Likewise.
        parameters: Those whose value is a text; null is left out, as an optional one in strict mode.
        mistyped: Whether anything in it has another type than it should.
    """

    clinic: str
    action: str
    parameters: Mapping[str, str]
    mistyped: bool


@dataclass(frozen=True, slots=True)
class ModelPlanAnswer:
    """A plan as a model gave it.

    Attributes:
        topic: What to say; None when clinics are to be called.
        steps: The calls; none when there is a topic.
        reasoning: Its lines, bounded and printable.
        classification: What the turn is about, as far as that can be read; None where it says nothing of it.
        memory: Calls of the memory tools, whatever stands there.
    """

    topic: Topic | None
    steps: tuple[GivenStep, ...]
    reasoning: tuple[str, ...] = ()
    classification: GivenClassification | None = None
    memory: tuple[GivenCall, ...] = ()


def read_answer(text: str) -> ModelPlanAnswer:
    """Return the plan in a model's text.

    Raises:
        UnreadableError: There is none.
    """
    try:
        value = json_in(text)
    except ValueError as error:
        raise UnreadableError(f"the answer is not one JSON value: {error}") from error
    fields = value if isinstance(value, Mapping) else {"steps": value}
    steps = _steps(fields.get("steps"))
    topic = None if steps else _topic(fields)
    if steps and fields.get("kind", PlanKind.STEPS) != PlanKind.STEPS:
        raise UnreadableError("there are steps, but kind says that no clinic is called")
    return ModelPlanAnswer(
        topic,
        steps,
        _reasoning(fields.get("reasoning")),
        read_classification(fields),
        read_calls(fields.get("memory")),
    )


def _steps(value: JsonValue) -> tuple[GivenStep, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise UnreadableError("steps is no list")
    if len(value) > MAX_STEPS:
        raise UnreadableError(f"more than {MAX_STEPS} steps")
    return tuple(_step(step, number) for number, step in enumerate(value, 1))


def _step(value: JsonValue, number: int) -> GivenStep:
    if not isinstance(value, Mapping):
        raise UnreadableError(f"step {number} is no object")
    clinic, action, given = value.get("clinic"), value.get("action"), value.get("parameters")
    parameters = given if isinstance(given, Mapping) else {}
    texts = {name: text for name, text in parameters.items() if isinstance(text, str)}
    mistyped = (
        not isinstance(clinic, str)
        or not isinstance(action, str)
        or not (given is None or isinstance(given, Mapping))
        or any(text is not None and not isinstance(text, str) for text in parameters.values())
    )
    return GivenStep(
        clinic if isinstance(clinic, str) else "", action if isinstance(action, str) else "", texts, mistyped
    )


def _topic(fields: Mapping[str, JsonValue]) -> Topic:
    kind, topic = fields.get("kind"), fields.get("topic")
    if kind is None or kind == PlanKind.STEPS:
        raise UnreadableError("there are no steps, and kind does not say why")
    named = next((known for known in KINDS if known == kind), None)
    if named is None:
        raise UnreadableError(f"kind is none of: {', '.join(KINDS)}")
    chosen = next((known for known in MEMORY_TOPICS if known == topic), _DEFAULT_TOPICS.get(named))
    if chosen is None:
        raise UnreadableError("the topic is none of those that there are")
    return chosen


def _reasoning(value: JsonValue) -> tuple[str, ...]:
    lines: Sequence[JsonValue] = value if isinstance(value, list) else [value]
    texts = (_printable(line) for line in lines if isinstance(line, str))
    return tuple(text for text in texts if text)[:_MAX_REASONING_LINES]


def _printable(line: str) -> str:
    """A line as a terminal may show it: control characters, escape sequences among them, become spaces."""
    plain = "".join(character if character.isprintable() else " " for character in line)
    return " ".join(plain.split())[:_MAX_REASONING_CHARACTERS]
