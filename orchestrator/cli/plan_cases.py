"""Plan the utterances of a file; the clinics asked for openings are temporary, on free ports."""

import sys
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path

from orchestrator.agents import Gate, Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.composition import Connection, connect, open_router, open_stages
from orchestrator.evaluation.replay import Case, CaseError, CasePlanning, DryRun, read_cases
from orchestrator.fleet import FleetError, Trouble, temporary_fleet
from orchestrator.journal import EventChannel
from orchestrator.llm import ModelConfiguration
from orchestrator.responder import TemplateResponder
from orchestrator.settings import Settings
from orchestrator.stages import StagesOfTurn, TurnScope
from orchestrator.turn import Clinic, Plan, Proposal, Session

_PATIENCE_S = 20.0
_POLL_S = 0.1


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Print a plan for each case of the input."""
    try:
        cases = _cases(arguments.input)
    except CaseError as error:
        for line in str(error).splitlines():
            complain(line)
        return ExitCode.USAGE
    with open_planning(settings, registry, settings.model_for(arguments.planner)) as planning:
        for case in cases:
            print(planning.record(case), flush=True)
    return ExitCode.OK


@contextmanager
def open_planning(
    settings: Settings, registry: Registry, model: ModelConfiguration | None = None
) -> Iterator[CasePlanning]:
    """Yield a planner over a temporary fleet; without a model the offline engine plans."""
    events = EventChannel()
    with ExitStack() as parts:
        fleet = parts.enter_context(temporary_fleet(registry, agenda=settings.agenda, now=settings.now))
        connection = parts.enter_context(connect(fleet.registry, fleet.protection))
        router = parts.enter_context(open_router(connection, events, settings.clock))
        stages = parts.enter_context(open_stages(router, connection.directory, events, model))
        planner = _PlannerOfEachTurn(stages, Gate(connection.registry))
        dry_run = DryRun(planner, router, _clinics(connection), settings.clock())
        yield CasePlanning(dry_run, TemplateResponder(), settings.role)


@dataclass(frozen=True, slots=True)
class _PlannerOfEachTurn:
    """A `Planner` whose every plan is a turn by itself, as far as the registry would let it through."""

    stages: StagesOfTurn
    gate: Gate

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        scope = _scope()
        plan, _ = self.gate.check(
            self.stages(scope).planner.plan(utterance, session, clinics, now), utterance, scope.turn_id
        )
        return plan

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        return self.stages(_scope()).planner.consent(utterance, proposal)


def _scope() -> TurnScope:
    return TurnScope(str(uuid.uuid4()), threading.Event())


def _clinics(connection: Connection) -> tuple[Clinic, ...]:
    # All must have said who they are: a plan must not depend on who was quick.
    deadline = time.monotonic() + _PATIENCE_S
    while silent := [clinic.id for clinic in connection.directory.clinics() if not clinic.doctors]:
        if time.monotonic() > deadline:
            raise FleetError(Trouble.SILENT_ALREADY, clinic=", ".join(silent))
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
