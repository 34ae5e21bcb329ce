"""Remember how the last turn went, for /why and /retry; events hold no personal data."""

from collections.abc import Iterator
from dataclasses import replace

from orchestrator import journal
from orchestrator.privacy import Redactor
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Card, Language, Plan, RoutingDecision, StepStatus, is_write

_ASKED_AGAIN = ("Only the clinics that had not answered were asked, for the same.",)


class TurnTrace:
    """Listen to the event channel and keep the last turn's events."""

    def __init__(self) -> None:
        self._events: list[journal.Event] = []

    def __call__(self, event: journal.Event) -> None:
        """Take an event."""
        if isinstance(event, journal.TurnStarted):
            self._events.clear()
        self._events.append(event)

    def blocks(self, language: Language) -> tuple[Block, ...]:
        """Return the last turn as a card, a row a stage; nothing when there was none."""
        texts = texts_in(language)
        rows = tuple(row for event in tuple(self._events) for row in _rows(event, texts))
        return (Card(texts.text("terminal.why_title"), rows),) if rows else ()

    @property
    def unanswered(self) -> Plan | None:
        """The last turn's plan with the reads alone that a clinic did not answer; None when there are none."""
        events = tuple(self._events)
        plan = next((event.plan for event in events if isinstance(event, journal.Planned)), None)
        if plan is None:
            return None
        ended = {event.step_id: event.status for event in events if isinstance(event, journal.ClinicAnswered)}
        unreached = (step for step in plan.steps if ended.get(step.step_id) is StepStatus.UNREACHED)
        silent = tuple(step for step in unreached if not is_write(step.action))
        return replace(plan, steps=silent, memory=(), proposed=None, reasoning=_ASKED_AGAIN) if silent else None


def _rows(event: journal.Event, texts: Texts) -> Iterator[tuple[str, str]]:
    match event:
        case journal.MemoryRecalled(count, elapsed_s) if count:
            used = texts.counted("terminal.recalled", count)
            yield _stage(texts.text("terminal.stages.recall"), elapsed_s, texts), used
        case journal.Planned():
            yield from _planned(event, texts)
        case journal.Routed():
            yield from _routing(event.decision, texts)
        case journal.ModelAnswered():
            yield _model_call(event, texts)
        case journal.ClinicAnswered():
            items = "" if event.items is None else texts.text("terminal.turn.items", count=event.items)
            facts = (texts.text(f"terminal.turn.answered.{event.status}"), items, event.reason or "")
            yield _stage(event.clinic, event.elapsed_s, texts), ", ".join(filter(None, facts))
        case journal.Verified():
            yield from _verified(event, texts)
        case journal.MemoryDone(tool, _, status, elapsed_s):
            yield _stage(texts.text("terminal.stages.memory"), elapsed_s, texts), f"{tool}: {status}"
        case journal.TurnFinished():
            if event.wish:
                yield texts.text("terminal.stages.wish"), event.wish
            yield _stage(texts.text("terminal.stages.turn"), event.elapsed_s, texts), event.outcome.value


def _verified(event: journal.Verified, texts: Texts) -> Iterator[tuple[str, str]]:
    verdict = event.verdict
    yield _stage(texts.text(f"terminal.stages.{event.subject}"), event.elapsed_s, texts), verdict.note
    if verdict.audit:
        yield texts.text("terminal.stages.auditor"), Redactor().redact(verdict.audit)


def _planned(event: journal.Planned, texts: Texts) -> Iterator[tuple[str, str]]:
    plan = event.plan
    steps = ", ".join(f"{step.clinic}.{step.action}" for step in plan.steps)
    said = (plan.kind.value, plan.topic.value if plan.topic else "", steps)
    yield _stage(texts.text("terminal.stages.plan"), event.elapsed_s, texts), ": ".join(filter(None, said))
    yield from (("", sentence) for sentence in plan.reasoning)
    if plan.proposed is not None:
        yield "", texts.text("terminal.model.completed" if plan.proposed.used else "terminal.model.replaced")
        yield from (("", sentence) for sentence in plan.proposed.notes)


def _routing(decision: RoutingDecision, texts: Texts) -> Iterator[tuple[str, str]]:
    about, given = decision.classification, decision.classification.given
    yield texts.text("terminal.stages.classification"), " ".join((about.intent, *about.domains, str(about.confidence)))
    if given is not None:
        yield texts.text("terminal.stages.model_classification"), f"{given.intent} {given.confidence}"
    if decision.candidates:
        yield texts.text("terminal.stages.candidates"), ", ".join(f"{c.agent} {c.score}" for c in decision.candidates)
    scores = {one.agent: one.score for one in decision.candidates}
    for task in decision.tasks:
        agents = ", ".join(f"{agent} {scores[agent]}" for agent in task.inputs)
        yield texts.text("terminal.stages.routing"), f"{task.subtask_title}: {agents}"


def _model_call(event: journal.ModelAnswered, texts: Texts) -> tuple[str, str]:
    usage = event.usage
    facts = [event.model]
    if usage.prompt_tokens is not None and usage.completion_tokens is not None:
        counts = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}
        facts.append(texts.text("terminal.model.tokens", **counts))
    if usage.cost_usd is not None:
        facts.append(f"US$ {usage.cost_usd:.4f}")
    if event.retries:
        facts.append(texts.text("terminal.model.retries", count=event.retries))
    if event.failure is not None:
        facts.append(texts.text(f"terminal.model.failures.{event.failure}"))
    return _stage(texts.text(f"terminal.model.calls.{event.purpose}"), event.elapsed_s, texts), ", ".join(facts)


def _stage(name: str, elapsed_s: float, texts: Texts) -> str:
    return f"{name} ({texts.decimal(elapsed_s * 1000)} ms)"
