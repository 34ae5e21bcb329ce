"""Evaluate a planner over temporary clinics; those that a person runs are neither looked at nor touched."""

from __future__ import annotations

import os
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from mesh.clock import clock_at
from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.composition import ConversationOptions, connect, open_conversation, turn_log
from orchestrator.evaluation import (
    SPEAKER,
    Bench,
    Evaluation,
    EvaluationClinics,
    EvaluationClinicsError,
    Occasion,
    Screen,
    Suite,
    SuiteError,
    TurnLogError,
    evaluate,
    read_suite,
    write_report,
)
from orchestrator.fleet import FleetError, Trouble, temporary_fleet
from orchestrator.journal import EventChannel
from orchestrator.llm import ModelConfiguration
from orchestrator.settings import Settings, SettingsError

OWN_SUITE = Path(__file__).parents[2] / "tests" / "test_queries.json"  # the suite of a source checkout


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Evaluate a planner and return the exit code, which does not depend on how well it did."""
    # What gRPC's core says about its connections would land in the middle of the table.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        return _run(arguments, settings, registry)
    except SuiteError as error:
        raise SettingsError(f"{error}; give --suite FILE") from error
    except TurnLogError as error:
        raise SettingsError(str(error)) from error
    except EvaluationClinicsError as error:
        raise FleetError(Trouble.EVALUATION, reason=error) from error


def _run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    model = settings.model_for(arguments.planner)
    path = arguments.suite or OWN_SUITE
    suite = read_suite(path)
    occasion = Occasion(arguments.planner, path.name, suite.agenda, suite.now, datetime.now(UTC))
    _prepare(arguments.report)
    evaluation = _evaluate(suite, registry, arguments, model)
    Console(markup=False, highlight=False, emoji=False).print(Screen(evaluation))
    if arguments.report is not None:
        write_report(arguments.report, evaluation, occasion)
    return ExitCode.OK


def _evaluate(suite: Suite, registry: Registry, arguments: Arguments, model: ModelConfiguration | None) -> Evaluation:
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    with ExitStack() as parts:
        fleet = parts.enter_context(temporary_fleet(registry, agenda=suite.agenda, now=suite.now))
        connection = parts.enter_context(connect(fleet.registry))
        log_dir = (arguments.report or fleet.folder) / "logs"
        events = EventChannel([turn_log(log_dir, SPEAKER)])
        conversation = parts.enter_context(
            open_conversation(
                connection, clock_at(suite.now), events, ConversationOptions(consent_given=True, model=model)
            )
        )
        progress = parts.enter_context(
            Progress(
                BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), console=console, transient=True
            )
        )
        bar = progress.add_task("", total=len(suite.queries) * arguments.runs)
        ground = EvaluationClinics(connection.registry, connection.channels, fleet.silo)
        return evaluate(
            suite,
            Bench(ground, conversation, connection.registry, log_dir),
            arguments.runs,
            lambda query: progress.update(bar, advance=1, description=query.id),
        )


def _prepare(folder: Path | None) -> None:
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"--report: {folder} cannot be used: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise SettingsError(f"--report: {folder} cannot be written")
