"""Remembers how the last turn went, from the event channel, for /why.

Events carry no personal data, so neither does this; nothing is remembered beyond one turn.
"""

from __future__ import annotations

from orchestrator.events import ClinicAnswered, Event, Planned, TurnFinished, TurnStarted, Verified
from orchestrator.language import Language
from orchestrator.reply import Block, Card
from orchestrator.terminal.texts import TEXTS, decimal


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


def _rows(event: Event, language: Language) -> list[tuple[str, str]]:
    texts = TEXTS[language]
    match event:
        case Planned(_, plan, elapsed_s):
            steps = ", ".join(f"{step.clinic}.{step.action}" for step in plan.steps)
            said = (plan.kind.value, plan.topic.value if plan.topic else "", steps)
            first = (_stage(texts.stages["plan"], elapsed_s, language), ": ".join(part for part in said if part))
            return [first, *(("", sentence) for sentence in plan.reasoning)]
        case ClinicAnswered():
            items = "" if event.items is None else texts.items.format(count=event.items)
            facts = (texts.answered[event.status], items, event.reason or "")
            return [(_stage(event.clinic, event.elapsed_s, language), ", ".join(fact for fact in facts if fact))]
        case Verified(_, subject, verdict, elapsed_s):
            return [(_stage(texts.stages[subject], elapsed_s, language), verdict.note)]
        case TurnFinished():
            return [(_stage(texts.stages["turn"], event.elapsed_s, language), event.outcome.value)]
        case _:
            return []


def _stage(name: str, elapsed_s: float, language: Language) -> str:
    milliseconds = decimal(elapsed_s * 1000, language)
    return f"{name} ({milliseconds} ms)"
