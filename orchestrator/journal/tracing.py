"""Make the spans of turns with OpenTelemetry, put what the events say on them, and count and time turns.

A span is current where its work is done, so that the span of a call to a clinic is the step's child.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, Status, StatusCode, get_current_span
from opentelemetry.util.types import AttributeValue

from mesh.telemetry_sdk import REQUEST_ID, OpenTelemetry, duration_histogram
from orchestrator.journal import events
from orchestrator.journal.events import Event
from orchestrator.turn import CATALOGUE, StepStatus

_ERROR = Status(StatusCode.ERROR)  # without a description: an error's text may hold personal data
_FAILED = frozenset({StepStatus.UNREACHED, StepStatus.UNKNOWN})


class TurnSpans:
    """A listener, and the `span` of a channel; what is done outside of a turn, as by the research desk, has none."""

    def __init__(self, telemetry: OpenTelemetry) -> None:
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
        turn = self._turn
        match event:
            case events.TurnStarted():
                turn.set_attributes({REQUEST_ID: event.turn_id, "session.id": event.session_id})
            case events.Routed():
                about = event.decision.classification
                _set(turn, intent=about.intent, domains=about.domains, confidence=about.confidence)
                _set(turn, chosen=event.decision.chosen)
            case events.FellBack():
                _set(turn, fallback=event.policy)
            case events.MemoryRecalled():
                _set(turn, recalled=event.count)
            case events.MemoryDone():
                turn.add_event("memory", {"clinic_mesh.tool": event.tool, "clinic_mesh.status": event.status})
            case events.ModelSuspended():
                turn.add_event("the model is left alone", {"clinic_mesh.failure": event.failure})
            case events.ModelThrottled():
                purpose = {"clinic_mesh.purpose": event.purpose}
                turn.add_event("the model is not asked: too many calls by one person", purpose)
            case events.TurnFinished():
                _set(turn, outcome=event.outcome)
            case _:
                if turn is not INVALID_SPAN:
                    _note(get_current_span(), event)


def _note(span: Span, event: Event) -> None:
    match event:
        case events.Planned(plan):
            _set(span, kind=plan.kind, language=plan.language, steps=len(plan.steps))
            _set(span, proposed_by_model=plan.proposed is not None)
        case events.ClinicAsked():
            span.set_attributes(step_attributes(event))
            _set(span, step_id=event.step_id)
        case events.ClinicAnswered():
            _set(span, status=event.status, reason=event.reason, items=event.items)
            if event.status in _FAILED:
                span.set_status(_ERROR)
        case events.Verified(subject, verdict):
            _set(span, subject=subject, safe=verdict.safe, rule=verdict.rule)
        case events.ModelAsked():
            _set(span, purpose=event.purpose)
        case events.ModelAnswered():
            _set(span, purpose=event.purpose, retries=event.retries, failure=event.failure)
            _set(span, "gen_ai.request", model=event.model)
            used = event.usage
            _set(span, "gen_ai.usage", input_tokens=used.prompt_tokens, output_tokens=used.completion_tokens)
            if event.failure is not None:
                span.set_status(_ERROR)
        case _:
            pass  # the steps say the same; the research desk has no spans


def _set(span: Span, scope: str = "clinic_mesh", /, **attributes: AttributeValue | None) -> None:
    span.set_attributes({f"{scope}.{name}": value for name, value in attributes.items() if value is not None})


class TurnMetrics:
    """A listener that counts and times."""

    def __init__(self, telemetry: OpenTelemetry) -> None:
        meter = telemetry.meter
        self._turns = duration_histogram(meter, "clinic_mesh.turn.duration")
        self._steps = duration_histogram(meter, "clinic_mesh.step.duration")
        self._model_calls = duration_histogram(meter, "clinic_mesh.model.duration")
        self._tokens = meter.create_counter("clinic_mesh.model.tokens", unit="{token}")
        self._throttled = meter.create_counter("clinic_mesh.model.throttled", unit="{call}")
        self._memory_calls = meter.create_counter("clinic_mesh.memory.calls", unit="{call}")
        self._fallbacks = meter.create_counter("clinic_mesh.fallbacks", unit="{turn}")

    def __call__(self, event: Event) -> None:
        """Take one event."""
        match event:
            case events.TurnFinished():
                self._turns.record(event.elapsed_s, {"clinic_mesh.outcome": event.outcome})
            case events.ClinicAnswered():
                self._steps.record(event.elapsed_s, {**step_attributes(event), "clinic_mesh.status": event.status})
            case events.ModelAnswered():
                self._model_answered(event)
            case events.ModelThrottled():
                self._throttled.add(1, {"clinic_mesh.purpose": event.purpose})
            case events.MemoryDone():
                self._memory_calls.add(1, {"clinic_mesh.tool": event.tool, "clinic_mesh.status": event.status})
            case events.FellBack():
                self._fallbacks.add(1, {"clinic_mesh.fallback": event.policy})
            case _:
                pass  # nothing to count

    def _model_answered(self, event: events.ModelAnswered) -> None:
        purpose = {"clinic_mesh.purpose": event.purpose}
        self._model_calls.record(event.elapsed_s, {**purpose, "clinic_mesh.failure": event.failure or "none"})
        for kind, tokens in (("input", event.usage.prompt_tokens), ("output", event.usage.completion_tokens)):
            if tokens is not None:
                self._tokens.add(tokens, {**purpose, "gen_ai.token.type": kind})


def step_attributes(event: events.ClinicAsked | events.ClinicAnswered) -> dict[str, AttributeValue]:
    """Return which clinic a step asks for what; a name that is not the contract's may be anybody's text."""
    action = event.action if event.action in CATALOGUE else "unknown"
    return {"clinic_mesh.clinic": event.clinic, "clinic_mesh.action": action}
