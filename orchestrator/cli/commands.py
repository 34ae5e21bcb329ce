"""From a command line to the command that it names, and from an error to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from mesh.telemetry import TelemetryError, is_configured, is_installed
from mesh.tls import TlsFileError
from orchestrator.agents import LiveRegistry, Registry, RegistryError, RegistryFile
from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.fleet import Calendar, Fleet, FleetError, Member
from orchestrator.privacy import describe_fault
from orchestrator.security import CredentialError, KeyFolder, Protection, ProtectionError, TlsFolder, protect
from orchestrator.settings import Settings, SettingsError, TlsKind, read_settings, variable
from orchestrator.turn import IdentityError, language_of_locale

_CODES: Mapping[type[Exception], ExitCode] = {
    SettingsError: ExitCode.USAGE,
    RegistryError: ExitCode.USAGE,
    IdentityError: ExitCode.IDENTITY,
    CredentialError: ExitCode.IDENTITY,
    ProtectionError: ExitCode.USAGE,
    TlsFileError: ExitCode.USAGE,
    FleetError: ExitCode.ALL_DOWN,
}
"""What the errors that a person can do something about end with."""


def run(arguments: Arguments) -> ExitCode:
    """Run a command and return its exit code; what went wrong is on standard error."""
    try:
        if arguments.command == "doctor":
            from orchestrator.cli import doctor  # noqa: PLC0415 - each command loads what it needs only

            return doctor.run(arguments)
        settings = read_settings(arguments.settings, os.environ, Path(".env"))
        return _run(arguments, settings)
    except tuple(_CODES) as error:
        told = error.told(language_of_locale(os.environ)) if isinstance(error, FleetError) else error
        return _failed(told, _CODES[type(error)])
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Nobody reads the results any more; nothing is left to be flushed to them at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge of the program: a script gets a code, nobody gets values
        return _failed(f"internal error: {describe_fault(error)}", ExitCode.INTERNAL)


def _run(arguments: Arguments, settings: Settings) -> ExitCode:
    file = RegistryFile(settings.base_port, settings.registry)
    if arguments.command in {"", "ask"}:
        from orchestrator.cli import converse as talk  # noqa: PLC0415 - each command loads what it needs only

        # The names in it are held against the contract while the clinics start.
        live = LiveRegistry(file.read(), lambda: _usable(file, settings))
        return talk.run(arguments, settings, live, _fleet(arguments, settings, live))
    return _run_other(arguments, settings, file.checked())


def _run_other(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    match arguments.command:
        case "up" | "down" | "restart" | "status" | "clinic":
            from orchestrator.cli import clinics  # noqa: PLC0415 - as above

            return clinics.run(arguments, settings, registry, _fleet(arguments, settings, registry))
        case "plan":
            from orchestrator.cli import plan  # noqa: PLC0415 - as above

            return plan.run(arguments, settings, registry)
        case "eval":
            from orchestrator.cli import eval as evaluation  # noqa: PLC0415 - as above

            return evaluation.run(arguments, settings, registry)
        case "research":
            from orchestrator.cli import research  # noqa: PLC0415 - as above

            return research.run(arguments, settings, registry, _fleet(arguments, settings, registry))
        case "logs" | "trace" | "stats":
            return _read_logs(arguments, settings, registry)
        case _:
            return _run_aside(arguments, settings, registry)


def _run_aside(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run what serves other programs: credentials for them, and completion for a shell."""
    if arguments.command == "completion":
        from orchestrator.cli import completion  # noqa: PLC0415 - as above

        return completion.run(arguments, registry)
    from orchestrator.cli import credentials  # noqa: PLC0415 - as above

    return credentials.run(arguments, settings, registry)


def _read_logs(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    match arguments.command:
        case "logs":
            from orchestrator.cli import logs  # noqa: PLC0415 - as above

            return logs.run(arguments, settings, registry)
        case "trace":
            from orchestrator.cli import trace  # noqa: PLC0415 - as above

            return trace.run(arguments, settings)
        case _:
            from orchestrator.cli import stats  # noqa: PLC0415 - as above

            return stats.run(arguments, settings)


def _fleet(arguments: Arguments, settings: Settings, registry: Registry) -> Fleet:
    members = [Member(agent.id, agent.address, settings.silo(agent.id)) for agent in registry.values()]
    calendar = Calendar(settings.agenda.value, settings.now, settings.today.isoformat())
    protection = _protection(settings, registry)
    return Fleet(members, calendar, settings.log_dir, protection, telemetry=_wants_telemetry(arguments, settings))


def _protection(settings: Settings, registry: Registry) -> Protection:
    tls = None if settings.tls_dir is None else TlsFolder(settings.tls_dir, settings.tls is TlsKind.MUTUAL)
    return protect(
        KeyFolder(settings.keys_dir), tls, {agent.id: agent.address for agent in registry.values()}, settings.rate
    )


def _usable(file: RegistryFile, settings: Settings) -> Registry:
    """Return the registry of a file, when all of its agents may be called as this run calls.

    Raises:
        RegistryError: It cannot be used.
    """
    registry = file.checked()
    try:
        _protection(settings, registry)
    except (ProtectionError, TlsFileError) as error:
        raise RegistryError(str(error)) from error
    return registry


def _wants_telemetry(arguments: Arguments, settings: Settings) -> bool:
    """Return whether traces and metrics are sent, by this process or by clinics that it starts.

    Raises:
        SettingsError: They were asked for, and OpenTelemetry is not installed.
    """
    if settings.telemetry is False or not (settings.telemetry or is_configured()):
        return False
    if arguments.command in {"down", "status", "logs", "completion"}:
        return False
    if is_installed():
        return True
    if settings.telemetry:
        raise SettingsError(str(TelemetryError()))
    # The variables are every OpenTelemetry program's: that they are set does not mean that this one must have it.
    sys.stderr.write(f"clinic-mesh: {TelemetryError()}, or set {variable('telemetry')}=off; going on without\n")
    return False


def _failed(error: Exception | str, code: ExitCode) -> ExitCode:
    sys.stderr.write(f"clinic-mesh: {error}\n")
    return code
