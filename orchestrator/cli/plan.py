"""The command `plan`: plans utterances of a file with the turns before them, and writes nothing anywhere.

The clinics that are asked for openings are its own: free ports, temporary silos, gone when it ends.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.connection import Connection, connect
from orchestrator.directory import Clinic
from orchestrator.events import EventChannel
from orchestrator.fleet.member import FleetError
from orchestrator.fleet.temporary import temporary_fleet
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.registry import Registry
from orchestrator.responder.templates import TemplateResponder
from orchestrator.router import Router
from orchestrator.settings import Settings
from orchestrator.transcript.case import Case, CaseError, read_cases
from orchestrator.transcript.dry_run import DryRun
from orchestrator.transcript.planning import CasePlanning
from orchestrator.transcript.rebuilding import Rebuilding

_PATIENCE_S = 20.0
_POLL_S = 0.1


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Print a plan for each case of the input.

    Raises:
        FleetError: The clinics cannot be started or do not answer.
    """
    try:
        cases = _cases(arguments.input)
    except CaseError as error:
        sys.stderr.write("".join(f"clinic-mesh: {line}\n" for line in str(error).splitlines()))
        return ExitCode.USAGE
    with open_planning(settings, registry) as planning:
        for case in cases:
            sys.stdout.write(planning.record(case) + "\n")
            sys.stdout.flush()
    return ExitCode.OK


@contextmanager
def open_planning(settings: Settings, registry: Registry) -> Iterator[CasePlanning]:
    """Yield the offline planner over a temporary fleet.

    Args:
        settings: Agenda, now and role.
        registry: Whose clinics to start.

    Raises:
        FleetError: The clinics cannot be started or do not answer.
    """
    # What gRPC's core says about a connection would stand among the messages for the person.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    with (
        temporary_fleet(registry, agenda=settings.agenda.value, now=settings.now) as fleet,
        connect(fleet.registry) as connection,
        Router(connection.registry, connection.channels, EventChannel()) as router,
    ):
        dry_run = DryRun(OfflinePlanner(), router, _clinics(connection), settings.clock())
        yield CasePlanning(dry_run, Rebuilding(dry_run, settings.role), TemplateResponder())


def _clinics(connection: Connection) -> tuple[Clinic, ...]:
    """Return who the clinics are, once all have said so: a plan must not depend on who was quick."""
    deadline = time.monotonic() + _PATIENCE_S
    while silent := [clinic.id for clinic in connection.directory.clinics() if not clinic.doctors]:
        if time.monotonic() > deadline:
            raise FleetError(f"{', '.join(silent)}: does not answer")
        time.sleep(_POLL_S)
    return connection.directory.clinics()


def _cases(source: str) -> tuple[Case, ...]:
    """Return the cases of a file, or of standard input for "-".

    Raises:
        CaseError: The file cannot be read, or a line is no case.
    """
    name = "standard input" if source == "-" else source
    try:
        if source != "-":
            return read_cases(Path(source).read_text("utf-8").split("\n"), name)
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="strict")
        return read_cases(sys.stdin, name)
    except OSError as error:
        raise CaseError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CaseError(f"{name}: it is not UTF-8 text") from error
