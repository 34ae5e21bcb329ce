"""Build the registry and the fleet of a run, and connect it with the clinics; telemetry traces calls and turns."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from mesh.clock import Clock
from mesh.errors import UsageError
from mesh.telemetry import NOT_INSTALLED, is_configured, is_installed
from mesh.tls import Renewed, is_loopback
from orchestrator import agents
from orchestrator.fleet import Calendar, Fleet, Member
from orchestrator.journal import EventChannel
from orchestrator.security import Credentials, KeyFolder, Protection, TlsFolder
from orchestrator.settings import Settings, SettingsError, variable
from orchestrator.turn import Introduction

if TYPE_CHECKING:
    from mesh.telemetry_sdk import OpenTelemetry

SERVICE = "orchestrator"  # what the orchestrator is called in a trace


def live_registry(settings: Settings) -> agents.LiveRegistry:
    """Return the registry, which can be read again; what it pins stays as it is until the next start."""
    first = agents.read_registry(settings.base_port, settings.registry)
    pinned = _pinned(settings, first)

    def again() -> agents.Registry:
        registry = agents.read_registry(settings.base_port, settings.registry)
        if _pinned(settings, registry) != pinned:
            raise agents.RegistryError("the pinned certificates have changed, which takes a new start")
        return registry

    return agents.LiveRegistry(first, again)


def _pinned(settings: Settings, registry: agents.Registry) -> Mapping[str, bytes]:
    tls = protection_of(settings, registry).client_tls()
    return {} if tls is None else tls.pinned


def members_of(settings: Settings, registry: agents.Registry) -> list[Member]:
    """Return the clinics of a registry; raise SettingsError for an agenda that no server keeps."""
    members = [
        Member(one.id, one.address, settings.silo(one.id), settings.clinics_dir, one.store or settings.store)
        for one in registry.values()
    ]
    if settings.agenda != "rolling" and any(one.store for one in members):  # its tables hold one agenda of a clinic
        raise SettingsError("CLINIC_MESH_STORE keeps the rolling agenda only: leave it out, or CLINIC_MESH_AGENDA")
    return members


def fleet_of(settings: Settings, registry: agents.Registry, *, uses_telemetry: bool = True) -> Fleet:
    """Return the clinics of a registry, none started; raise UsageError for certificates or telemetry that lack."""
    members = members_of(settings, registry)
    calendar = Calendar(settings.agenda, settings.now, settings.today.isoformat())
    telemetry = uses_telemetry and _wants_telemetry(settings)
    return Fleet(members, calendar, settings.log_dir, protection_of(settings, registry), telemetry=telemetry)


def protection_of(settings: Settings, registry: agents.Registry) -> Protection:
    """Return how calls are protected; raise UsageError for what takes TLS where there is none, or a bad file of it."""
    keys, known = KeyFolder(settings.keys_dir), registry.with_services.values()
    pinned = {agent.address: agent.certificate for agent in known if agent.certificate is not None}
    if settings.tls_dir is not None:
        folder = TlsFolder(settings.tls_dir, settings.tls)
        return Protection(keys, folder, Renewed(partial(folder.client, pinned)), settings.rate)
    if pinned:
        raise UsageError("the registry pins certificates, which takes TLS: set CLINIC_MESH_TLS_DIR")
    advice = "set CLINIC_MESH_TLS_DIR to a folder of certificates (`clinic-mesh certs` makes one for development)"
    for agent in registry.values():
        if not is_loopback(agent.address):
            raise UsageError(f"{agent.id}: {agent.address} is on another machine, which takes TLS: {advice}")
    return Protection(keys, rate=settings.rate)


def _wants_telemetry(settings: Settings) -> bool:
    if settings.telemetry is False or not (settings.telemetry or is_configured()):
        return False
    if is_installed():
        return True
    if settings.telemetry:
        raise SettingsError(NOT_INSTALLED)
    # The variables are every OpenTelemetry program's: that they are set does not mean that this one must have it.
    sys.stderr.write(f"clinic-mesh: {NOT_INSTALLED}, or set {variable('telemetry')}=off; going on without\n")
    return False


@dataclass(frozen=True, slots=True)
class Connection:
    """What the parts of one run share of the mesh."""

    registry: agents.Registry
    channels: agents.Channels
    calls: agents.Channels  # the same for the steps of turns, apart because a turn that is stopped hangs up
    directory: agents.MeshDirectory  # who they are
    credentials: Credentials  # signs who is calling


@contextmanager
def connect(
    registry: agents.Registry,
    protection: Protection,
    telemetry: "OpenTelemetry | None" = None,
    met: Mapping[str, Introduction] = MappingProxyType({}),
    credentials: Callable[[KeyFolder], Credentials] = Credentials,
) -> Iterator[Connection]:
    """Yield a connection to the clinics of `registry`, which need not be up yet; ask those that are not in `met`."""
    signer, tls = credentials(protection.keys), protection.client_tls
    with agents.Channels(tls, telemetry) as channels, agents.Channels(tls, telemetry) as calls:
        yield Connection(registry, channels, calls, agents.MeshDirectory(registry, channels, met), signer)


@contextmanager
def connect_fleet(registry: agents.Registry, fleet: Fleet, events: EventChannel | None = None) -> Iterator[Connection]:
    """Yield a connection to the clinics of a fleet as it protects and traces them; turns of `events` are traced."""
    with ExitStack() as parts:
        telemetry = None
        if fleet.telemetry:
            from mesh.telemetry_sdk import open_telemetry  # noqa: PLC0415 - loads OpenTelemetry

            telemetry = parts.enter_context(open_telemetry(SERVICE))
        if telemetry is not None and events is not None:
            from orchestrator.journal.tracing import TurnMetrics, TurnSpans  # noqa: PLC0415 - as above

            spans = TurnSpans(telemetry)
            events.span = spans.span
            events.subscribe(spans)
            events.subscribe(TurnMetrics(telemetry))
        yield parts.enter_context(connect(registry, fleet.protection, telemetry, fleet.met))


def open_router(connection: Connection, events: EventChannel, clock: Clock | None = None) -> agents.MeshRouter:
    """Return a router of a turn's steps, a context manager; without a clock answers are not compared with the time."""
    calls, credentials, directory = connection.calls, connection.credentials, connection.directory
    return agents.MeshRouter(connection.registry, calls, events, credentials, directory, clock)
