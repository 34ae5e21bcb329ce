"""Make a trace of a turn's events: plan, route, verify, respond; steps lie in route, model calls in their phase.

A step's span is current in the thread that calls the clinic, so that the call's own span is its child.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextvars import Token
from dataclasses import dataclass, field

from opentelemetry import context as contexts
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

from mesh.telemetry import Telemetry
from mesh.telemetry_sdk import REQUEST_ID
from orchestrator.journal.events import (
    AgentFinished,
    AgentStarted,
    ClinicAnswered,
    ClinicAsked,
    Event,
    FellBack,
    Gathered,
    MemoryDone,
    MemoryRecalled,
    ModelAnswered,
    ModelAsked,
    ModelSuspended,
    ModelThrottled,
    Planned,
    Routed,
    StateChanged,
    TurnFinished,
    TurnStarted,
    Verified,
)
from orchestrator.journal.tracing.turn_metrics import step_attributes
from orchestrator.turn import Purpose, StepStatus

_FAILED = frozenset({StepStatus.UNREACHED, StepStatus.UNKNOWN})

_PHASES: Mapping[Purpose, str] = {
    Purpose.PLAN: "plan",
    Purpose.REPAIR: "plan",
    Purpose.AUDIT: "verify",
    Purpose.WRITE: "respond",
    Purpose.ANSWER: "respond",
}
"""The phase that asks a model."""


@dataclass(slots=True)
class _Turn:
    """A turn under way."""

    span: Span
    tracer: Tracer  # makes the spans within it
    phase: str = ""  # the name of the phase that it is in; empty between two
    within: Span | None = None  # the phase's span
    # steps under way, by id, with what was current before in their thread
    steps: dict[int, tuple[Span, Token[Context]]] = field(default_factory=dict)
    model: Span | None = None  # a call of a model under way
    has_responded: bool = False  # whether the phase "respond" was begun
    at: int = 0  # when the last event came, nanoseconds since 1970

    def enter(self, phase: str, at: int) -> Span:
        """Be in a phase from an instant on, and return its span."""
        if self.within is None or self.phase != phase:
            self.leave(at)
            self.within = self.tracer.start_span(phase, context=_in(self.span), start_time=at)
            self.phase = phase
            self.has_responded |= phase == "respond"
        return self.within

    def leave(self, at: int) -> None:
        """End the phase, if there is one."""
        if self.within is not None:
            self.within.end(at)
        self.within, self.phase = None, ""

    def end(self, at: int) -> None:
        """End all that has not ended."""
        for span, _ in self.steps.values():
            span.end(at)
        if self.model is not None:
            self.model.end(at)
        self.leave(at)
        self.span.end(at)


class TurnSpans:
    """A listener that traces turns."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._tracer = telemetry.tracer
        self._turn: _Turn | None = None

    def __call__(self, event: Event) -> None:
        """Take one event."""
        now = time.time_ns()
        if isinstance(event, TurnStarted):
            self._begin(event, now)
        turn = self._turn
        if turn is None:
            return
        match event:
            case Planned():
                _planned(turn, event, now)
            case ClinicAsked() | ClinicAnswered():
                _of_step(turn, event, now)
            case ModelAsked() | ModelAnswered() | ModelSuspended() | ModelThrottled():
                _of_model(turn, event, now)
            case Routed() | FellBack() | MemoryRecalled() | MemoryDone():
                _noted(turn.span, event)
            case Verified():
                _verified(turn, event, now)
            case TurnFinished():
                self._finish(turn, event, now)
            case TurnStarted() | Gathered() | AgentStarted() | StateChanged() | AgentFinished():
                pass  # it has begun; the steps have told; the research desk's turns are none of these
        turn.at = now

    def _begin(self, event: TurnStarted, now: int) -> None:
        if self._turn is not None:
            # It broke down: nobody told of its end.
            self._turn.span.set_status(Status(StatusCode.ERROR))
            self._turn.end(self._turn.at)
        attributes = {REQUEST_ID: event.turn_id, "session.id": event.session_id}
        span = self._tracer.start_span("turn", context=Context(), attributes=attributes, start_time=now)
        self._turn = _Turn(span, self._tracer, at=now)
        self._turn.enter("plan", now)

    def _finish(self, turn: _Turn, event: TurnFinished, now: int) -> None:
        if not turn.has_responded and turn.within is None:
            turn.enter("respond", turn.at)
        turn.span.set_attribute("clinic_mesh.outcome", event.outcome)
        turn.end(now)
        self._turn = None


