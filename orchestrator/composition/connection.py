"""Connects a run with the clinics of its registry; where telemetry is on, its calls and turns are traced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from mesh.telemetry import Telemetry, TelemetryError, is_installed
from orchestrator.agents import NOBODY, Channels, MeshDirectory, MeshRouter, Registry
from orchestrator.fleet import Fleet
from orchestrator.journal import EventChannel
from orchestrator.security import UNPROTECTED, Credentials, Protection
from orchestrator.turn import Directory, Introduction

SERVICE = "orchestrator"
"""What the orchestrator is called in a trace."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What the parts of one run share of the mesh."""

    registry: Registry
    channels: Channels
    calls: Channels  # the same for the steps of turns, apart because a turn that is stopped hangs up
    directory: Directory  # who they are
    credentials: Credentials | None = None  # signs who is calling; None where the clinics ask for no token


@contextmanager
def connect(
    registry: Registry,
    protection: Protection = UNPROTECTED,
    telemetry: Telemetry | None = None,
    met: Mapping[str, Introduction] = NOBODY,
) -> Iterator[Connection]:
    """Yield a connection to the clinics of `registry`, which need not be up yet, and close it.

    Args:
        met: What clinics have just said of themselves, by id; the others are asked.
    """
    credentials = Credentials(protection.keys) if protection.keys is not None else None
    tls = protection.client_tls
    with Channels(tls, telemetry) as channels, Channels(tls, telemetry) as calls:
        yield Connection(registry, channels, calls, MeshDirectory(registry, channels, met), credentials)


@contextmanager
def connect_fleet(registry: Registry, fleet: Fleet, events: EventChannel | None = None) -> Iterator[Connection]:
    """Yield a connection to the clinics of a fleet as it protects and traces them; turns of `events` are traced, too.

    Raises:
        TelemetryError: OpenTelemetry is not installed.
    """
    with _telemetry(fleet) as telemetry, connect(registry, fleet.protection, telemetry, fleet.met) as connection:
        if telemetry is not None and events is not None:
            from orchestrator.journal.tracing import TurnMetrics, TurnSpans  # noqa: PLC0415 - loads OpenTelemetry

            events.subscribe(TurnSpans(telemetry))
            events.subscribe(TurnMetrics(telemetry))
        yield connection


def _telemetry(fleet: Fleet) -> AbstractContextManager[Telemetry | None]:
    if not fleet.telemetry:
        return nullcontext()
    if not is_installed():
        raise TelemetryError
    from mesh.telemetry_sdk import open_telemetry  # noqa: PLC0415 - loads OpenTelemetry

    return open_telemetry(SERVICE)


def open_router(connection: Connection, events: EventChannel) -> MeshRouter:
    """Return a router of a turn's steps, a context manager."""
    return MeshRouter(connection.registry, connection.calls, events, connection.credentials)
