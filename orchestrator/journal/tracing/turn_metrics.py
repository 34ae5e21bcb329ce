"""Measure turns from their events, as OpenTelemetry counts and durations; loaded only where telemetry is on."""

from __future__ import annotations

from opentelemetry.util.types import AttributeValue

from mesh.telemetry_sdk import OpenTelemetry, duration_histogram
from orchestrator.journal import events
from orchestrator.journal.events import Event
from orchestrator.turn import CATALOGUE


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
        used = {"input": event.usage.prompt_tokens, "output": event.usage.completion_tokens}
        for kind, tokens in used.items():
            if tokens is not None:
                self._tokens.add(tokens, {**purpose, "gen_ai.token.type": kind})


def step_attributes(event: events.ClinicAsked | events.ClinicAnswered) -> dict[str, AttributeValue]:
    """Return which clinic a step asks for what; a name that is not the contract's may be anybody's text."""
    action = event.action if event.action in CATALOGUE else "unknown"
    return {"clinic_mesh.clinic": event.clinic, "clinic_mesh.action": action}
