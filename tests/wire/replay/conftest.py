"""Six real clinics in this process, asked by a dry run and by a live conversation; no test writes to them by plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from mesh.clock import clock_at
from orchestrator.agents.router import MeshRouter
from orchestrator.composition.connection import Connection, connect
from orchestrator.evaluation.replay.case_planning import CasePlanning, Decision, Said
from orchestrator.journal.events import EventChannel
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.stages import Stages
from orchestrator.turn.identity import Role
from orchestrator.turn.session import Session
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinics import NOW, open_clinics
from tests.support.tokens import any_protection

Rebuild = Callable[..., Session]
Decide = Callable[..., Decision]


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with (
        open_clinics(tmp_path_factory.mktemp("clinics")) as clinics,
        connect(clinics.registry, any_protection()) as connection,
    ):
        yield connection


@pytest.fixture(scope="module")
def planning(connection: Connection) -> Iterator[CasePlanning]:
    with MeshRouter(connection.registry, connection.channels, EventChannel(), connection.credentials) as router:
        clinics = connection.directory.clinics()
        stages = Stages(OfflinePlanner(), router, RuleVerifier(), TemplateResponder())
        yield CasePlanning(lambda _: stages, connection.registry, clinics, clock_at(NOW)(), Role.PATIENT)


@pytest.fixture(scope="module")
def rebuild(planning: CasePlanning) -> Rebuild:
    """Rebuilds the session after some texts; the person speaks first, and then by turns."""

    def rebuild(*texts: str) -> Session:
        said = (Said(role="assistant" if n % 2 else "user", content=text) for n, text in enumerate(texts))
        return planning.session(said)

    return rebuild


@pytest.fixture(scope="module")
def decide(planning: CasePlanning, rebuild: Rebuild) -> Decide:
    """Decides an utterance after some texts."""
    return lambda *texts: planning.decide(texts[-1], rebuild(*texts[:-1]))
