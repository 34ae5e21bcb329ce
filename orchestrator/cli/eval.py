"""Evaluate a planner over temporary clinics; those that a person runs are neither looked at nor touched."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    EvaluationClinics,
    EvaluationClinicsError,
    Occasion,
    OperatorCredentials,
    SuiteError,
    TurnLogError,
    evaluate,
    read_suite,
    screen_of,
    write_report,
)
from orchestrator.fleet import FleetError, Trouble, temporary_fleet
from orchestrator.journal import EventChannel
from orchestrator.llm import ModelConfiguration
from orchestrator.settings import Settings, SettingsError

OWN_SUITE = Path(__file__).parents[2] / "tests" / "test_queries.json"  # the suite of a source checkout


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Evaluate a planner and return the exit code, which does not depend on how well it did."""
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
    screen = Console(markup=False, highlight=False, emoji=False)
    if arguments.patients:
        _prepare(arguments.report)
        screen.print(_visited(registry, arguments, model))
        return ExitCode.OK
    path = arguments.suite or OWN_SUITE
    suite = read_suite(path)
    occasion = Occasion(arguments.planner, path.name, suite.agenda, suite.now, datetime.now(UTC))
    _prepare(arguments.report)
    queries = len(suite.queries) * arguments.runs
    options = ConversationOptions(consent_given=True, model=model)
    with _bench(registry, (suite.agenda, suite.now), arguments, options) as bench, _progress(queries) as advance:
        evaluation = evaluate(suite, bench, arguments.runs, lambda query: advance(query.id))
    screen.print(screen_of(evaluation))
    if arguments.report is not None:
        write_report(arguments.report, evaluation, occasion)
    return ExitCode.OK


def _visited(registry: Registry, arguments: Arguments, model: ModelConfiguration | None) -> str:
    try:
        from bench.patients.patient_evaluation import PATIENTS_AGENDA, evaluate_patients  # noqa: PLC0415 - in a source checkout, as the suite
    except ModuleNotFoundError as error:
        raise SettingsError("--patients: simulated patients are part of a source checkout only") from error
    options = ConversationOptions(model=model)
    with _bench(registry, PATIENTS_AGENDA, arguments, options) as bench, _progress(arguments.patients) as advance:
        figures = evaluate_patients(bench, arguments.patients, arguments.seed, lambda: advance(""))
    if arguments.report is not None:
        figures.write(arguments.report)
    return str(figures)


@contextmanager
def _bench(
    registry: Registry, agenda: tuple[str, str], arguments: Arguments, options: ConversationOptions
) -> Iterator[Bench]:
    """Yield a bench of temporary clinics, with their agenda at an instant."""
    name, now = agenda
    with (
        temporary_fleet(registry, agenda=name, now=now) as fleet,
        connect(fleet.registry, fleet.protection, credentials=OperatorCredentials) as connection,
    ):
        log_dir = (arguments.report or fleet.folder) / "logs"
        events = EventChannel([turn_log(log_dir, SPEAKER)])
        ground = EvaluationClinics(connection.registry, connection.channels, fleet.silo, connection.credentials)
        with open_conversation(connection, clock_at(now), events, options) as conversation:
            yield Bench(ground, conversation, connection.registry, log_dir, events)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on standard error; yield what moves it on and names what is done."""
    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=total)
        yield lambda words: progress.update(bar, advance=1, description=words)


def _prepare(folder: Path | None) -> None:
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"--report: {folder} cannot be used: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise SettingsError(f"--report: {folder} cannot be written")
