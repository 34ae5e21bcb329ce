"""Make the spans of turns with OpenTelemetry, and put what the events say on them.

A span is current where its work is done, so that the span of a call to a clinic is the step's child.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, Status, StatusCode, get_current_span

from mesh.telemetry import Telemetry
from mesh.telemetry_sdk import REQUEST_ID
from orchestrator.journal.events import (
    ClinicAnswered,
    ClinicAsked,
    Event,
    FellBack,
    MemoryDone,
    MemoryRecalled,
    ModelAnswered,
    ModelAsked,
    ModelSuspended,
    ModelThrottled,
    Planned,
    Routed,
    TurnFinished,
    TurnStarted,
    Verified,
)
from orchestrator.journal.tracing.turn_metrics import step_attributes
from orchestrator.turn import StepStatus

_ERROR = Status(StatusCode.ERROR)  # without a description: an error's text may hold personal data
_FAILED = frozenset({StepStatus.UNREACHED, StepStatus.UNKNOWN})


class TurnSpans:
    """The `Tracer` of a conversation; what is done outside of a turn, as by the research desk, has no span."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._tracer = telemetry.tracer
        self._turn: Span = INVALID_SPAN  # the span of the turn under way

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """Make a span of what is done in the `with` block; that of a turn begins a trace."""
        if name != "turn" and self._turn is INVALID_SPAN:
            yield
            return
        with self._tracer.start_as_current_span(
            name,
            context=Context() if name == "turn" else None,
            kind=SpanKind.CLIENT if name == "model" else SpanKind.INTERNAL,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            if name == "turn":
                self._turn = span
            try:
                yield
            except BaseException:
                span.set_status(_ERROR)
                raise
            finally:
                if name == "turn":
                    self._turn = INVALID_SPAN

    def __call__(self, event: Event) -> None:
        """Put an event on the turn's span or on the current one."""
        match event:
            case TurnStarted() | Routed() | FellBack() | MemoryRecalled() | MemoryDone() | TurnFinished():
                _note_on_turn(self._turn, event)
            case ModelSuspended():
                self._turn.add_event("the model is left alone", {"clinic_mesh.failure": event.failure})
            case ModelThrottled():
                purpose = {"clinic_mesh.purpose": event.purpose}
                self._turn.add_event("the model is not asked: too many calls by one person", purpose)
            case Planned() | ClinicAsked() | ClinicAnswered() | Verified() | ModelAsked() | ModelAnswered():
                if self._turn is not INVALID_SPAN:
                    _note(get_current_span(), event)
            case _:
                pass  # the steps say the same; the research desk has no spans


def _note_on_turn(
    turn: Span, event: TurnStarted | Routed | FellBack | MemoryRecalled | MemoryDone | TurnFinished
) -> None:
    match event:
        case TurnStarted():
            turn.set_attributes({REQUEST_ID: event.turn_id, "session.id": event.session_id})
        case Routed():
            about = event.decision.classification
            turn.set_attributes(
                {
                    "clinic_mesh.intent": about.intent,
                    "clinic_mesh.domains": about.domains,
                    "clinic_mesh.confidence": about.confidence,
                    "clinic_mesh.chosen": event.decision.chosen,
                }
            )
        case FellBack():
            turn.set_attribute("clinic_mesh.fallback", event.policy)
        case MemoryRecalled():
            turn.set_attribute("clinic_mesh.recalled", event.count)
        case MemoryDone():
            turn.add_event("memory", {"clinic_mesh.tool": event.tool, "clinic_mesh.status": event.status})
        case TurnFinished():
            turn.set_attribute("clinic_mesh.outcome", event.outcome)


def _note(span: Span, event: Planned | ClinicAsked | ClinicAnswered | Verified | ModelAsked | ModelAnswered) -> None:
    match event:
        case Planned():
            plan = event.plan
            span.set_attributes(
                {
                    "clinic_mesh.kind": plan.kind,
                    "clinic_mesh.language": plan.language,
                    "clinic_mesh.steps": len(plan.steps),
                    "clinic_mesh.proposed_by_model": plan.proposed is not None,
                }
            )
        case ClinicAsked():
            span.set_attributes({**step_attributes(event), "clinic_mesh.step_id": event.step_id})
        case ClinicAnswered():
            span.set_attribute("clinic_mesh.status", event.status)
            _set(span, {"clinic_mesh.reason": event.reason, "clinic_mesh.items": event.items})
            if event.status in _FAILED:
                span.set_status(_ERROR)
        case Verified():
            span.set_attributes({"clinic_mesh.subject": event.subject, "clinic_mesh.safe": event.verdict.safe})
            _set(span, {"clinic_mesh.rule": event.verdict.rule})
        case ModelAsked():
            span.set_attribute("clinic_mesh.purpose", event.purpose)
        case ModelAnswered():
            _note_answer(span, event)


def _note_answer(span: Span, event: ModelAnswered) -> None:
    span.set_attributes(
        {
            "clinic_mesh.purpose": event.purpose,
            "gen_ai.request.model": event.model,
            "clinic_mesh.retries": event.retries,
        }
    )
    used = event.usage
    _set(
        span,
        {
            "gen_ai.usage.input_tokens": used.prompt_tokens,
            "gen_ai.usage.output_tokens": used.completion_tokens,
            "clinic_mesh.failure": event.failure,
        },
    )
    if event.failure is not None:
        span.set_status(_ERROR)


def _set(span: Span, attributes: dict[str, str | int | None]) -> None:
    span.set_attributes({name: value for name, value in attributes.items() if value is not None})
