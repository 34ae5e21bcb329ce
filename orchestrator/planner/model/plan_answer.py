"""Read a model's text as a plan: untrusted JSON in, a typed answer or the reason why it is none out.

Tolerant about what is around the JSON and the blueprint's own forms (2.3.1), strict about the types of steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from orchestrator.llm import TOKEN, json_in
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.model.model_memory import GivenCall, read_calls
from orchestrator.planner.model.plan_form import KINDS, MEMORY_TOPICS
from orchestrator.planner.offline import classified
from orchestrator.turn import CATALOGUE, UNKNOWN, Classification, Plan, PlanKind, Subtask, Topic

MAX_STEPS = 12  # steps of a plan: two tools at each of six clinics
_MAX_REASONING_LINES = 12
_MAX_REASONING_CHARACTERS = 300

_DEFAULT_TOPICS = {
    PlanKind.CLARIFY: Topic.ASK_REQUEST,
    PlanKind.OUT_OF_SCOPE: Topic.OFF_TOPIC,
    PlanKind.SMALLTALK: Topic.HELP,
}  # what is meant where a model names a kind and no topic; a refusal must say why


class UnreadableError(ValueError):
    """A text that is no plan; the message gives the reason and does not repeat the text."""


@dataclass(frozen=True, slots=True)
class GivenStep:
    """A step as a model gave it."""

    clinic: str  # empty when it is no text
    action: str  # likewise
    parameters: Mapping[str, str]  # those whose value is a text
    mistyped: bool  # whether anything in it has another type than it should


@dataclass(frozen=True, slots=True)
class ModelPlanAnswer:
    """A plan as a model gave it."""

    topic: Topic | None  # what to say; None when clinics are to be called
    steps: tuple[GivenStep, ...]  # the calls; none when there is a topic
    reasoning: tuple[str, ...] = ()  # its lines, bounded and printable
    classification: GivenClassification | None = None  # what the turn is about; None where it says nothing of it
    memory: tuple[GivenCall, ...] = ()  # calls of the memory tools, unchecked


def read_answer(text: str) -> ModelPlanAnswer:
    """Return the plan in a model's text; raise UnreadableError when there is none."""
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
        topic, steps, _reasoning(fields.get("reasoning")), read_classification(fields), read_calls(fields.get("memory"))
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
    plain = "".join(character if character.isprintable() else " " for character in line)
    return " ".join(plain.split())[:_MAX_REASONING_CHARACTERS]


MAX_SUBTASKS = 6
_TEXT_CHARACTERS = 120
_INTENTS = frozenset({*CATALOGUE, *(topic.value for topic in Topic)})


@dataclass(frozen=True, slots=True)
class GivenClassification:
    """A classification as a model gave it."""

    intent: str | None  # a tool of the contract, a topic, or "unknown" for anything else; None for none
    domains: tuple[str, ...] = field(repr=False)  # whatever texts stand there, in order
    subtasks: tuple[Subtask, ...]  # those that can be read
    confidence: float | None  # from 0 to 1; None for none


def read_classification(fields: Mapping[str, JsonValue]) -> GivenClassification | None:
    """Return the classification among the fields of an answer; None where there is nothing of one."""
    given = GivenClassification(
        _intent(fields.get("intent")),
        _texts(fields.get("domains")),
        _subtasks(fields.get("subtasks")),
        _confidence(fields.get("confidence")),
    )
    is_empty = given.intent is None and given.confidence is None and not given.domains and not given.subtasks
    return None if is_empty else given


def classification_of(given: GivenClassification | None, plan: Plan, offline: Plan, here: Situation) -> Classification:
    """Return the classification of a turn; a model's doubt counts only for what it alone proposes."""
    derived = classified(here, plan)
    if given is None or plan == offline:
        return derived
    known = {clinic.specialty.casefold(): clinic.specialty for clinic in here.clinics}
    named = tuple(dict.fromkeys(known[text.casefold()] for text in given.domains if text.casefold() in known))
    # Those of the clinics that are asked are facts; a model may know of more.
    domains = tuple(dict.fromkeys((*derived.domains, *named))) if plan.kind is PlanKind.STEPS else named
    confidence = derived.confidence if given.confidence is None else given.confidence
    if plan.kind is PlanKind.STEPS and _is_borne_out(plan, offline):
        confidence = max(confidence, derived.confidence)
    subtasks = tuple(replace(subtask, domain=known.get(subtask.domain.casefold(), "")) for subtask in given.subtasks)
    return Classification(given.intent or derived.intent, domains, subtasks or derived.subtasks, confidence)


def _is_borne_out(plan: Plan, offline: Plan) -> bool:
    calls = {(step.clinic, step.action) for step in offline.steps}
    return all((step.clinic, step.action) in calls for step in plan.steps)


def _intent(value: JsonValue) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    return value.strip() if value.strip() in _INTENTS else UNKNOWN


def _texts(value: JsonValue) -> tuple[str, ...]:
    entries: Sequence[JsonValue] = value if isinstance(value, list) else [value]
    return tuple(entry.strip() for entry in entries if isinstance(entry, str) and entry.strip())[:MAX_SUBTASKS]


def _confidence(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


def _subtasks(value: JsonValue) -> tuple[Subtask, ...]:
    entries = value if isinstance(value, list) else []
    found = (_subtask(entry) for entry in entries if isinstance(entry, Mapping))
    return tuple(subtask for subtask in found if subtask is not None)[:MAX_SUBTASKS]


def _subtask(entry: Mapping[str, JsonValue]) -> Subtask | None:
    intent, domain = _intent(entry.get("intent")), entry.get("domain")
    title = _plain(entry.get("title"))
    if intent is None and not title:
        return None
    return Subtask(
        title, _plain(entry.get("reason")), intent or UNKNOWN, domain.strip() if isinstance(domain, str) else ""
    )


def _plain(value: JsonValue) -> str:
    if not isinstance(value, str) or TOKEN.search(value):
        return ""
    plain = "".join(character if character.isprintable() else " " for character in value)
    return " ".join(plain.split())[:_TEXT_CHARACTERS]
