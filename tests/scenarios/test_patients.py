"""Simulated patients: they reach their goals, and a desk that is made worse on purpose is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime

import pytest

from bench.patients.patient_evaluation import PATIENTS_AGENDA, PatientFigures, evaluate_patients
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import BOOK, Clinic, Plan, Proposal, Session, booking_step
from tests.scenarios.evaluation_bench import Replaced, open_bench
from tests.support.clinics import open_clinics

Run = Callable[..., PatientFigures]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Let patients talk to a desk; the clinics are shared."""
    folder = tmp_path_factory.mktemp("patients")
    with ExitStack() as parts:
        clinics = parts.enter_context(open_clinics(folder, agenda=PATIENTS_AGENDA))

        def evaluated(count: int, planner: OfflinePlanner | None = None) -> PatientFigures:
            desk = Replaced(planner)
            with open_bench(clinics, folder, desk, now=PATIENTS_AGENDA[1], consent_given=False) as bench:
                return evaluate_patients(bench, count, seed=1)

        yield evaluated


def is_good(figures: PatientFigures) -> bool:
    """Return whether a desk does what the patients want of it, at the length they bear."""
    reached = figures.reached.value or 0
    return reached >= 0.97 and figures.wrong_acts == 0 == figures.asked_thrice and figures.turns_to_a_booking <= 3


def test_patients_reach_their_goals_and_nothing_is_done_that_they_do_not_want(run: Run) -> None:
    figures = run(40)
    assert is_good(figures), [str(one) for one in figures.visits if not one.reached or one.asked_thrice]


def test_the_same_seed_gives_the_same_conversations(run: Run) -> None:
    first, second = run(4), run(4)
    assert first.visits == second.visits


class HearingOnlyYes(OfflinePlanner):
    """Takes whatever is said to a proposal for a yes."""

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        return True


class PickingAnother(OfflinePlanner):
    """Takes the opening behind the one that was picked."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        plan = super().plan(utterance, session, clinics, now)
        if [step.action for step in plan.steps] != [BOOK]:
            return plan
        later = [offer for offer in session.offers if offer.slot != plan.steps[0].taken]
        return replace(plan, steps=(replace(booking_step(later[0]), step_id=1),)) if later else plan


class Forgetting(OfflinePlanner):
    """Forgets what was asked and shown before."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        return super().plan(utterance, replace(session, question=None, offers=()), clinics, now)


@pytest.mark.long
@pytest.mark.parametrize("worse", [HearingOnlyYes, PickingAnother, Forgetting])
def test_a_desk_that_is_made_worse_is_found_out(run: Run, worse: type[OfflinePlanner]) -> None:
    # The desk as it is serves these well: they are the first of the forty.
    assert not is_good(run(12, worse()))
