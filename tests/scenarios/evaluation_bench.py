"""An evaluation over clinics of this process, with any stages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mesh.clock import clock_at
from orchestrator.agents.router import MeshRouter
from orchestrator.composition.connection import connect
from orchestrator.conversation import Conversation, TurnRules
from orchestrator.evaluation.evaluation import SPEAKER, Bench, EvaluationClinics, OperatorCredentials, evaluate
from orchestrator.evaluation.figures import Evaluation
from orchestrator.evaluation.suite import Query, Suite
from orchestrator.fallback.policy import Fallback
from orchestrator.journal.events import EventChannel
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.security.token_keys import KeyFolder, Protection
from orchestrator.stages import Router, Stages
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinics import Clinics
from tests.support.tokens import any_protection

SUITE = Suite.read(Path(__file__).parents[1] / "test_queries.json")


def part_of_suite(wanted: Callable[[Query], bool]) -> Suite:
    """The queries of the suite that are wanted."""
    return SUITE.model_copy(update={"queries": tuple(filter(wanted, SUITE.queries))})


@dataclass(frozen=True)
class Replaced:
    """The stages of the offline engine that others stand in for."""

    planner: OfflinePlanner | None = None
    wrap_router: Callable[[Router, EventChannel], Router] | None = None
    verifier: RuleVerifier | None = None
    responder: TemplateResponder | None = None


@contextmanager
def open_bench(
    clinics: Clinics, folder: Path, replaced: Replaced, *, now: str, consent_given: bool = True
) -> Iterator[Bench]:
    """Yield a bench of the offline engine with some of its stages replaced; `folder` holds the silos of `clinics`."""
    events = EventChannel([PipelineLog(folder / "logs", SPEAKER)])
    protection = any_protection() if clinics.keys is None else Protection(KeyFolder(clinics.keys.parent))
    with (
        connect(clinics.registry, protection, credentials=OperatorCredentials) as connection,
        MeshRouter(connection.registry, connection.channels, events, connection.credentials) as router,
    ):
        stages = Stages(
            replaced.planner or OfflinePlanner(),
            replaced.wrap_router(router, events) if replaced.wrap_router else router,
            replaced.verifier or RuleVerifier(),
            replaced.responder or TemplateResponder(),
        )
        conversation = Conversation(
            lambda _: stages,
            connection.directory,
            events,
            TurnRules(clock_at(now), consent_given=consent_given),
            registry=connection.registry,
            fallback=Fallback(connection.registry, events),
        )
        silo = folder.joinpath
        ground = EvaluationClinics(connection.registry, connection.channels, silo, connection.credentials)
        yield Bench(ground, conversation, folder / "logs", events)


def evaluate_stages(
    suite: Suite,
    clinics: Clinics,
    folder: Path,
    *,
    planner: OfflinePlanner | None = None,
    wrap_router: Callable[[Router, EventChannel], Router] | None = None,
    verifier: RuleVerifier | None = None,
    responder: TemplateResponder | None = None,
    runs: int = 1,
    report: Callable[[Query], object] = lambda _: None,
) -> Evaluation:
    """Evaluate the offline engine with some of its stages replaced; `folder` holds the silos of `clinics`."""
    replaced = Replaced(planner, wrap_router, verifier, responder)
    with open_bench(clinics, folder, replaced, now=suite.now) as bench:
        return evaluate(suite, bench, runs, report)
