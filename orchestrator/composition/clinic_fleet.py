"""Builds the registry and the fleet of a run: the clinics, and how calls of them are protected and traced."""

from __future__ import annotations

import sys

from mesh.telemetry import TelemetryError, is_configured, is_installed
from mesh.tls import TlsFileError
from orchestrator.agents import LiveRegistry, Registry, RegistryError, RegistryFile
from orchestrator.fleet import Calendar, Fleet, Member
from orchestrator.security import KeyFolder, Protection, ProtectionError, TlsFolder, protect
from orchestrator.settings import Settings, SettingsError, TlsKind, variable


def live_registry(settings: Settings) -> LiveRegistry:
    """Return a registry that can be read again; its names are checked against the contract when it is.

    Raises:
        RegistryError: It cannot be used.
    """
    file = RegistryFile(settings.base_port, settings.registry)

    def usable() -> Registry:
        registry = file.checked()
        try:
            _protection(settings, registry)
        except (ProtectionError, TlsFileError) as error:
            raise RegistryError(str(error)) from error
        return registry

    return LiveRegistry(file.read(), usable)


def checked_registry(settings: Settings) -> Registry:
    """Return the registry, its names checked against the contract.

    Raises:
        RegistryError: It cannot be used.
    """
    return RegistryFile(settings.base_port, settings.registry).checked()


def fleet_of(settings: Settings, registry: Registry, *, uses_telemetry: bool = True) -> Fleet:
    """Return the clinics of a registry; none is started.

    Raises:
        ProtectionError: Addresses and certificates do not fit.
        SettingsError: Telemetry was asked for, and OpenTelemetry is not installed.
        TlsFileError: A certificate cannot be used.
    """
    members = [Member(agent.id, agent.address, settings.silo(agent.id)) for agent in registry.values()]
    calendar = Calendar(settings.agenda.value, settings.now, settings.today.isoformat())
    telemetry = uses_telemetry and _wants_telemetry(settings)
    return Fleet(members, calendar, settings.log_dir, _protection(settings, registry), telemetry=telemetry)


def _protection(settings: Settings, registry: Registry) -> Protection:
    tls = None if settings.tls_dir is None else TlsFolder(settings.tls_dir, settings.tls is TlsKind.MUTUAL)
    addresses = {agent.id: agent.address for agent in registry.values()}
    return protect(KeyFolder(settings.keys_dir), tls, addresses, settings.rate)


def _wants_telemetry(settings: Settings) -> bool:
    if settings.telemetry is False or not (settings.telemetry or is_configured()):
        return False
    if is_installed():
        return True
    if settings.telemetry:
        raise SettingsError(str(TelemetryError()))
    # The variables are every OpenTelemetry program's: that they are set does not mean that this one must have it.
    sys.stderr.write(f"clinic-mesh: {TelemetryError()}, or set {variable('telemetry')}=off; going on without\n")
    return False
