"""Traces and metrics of turns; loads OpenTelemetry, so it is opened only where they are on."""

from orchestrator.journal.tracing.turn_metrics import TurnMetrics
from orchestrator.journal.tracing.turn_spans import TurnSpans
