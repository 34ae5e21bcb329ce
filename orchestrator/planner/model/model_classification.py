"""Reads what a language model says a turn is about, and decides how much of it stands.

Tolerant: whatever is missing or of another form is taken from the plan and the words instead, so that a model that
classifies badly costs nothing that it plans well. What a model writes freely is bounded, and names that are no
identifiers or no specialties of the registry are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from orchestrator.llm import TOKEN
from orchestrator.planner.dialogue import Situation, classified
from orchestrator.turn import CATALOGUE, UNKNOWN, Classification, Plan, PlanKind, Subtask, Topic

MAX_SUBTASKS = 6
_TEXT_CHARACTERS = 120
_INTENTS = frozenset({*CATALOGUE, *(topic.value for topic in Topic)})


@dataclass(frozen=True, slots=True)
class GivenClassification:
    """A classification as a model gave it.

    Attributes:
        intent: A tool of the contract, a topic, or "unknown" for anything else; None for none.
        domains: Whatever texts stand there, in order.
        subtasks: Those that can be read.
        confidence: From 0 to 1; None for none.
    """

    intent: str | None
    domains: tuple[str, ...] = field(repr=False)
    subtasks: tuple[Subtask, ...]
    confidence: float | None


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
    """Return what a turn is about.

    A model's doubt counts only for what the model alone proposes: calls that the words bear out are as certain as the
    words are.

    Args:
        given: What the model said; None for nothing.
        plan: What was made of its answer.
        offline: The grammar's own plan.
        here: The turn.
    """
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
    """Whether the grammar would make the same calls."""
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
    """A short text as a terminal may show it; one that stands for somebody is none."""
    if not isinstance(value, str) or TOKEN.search(value):
        return ""
    plain = "".join(character if character.isprintable() else " " for character in value)
    return " ".join(plain.split())[:_TEXT_CHARACTERS]