def _planned(turn: _Turn, event: Planned, now: int) -> None:
    plan = event.plan
    span = turn.enter("plan", turn.at)
    span.set_attributes(
        {
            "clinic_mesh.kind": plan.kind,
            "clinic_mesh.language": plan.language,
            "clinic_mesh.steps": len(plan.steps),
            "clinic_mesh.proposed_by_model": plan.proposed is not None,
        }
    )
    turn.leave(now)


def _asked(turn: _Turn, event: ClinicAsked, now: int) -> None:
    route = turn.enter("route", now)
    step = turn.tracer.start_span(
        "step",
        context=_in(route),
        attributes={**step_attributes(event), "clinic_mesh.step_id": event.step_id},
        start_time=now,
    )
    # The event comes in the thread that calls the clinic next, and so does the answer's.
    turn.steps[event.step_id] = (step, contexts.attach(_in(step)))


def _of_step(turn: _Turn, event: ClinicAsked | ClinicAnswered, now: int) -> None:
    match event:
        case ClinicAsked():
            _asked(turn, event, now)
        case ClinicAnswered():
            _answered(turn, event, now)


def _answered(turn: _Turn, event: ClinicAnswered, now: int) -> None:
    span, before = turn.steps.pop(event.step_id)
    contexts.detach(before)
    span.set_attribute("clinic_mesh.status", event.status)
    if event.reason is not None:
        span.set_attribute("clinic_mesh.reason", event.reason)
    if event.items is not None:
        span.set_attribute("clinic_mesh.items", event.items)
    if event.status in _FAILED:
        span.set_status(Status(StatusCode.ERROR))
    span.end(now)


def _noted(span: Span, event: Routed | FellBack | MemoryRecalled | MemoryDone) -> None:
    match event:
        case Routed():
            about = event.decision.classification
            span.set_attributes(
                {
                    "clinic_mesh.intent": about.intent,
                    "clinic_mesh.domains": about.domains,
                    "clinic_mesh.confidence": about.confidence,
                    "clinic_mesh.chosen": event.decision.chosen,
                }
            )
        case FellBack():
            span.set_attribute("clinic_mesh.fallback", event.policy)
        case MemoryRecalled():
            span.set_attribute("clinic_mesh.recalled", event.count)
        case MemoryDone():
            span.add_event("memory", {"clinic_mesh.tool": event.tool, "clinic_mesh.status": event.status})


def _of_model(turn: _Turn, event: ModelAsked | ModelAnswered | ModelSuspended | ModelThrottled, now: int) -> None:
    match event:
        case ModelAsked():
            span = turn.enter(_PHASES.get(event.purpose, turn.phase), turn.at)
            turn.model = _model_span(turn.tracer, span, event.purpose, now)
        case ModelAnswered():
            _model_answered(turn, event, now)
        case ModelSuspended():
            turn.span.add_event("the model is left alone", {"clinic_mesh.failure": event.failure})
        case ModelThrottled():
            purpose = {"clinic_mesh.purpose": event.purpose}
            turn.span.add_event("the model is not asked: too many calls by one person", purpose)


def _model_answered(turn: _Turn, event: ModelAnswered, now: int) -> None:
    span = turn.model
    if span is None:
        # It was not asked, because it failed a moment ago.
        span = _model_span(turn.tracer, turn.within or turn.span, event.purpose, now)
    turn.model = None
    used = {"input": event.usage.prompt_tokens, "output": event.usage.completion_tokens}
    span.set_attribute("gen_ai.request.model", event.model)
    span.set_attribute("clinic_mesh.retries", event.retries)
    for kind, tokens in used.items():
        if tokens is not None:
            span.set_attribute(f"gen_ai.usage.{kind}_tokens", tokens)
    if event.failure is not None:
        span.set_attribute("clinic_mesh.failure", event.failure)
        span.set_status(Status(StatusCode.ERROR))
    span.end(now)


def _verified(turn: _Turn, event: Verified, now: int) -> None:
    begun = max(turn.at, now - round(event.elapsed_s * 1e9))
    if event.subject == "reply" and not turn.has_responded:
        turn.enter("respond", turn.at)
    span = turn.enter("verify", begun)
    span.set_attribute("clinic_mesh.subject", event.subject)
    span.set_attribute("clinic_mesh.safe", event.verdict.safe)
    if event.verdict.rule is not None:
        span.set_attribute("clinic_mesh.rule", event.verdict.rule)
    turn.leave(now)
    if event.subject == "data":
        turn.enter("respond", now)


def _model_span(tracer: Tracer, within: Span, purpose: Purpose, now: int) -> Span:
    return tracer.start_span(
        "model", context=_in(within), kind=SpanKind.CLIENT, attributes={"clinic_mesh.purpose": purpose}, start_time=now
    )


def _in(span: Span) -> Context:
    return set_span_in_context(span, Context())
