"""Remembers how the last turn went, from the event channel, for /why and /retry.

Events carry no personal data, so neither does this; nothing is remembered beyond one turn.
"""

from __future__ import annotations

from dataclasses import replace

from orchestrator.journal import (
    ClinicAnswered,
    Event,
    MemoryDone,
    MemoryRecalled,
    ModelAnswered,
    Planned,
    Routed,
    TurnFinished,
    TurnStarted,
    Verified,
)
from orchestrator.terminal.model_texts import MODEL_TEXTS
from orchestrator.terminal.texts import TEXTS, decimal
from orchestrator.terminal.turn_texts import TURN_TEXTS
from orchestrator.turn import Block, Card, Language, Plan, Proposed, RoutingDecision, StepStatus, is_write

_ASKED_AGAIN = ("Only the clinics that had not answered were asked, for the same.",)


class TurnTrace:
    """Listens to the event channel and keeps the last turn's events."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, TurnStarted):
            self._events.clear()
        self._events.append(event)

    def blocks(self, language: Language) -> tuple[Block, ...]:
        """Return the last turn as a card, a row a stage; nothing when there was none."""
        rows = tuple(row for event in tuple(self._events) for row in _rows(event, language))
        return (Card(TEXTS[language].why_title, rows),) if rows else ()

    @property
    def unanswered(self) -> Plan | None:
        """The last turn's plan with the reads alone that a clinic did not answer; None when there are none."""
        events = tuple(self._events)
        plan = next((event.plan for event in events if isinstance(event, Planned)), None)
        if plan is None:
            return None
        ended = {event.step_id: event.status for event in events if isinstance(event, ClinicAnswered)}
        silent = tuple(
            step for step in plan.steps if ended.get(step.step_id) is StepStatus.UNREACHED and not is_write(step.action)
        )
        return replace(plan, steps=silent, memory=(), proposed=None, reasoning=_ASKED_AGAIN) if silent else None


def _rows(event: Event, language: Language) -> list[tuple[str, str]]:
    texts, turn_texts = TEXTS[language], TURN_TEXTS[language]
    rows: list[tuple[str, str]] = []
    match event:
        case MemoryRecalled(_, count, elapsed_s):
            used = texts.recalled.of(count)
            rows = [(_stage(texts.stages["recall"], elapsed_s, language), used)] if count else []
        case Planned():
            rows = _planned(event, language)
        case Routed():
            rows = _routing(event.decision, language)
        case ModelAnswered():
            rows = [_model_call(event, language)]
        case ClinicAnswered():
            items = "" if event.items is None else turn_texts.items.format(count=event.items)
            facts = (turn_texts.answered[event.status], items, event.reason or "")
            rows = [(_stage(event.clinic, event.elapsed_s, language), ", ".join(fact for fact in facts if fact))]
        case Verified(_, subject, verdict, elapsed_s):
            rows = [(_stage(texts.stages[subject], elapsed_s, language), verdict.note)]
        case MemoryDone(_, tool, _, status, elapsed_s):
            rows = [(_stage(texts.stages["memory"], elapsed_s, language), f"{tool}: {status}")]
        case TurnFinished():
            rows = [(_stage(texts.stages["turn"], event.elapsed_s, language), event.outcome.value)]
        case _:
            pass
    return rows


def _planned(event: Planned, language: Language) -> list[tuple[str, str]]:
    plan = event.plan
    steps = ", ".join(f"{step.clinic}.{step.action}" for step in plan.steps)
    said = (plan.kind.value, plan.topic.value if plan.topic else "", steps)
    label = _stage(TEXTS[language].stages["plan"], event.elapsed_s, language)
    proposed = [] if plan.proposed is None else _proposed(plan.proposed, language)
    first = (label, ": ".join(part for part in said if part))
    return [first, *(("", sentence) for sentence in (*plan.reasoning, *proposed))]


def _routing(decision: RoutingDecision, language: Language) -> list[tuple[str, str]]:
    """Who was chosen for what, where somebody was."""
    scores = {one.agent: one.score for one in decision.candidates}
    label = TEXTS[language].stages["routing"]
    return [
        (label, f"{task.subtask_title}: {', '.join(f'{agent} {scores[agent]}' for agent in task.inputs)}")
        for task in decision.tasks
    ]


def _proposed(proposed: Proposed, language: Language) -> list[str]:
    texts = MODEL_TEXTS[language]
    return [texts.completed if proposed.used else texts.replaced, *proposed.notes]


def _model_call(event: ModelAnswered, language: Language) -> tuple[str, str]:
    texts, usage = MODEL_TEXTS[language], event.usage
    facts = [event.model]
    if usage.prompt_tokens is not None and usage.completion_tokens is not None:
        facts.append(texts.tokens.format(prompt=usage.prompt_tokens, completion=usage.completion_tokens))
    if usage.cost_usd is not None:
        facts.append(f"US$ {usage.cost_usd:.4f}")
    if event.retries:
        facts.append(texts.retries.format(count=event.retries))
    if event.failure is not None:
        facts.append(texts.failures[event.failure])
    return _stage(texts.calls[event.purpose], event.elapsed_s, language), ", ".join(facts)


def _stage(name: str, elapsed_s: float, language: Language) -> str:
    milliseconds = decimal(elapsed_s * 1000, language)
    return f"{name} ({milliseconds} ms)"
