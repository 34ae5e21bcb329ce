"""Traces and metrics of this process; where they are off, nothing of OpenTelemetry is loaded."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from mesh.telemetry import Telemetry, TelemetryError, is_installed
from orchestrator.fleet import Fleet
from orchestrator.journal import EventChannel

SERVICE = "orchestrator"
"""What the orchestrator is called in a trace."""


def telemetry_of(fleet: Fleet) -> AbstractContextManager[Telemetry | None]:
    """Return the telemetry of this process, where that of the clinics is on, too.

    Raises:
        TelemetryError: OpenTelemetry is not installed.
    """
    if not fleet.telemetry:
        return nullcontext()
    if not is_installed():
        raise TelemetryError
    from mesh.telemetry_sdk import open_telemetry  # noqa: PLC0415 - loads OpenTelemetry

    return open_telemetry(SERVICE)


def follow(events: EventChannel, telemetry: Telemetry | None) -> None:
    """Trace and measure each turn of a channel."""
    if telemetry is None:
        return
    from orchestrator.journal.tracing import TurnMetrics, TurnSpans  # noqa: PLC0415 - loads OpenTelemetry

    events.subscribe(TurnSpans(telemetry))
    events.subscribe(TurnMetrics(telemetry))
