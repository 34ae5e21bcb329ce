"""A conversation without a terminal: the text of `ask`, or the lines of standard input."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from contextlib import ExitStack

from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.script import Script
from orchestrator.cli.telemetry import follow, telemetry_of
from orchestrator.composition import open_conversation
from orchestrator.connection import connect
from orchestrator.events import EventChannel
from orchestrator.fleet.fleet import Fleet
from orchestrator.identity import Identity
from orchestrator.llm.throttle import throttle_of_people
from orchestrator.pipeline_log import PipelineLog
from orchestrator.privacy import Redactor
from orchestrator.registry import Registry
from orchestrator.session import Session
from orchestrator.settings import Settings
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.turn import TurnRunner


def converse(
    arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet, identity: Identity
) -> ExitCode:
    """Take a turn for each line and return the most serious exit code.

    Args:
        arguments: The command line.
        settings: The settings.
        registry: Where the clinics are.
        fleet: The clinics, launched unless the command line says otherwise.
        identity: Who speaks.

    Raises:
        FleetError: The clinics do not come up.
    """
    if arguments.starts_clinics:
        fleet.await_health()
    with ExitStack() as parts:
        telemetry = parts.enter_context(telemetry_of(fleet))
        connection = parts.enter_context(connect(registry, fleet.protection, telemetry))
        names = {clinic.id: clinic.name for clinic in connection.directory.clinics()}
        progress = Progress(names, lambda line: print(line, file=sys.stderr, flush=True), append_only=True)
        events = EventChannel([PipelineLog(settings.log_dir, Redactor(identity)), progress])
        follow(events, telemetry)
        conversation = parts.enter_context(
            open_conversation(
                connection,
                settings.clock,
                events,
                consent_given=arguments.consent_given,
                model=settings.llm,
                throttle=throttle_of_people(),
                data_dir=settings.data_dir,
            )
        )
        turns = TurnRunner(conversation, progress.cancelling)
        script = Script(turns, progress, sys.stdout, sys.stderr, as_records=arguments.output == "jsonl")
        return script.run(Session(identity, role=settings.role), _lines(arguments))


def _lines(arguments: Arguments) -> Iterable[str]:
    if arguments.command == "ask" and arguments.text != "-":
        return (arguments.text,)
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A stray byte costs a character, not the run.
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdin
