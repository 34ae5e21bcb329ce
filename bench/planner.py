"""Measures the offline planner alone: milliseconds a turn, over the turns of the evaluation's suite.

The suite is run once over clinics of its own to learn what the planner is given in every turn; then it is asked again,
with nothing else going on. Prints percentiles beside the goal and passes no judgement: the machine may be busy.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mesh.clock import clock_at
from orchestrator.agents.registry_file import read_registry
from orchestrator.agents.router import MeshRouter
from orchestrator.composition.connection import connect
from orchestrator.conversation import Conversation, TurnRules
from orchestrator.evaluation.evaluation import Bench, EvaluationClinics, OperatorCredentials, run_suite
from orchestrator.evaluation.suite import Suite
from orchestrator.fallback.policy import Fallback
from orchestrator.fleet.fleet import temporary_fleet
from orchestrator.journal.events import EventChannel
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.stages import Stages
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.plan import Plan
from orchestrator.turn.session import Session
from orchestrator.verifier.rules import RuleVerifier

_SUITE = Path(__file__).parents[1] / "tests" / "test_queries.json"
_GOAL_MS = 5.0


@dataclass(frozen=True)
class _Turn:
    """What the planner is given."""

    utterance: str
    session: Session
    clinics: Sequence[Clinic]
    now: datetime


class _RecordingPlanner(OfflinePlanner):
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.turns: list[_Turn] = []

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        self.turns.append(_Turn(utterance, session, clinics, now))
        return super().plan(utterance, session, clinics, now)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=20, help="how often each turn is planned (20)")
    runs = parser.parse_args().runs
    turns = _turns_of(Suite.read(_SUITE))
    planner = OfflinePlanner()
    times = sorted(_elapsed_ms(planner, turn) for _ in range(runs) for turn in turns)
    percentiles = statistics.quantiles(times, n=100)
    print(f"offline planner, {len(turns)} turns, {runs} runs on {os.cpu_count()} cores")
    for name, elapsed_ms in (("p50", percentiles[49]), ("p95", percentiles[94]), ("slowest", times[-1])):
        goal = f"   (goal {_GOAL_MS:.0f} ms)" if name == "p95" else ""
        print(f"  {name:8} {elapsed_ms:6.2f} ms{goal}")


def _turns_of(suite: Suite) -> Sequence[_Turn]:
    planner = _RecordingPlanner()
    events = EventChannel()
    with ExitStack() as parts:
        fleet = parts.enter_context(temporary_fleet(read_registry(8001), agenda=suite.agenda, now=suite.now))
        connection = parts.enter_context(connect(fleet.registry, fleet.protection, credentials=OperatorCredentials))
        router = parts.enter_context(
            MeshRouter(connection.registry, connection.channels, events, connection.credentials)
        )
        stages = Stages(planner, router, RuleVerifier(), TemplateResponder())
        conversation = Conversation(
            lambda _: stages,
            connection.directory,
            events,
            TurnRules(clock_at(suite.now), consent_given=True),
            registry=connection.registry,
            fallback=Fallback(connection.registry, events),
        )
        ground = EvaluationClinics(connection.registry, connection.channels, fleet.silo, connection.credentials)
        for _ in run_suite(suite, Bench(ground, conversation, fleet.folder, events), 1, lambda _: None):
            pass  # only what the planner was given is of interest
    return planner.turns


def _elapsed_ms(planner: OfflinePlanner, turn: _Turn) -> float:
    started = time.perf_counter()
    planner.plan(turn.utterance, turn.session, turn.clinics, turn.now)
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
