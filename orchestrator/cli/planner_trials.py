"""Try a planner over temporary clinics: `plan` prints the plans of a file's utterances, `eval` evaluates.

The clinics that a person runs are neither looked at nor touched.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from mesh.clock import clock_at
from orchestrator import composition, evaluation
from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.evaluation.replay import Case, CaseError, CasePlanning, read_cases
from orchestrator.fleet import FleetError, temporary_fleet
from orchestrator.journal import EventChannel, PipelineLog
from orchestrator.llm import ModelConfiguration
from orchestrator.research import check_extra
from orchestrator.settings import Settings, SettingsError
from orchestrator.turn import Clinic, Language

OWN_SUITE = Path(__file__).parents[2] / "tests" / "test_queries.json"  # the suite of a source checkout
_OWN_DESK_CASES = OWN_SUITE.with_name("desk_cases.json")
_PATIENCE_S = 20.0
_POLL_S = 0.1


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Run one of the commands; the exit code does not depend on how well the planner did."""
    try:
        return (_plan if arguments.command == "plan" else _evaluate)(arguments, settings, registry)
    except evaluation.SuiteError as error:
        raise SettingsError(f"{error}; give --suite FILE") from error


def _plan(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    try:
        cases = _cases(arguments.input)
    except CaseError as error:
        for line in str(error).splitlines():
            complain(line)
        return ExitCode.USAGE
    model, events = settings.model_for(arguments.planner), EventChannel()
    with (
        temporary_fleet(registry, agenda=settings.agenda, now=settings.now) as fleet,
        composition.connect(fleet.registry, fleet.protection) as connection,
        composition.open_router(connection, events, settings.clock) as router,
        composition.open_stages(router, connection.directory, events, model) as stages,
    ):
        planning = CasePlanning(stages, connection.registry, _clinics(connection), settings.clock(), settings.role)
        for case in cases:
            print(planning.record(case), flush=True)
    return ExitCode.OK


def _clinics(connection: composition.Connection) -> tuple[Clinic, ...]:
    # All must have said who they are: a plan must not depend on who was quick.
    deadline = time.monotonic() + _PATIENCE_S
    while silent := [clinic.id for clinic in connection.directory.clinics() if not clinic.doctors]:
        if time.monotonic() > deadline:
            raise FleetError("silent_already", clinic=", ".join(silent))
        time.sleep(_POLL_S)
    return connection.directory.clinics()


def _cases(source: str) -> tuple[Case, ...]:
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


def _evaluate(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    model = settings.model_for(arguments.planner)
    screen = Console(markup=False, highlight=False, emoji=False)
    if arguments.is_desk:
        screen.print(_desk_figures(arguments.suite or _OWN_DESK_CASES, model))
        return ExitCode.OK
    if arguments.patients:
        _prepare(arguments.report)
        screen.print(_visited(registry, arguments, model))
        return ExitCode.OK
    path = arguments.suite or OWN_SUITE
    suite = evaluation.Suite.read(path)
    occasion = evaluation.Occasion(arguments.planner, path.name, suite.agenda, suite.now, datetime.now(UTC))
    _prepare(arguments.report)
    queries = len(suite.queries) * arguments.runs
    options = composition.ConversationOptions(consent_given=True, model=model)
    with _bench(registry, (suite.agenda, suite.now), arguments, options) as bench, _progress(queries) as advance:
        figures = evaluation.evaluate(suite, bench, arguments.runs, lambda query: advance(query.id))
    screen.print(evaluation.screen_of(figures))
    if arguments.report is not None:
        evaluation.write_report(arguments.report, figures, occasion)
    return ExitCode.OK


def _desk_figures(path: Path, model: ModelConfiguration | None) -> Group:
    check_extra(Language.EN)
    with _of_a_checkout("--desk"):
        from bench.desk_cases import DeskSuite, evaluate_desk  # noqa: PLC0415 - in a source checkout, as the suite
    from orchestrator.composition.research_desk import open_desk  # noqa: PLC0415 - loads LangGraph

    suite = DeskSuite.read(path)
    with TemporaryDirectory() as folder, open_desk(Path(folder), EventChannel(), model=model) as desk:
        return evaluate_desk(suite, desk)


def _visited(registry: Registry, arguments: Arguments, model: ModelConfiguration | None) -> str:
    with _of_a_checkout("--patients"):
        from bench.patients.patient_evaluation import PATIENTS_AGENDA, evaluate_patients  # noqa: PLC0415 - as above
    options = composition.ConversationOptions(model=model)
    with _bench(registry, PATIENTS_AGENDA, arguments, options) as bench, _progress(arguments.patients) as advance:
        figures = evaluate_patients(bench, arguments.patients, arguments.seed, lambda: advance(""))
    if arguments.report is not None:
        figures.write(arguments.report)
    return str(figures)


@contextmanager
def _of_a_checkout(option: str) -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise SettingsError(f"{option}: it is part of a source checkout only") from error


@contextmanager
def _bench(
    registry: Registry, agenda: tuple[str, str], arguments: Arguments, options: composition.ConversationOptions
) -> Iterator[evaluation.Bench]:
    name, now = agenda
    with (
        temporary_fleet(registry, agenda=name, now=now) as fleet,
        composition.connect(fleet.registry, fleet.protection, credentials=evaluation.OperatorCredentials) as connection,
    ):
        log_dir = (arguments.report or fleet.folder) / "logs"
        events = EventChannel([PipelineLog(log_dir, evaluation.SPEAKER)])
        channels, signer = connection.channels, connection.credentials
        ground = evaluation.EvaluationClinics(connection.registry, channels, fleet.silo, signer)
        with composition.open_conversation(connection, clock_at(now), events, options) as conversation:
            yield evaluation.Bench(ground, conversation, log_dir, events)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
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
