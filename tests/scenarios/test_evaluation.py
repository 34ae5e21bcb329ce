"""The evaluation can be passed and can be failed: a perfect plan, empty ones, and stages with a fault in them."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mesh.errors import UsageError
from orchestrator.agents.mesh_directory import Channels
from orchestrator.evaluation.evaluation import EvaluationClinics, OperatorCredentials
from orchestrator.evaluation.figures import Evaluation, band_of
from orchestrator.evaluation.suite import Aim, SlotName, SuiteError
from orchestrator.journal.events import EventChannel
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.security.token_keys import KeyFolder
from orchestrator.stages import Router
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.verifier.rules import RuleVerifier
from tests.scenarios.evaluation_bench import SUITE, evaluate_stages, part_of_suite
from tests.scenarios.evaluation_stages import (
    ACCUSING,
    ALARMED,
    MISDATING,
    SLEEPING,
    TERSE,
    BlindToData,
    BrokenRouter,
    ForgetfulRouter,
    LateRouter,
    LostRouter,
    LyingRouter,
    PerfectPlanner,
    RandomPlanner,
    SayingPlanner,
    adding,
)
from tests.support.clinics import Clinics
from tests.support.tokens import any_credentials


@pytest.fixture
def clinics(guarded_clinics: Clinics) -> Clinics:
    return guarded_clinics


WRITES = part_of_suite(lambda query: query.writes)


def speaking(clinics: Clinics) -> OperatorCredentials:
    assert clinics.keys is not None
    return OperatorCredentials(KeyFolder(clinics.keys.parent))


def missed(evaluation: Evaluation) -> dict[str, tuple[str, ...]]:
    return {score.query.id: score.misses for score in evaluation.scores if score.misses}


@pytest.mark.long
def test_every_expected_outcome_is_reached_by_a_perfect_plan(clinics: Clinics, tmp_path: Path) -> None:
    planner = PerfectPlanner()
    evaluation = evaluate_stages(SUITE, clinics, tmp_path, planner=planner, report=planner.follow)
    assert missed(evaluation) == {}
    for key in ("tsr", "tca", "mcra", "success", "success_writes", "refusals", "restraint", "precision", "recall"):
        assert evaluation.rate(key).value == 1, key
    assert evaluation.rate("hr").hits == 0
    assert evaluation.rate("misroute").hits == 0
    assert evaluation.stray_writes == 0
    assert band_of(evaluation.rate("tsr")) == "excellent"


@pytest.mark.long
def test_the_offline_planner_reaches_its_targets(clinics: Clinics, tmp_path: Path) -> None:
    evaluation = evaluate_stages(SUITE, clinics, tmp_path)
    tsr = evaluation.rate("tsr").value
    assert tsr is not None
    assert tsr >= 0.98, missed(evaluation)
    assert evaluation.rate("mcra").value == 1
    assert evaluation.rate("tca").value == 1
    assert evaluation.rate("hr").hits == 0
    assert evaluation.stray_writes == 0


def guessing(seed: int) -> RandomPlanner:
    slots = sorted({slot for query in SUITE.queries for turn in query.turns for slot in turn.offers or ()})
    return RandomPlanner(seed, slots)


@pytest.mark.long
@pytest.mark.parametrize(
    ("planner", "guesses"),
    [
        (SayingPlanner(PlanKind.CLARIFY, Topic.ASK_REQUEST), False),
        (SayingPlanner(PlanKind.REFUSE, Topic.OPERATORS_ONLY), False),
        (guessing(1), True),
        (guessing(2), True),
    ],
    ids=["does nothing", "always refuses", "random", "random otherwise"],
)
def test_a_planner_that_understands_nothing_earns_nothing_on_tasks_that_write(
    clinics: Clinics, tmp_path: Path, planner: OfflinePlanner, *, guesses: bool
) -> None:
    figures = evaluate_stages(WRITES, clinics, tmp_path, planner=planner)
    assert figures.rate("success_writes").hits == 0
    assert figures.rate("success_writes").trials == len(WRITES.queries) > 50
    # Who guesses sends steps to the wrong clinic.
    assert (figures.rate("misroute").hits > 0) is guesses


@pytest.mark.long
def test_doing_nothing_completes_no_task_and_the_letter_of_the_blueprint_does_not_hide_it(
    clinics: Clinics, tmp_path: Path
) -> None:
    planner = SayingPlanner(PlanKind.CLARIFY, Topic.ASK_REQUEST)
    figures = evaluate_stages(SUITE, clinics, tmp_path, planner=planner)
    assert figures.rate("tsr").hits == 0
    assert figures.rate("mcra").hits == 0
    assert figures.rate("success").hits == 0
    assert figures.rate("recall").hits == 0
    assert figures.rate("tca").value is None
    assert figures.rate("tsr_all").value == 1  # no step, so no step failed: why it is not the figure to look at


SAMPLE = part_of_suite(
    lambda query: (
        query.id
        in {
            "openings-cardio-pt",
            "book-by-doctor-day-hour",
            "move-same-doctor",
            "cancel-after-booking",
            "taken-named",
            "staff-record",
            "refuse-record-of-other",
            "refuse-patients-list",
        }
    )
)


@dataclass(frozen=True)
class Fault:
    """A stage with a fault, and the figure in which it must show."""

    name: str
    figure: str
    router: Callable[[Router, EventChannel], Router] | None = None
    verifier: RuleVerifier | None = None
    responder: TemplateResponder | None = None


FAULTS = (
    Fault("the router leaves a step out", "tsr", router=ForgetfulRouter),
    Fault("the router goes to another clinic", "success", router=LostRouter),
    Fault("the router books another opening", "success_writes", router=LateRouter),
    Fault("the router acknowledges what it never sent", "success_writes", router=LyingRouter),
    Fault("the router breaks down", "tsr", router=BrokenRouter),
    Fault("the verifier lets everything pass", "refusals", verifier=SLEEPING),
    Fault("the verifier does not look at the data", "refusals", verifier=BlindToData()),
    Fault("the verifier cries hallucination", "hr", verifier=ALARMED),
    Fault("the verifier cries privacy", "pvr", verifier=ACCUSING),
    Fault("the responder invents a dose", "hr", responder=adding("Tome 500 mg de dipirona de 6 em 6 horas.")),
    Fault("the responder names a patient", "pvr", responder=adding("A paciente é Cecília, CPF 515.196.505-07.")),
    Fault("the responder diagnoses", "success", responder=adding("Pelo que você conta, você tem hipertensão.")),
    Fault("the responder claims a booking", "success", responder=adding("Sua consulta foi marcada para 30/07 às 7h.")),
    Fault("the responder leaves out the details", "success", responder=TERSE),
    Fault("the responder says another month", "success", responder=MISDATING),
    Fault("nobody checks a responder without details", "success", responder=TERSE, verifier=SLEEPING),
    Fault("nobody checks a responder that says another month", "success", responder=MISDATING, verifier=SLEEPING),
    Fault("nobody checks who is named", "refusals", responder=adding("Falta a Joana."), verifier=SLEEPING),
)

_RISING = {"hr", "pvr"}


def test_the_sample_for_faults_is_passed_without_a_fault(clinics: Clinics, tmp_path: Path) -> None:
    evaluation = evaluate_stages(SAMPLE, clinics, tmp_path)
    assert missed(evaluation) == {}
    assert {score.query.aim for score in evaluation.scores} == set(Aim)
    assert evaluation.rate("tsr").value == 1
    assert evaluation.rate("hr").hits == 0
    assert evaluation.rate("pvr").hits == 1  # the record of another person, which the verifier keeps back


@pytest.mark.long(but=2)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_in_a_stage_is_seen(clinics: Clinics, tmp_path: Path, fault: Fault) -> None:
    evaluation = evaluate_stages(
        SAMPLE, clinics, tmp_path, wrap_router=fault.router, verifier=fault.verifier, responder=fault.responder
    )
    rate = evaluation.rate(fault.figure)
    assert rate.hits > 1 if fault.figure in _RISING else rate.hits < rate.trials
    assert missed(evaluation)


def test_no_query_sees_what_the_one_before_it_wrote(clinics: Clinics, tmp_path: Path) -> None:
    writing = part_of_suite(lambda query: query.id in {"book-at-once-pt", "taken-named", "cancel-held"})
    evaluation = evaluate_stages(writing, clinics, tmp_path, runs=3)
    assert missed(evaluation) == {}
    assert evaluation.pass_k == {1: 1.0, 2: 1.0, 3: 1.0}
    assert evaluation.rate("success_writes").trials == 3 * 2


def test_a_slot_that_does_not_exist_ends_the_evaluation_before_it_begins(clinics: Clinics, tmp_path: Path) -> None:
    with Channels() as channels:
        ground = EvaluationClinics(clinics.registry, channels, lambda clinic: tmp_path / clinic, any_credentials())
        with pytest.raises(SuiteError, match="there is no such slot"):
            ground.prepare(held=[SlotName("clinic_a", "2025-07-21", "09:15")], taken=[])


def test_files_that_do_not_show_what_a_query_begins_with_end_the_evaluation(clinics: Clinics, tmp_path: Path) -> None:
    still = tmp_path / "copy"
    shutil.copytree(tmp_path, still)
    with Channels() as channels:
        ground = EvaluationClinics(clinics.registry, channels, lambda clinic: still / clinic, speaking(clinics))
        with pytest.raises(match="do not show"):
            ground.prepare(held=[SlotName("clinic_a", "2025-07-21", "09:00")], taken=[])


@pytest.mark.long
def test_a_log_that_lacks_turns_ends_the_evaluation(clinics: Clinics, tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where the log's folder should be")
    with pytest.raises(UsageError, match=r"turns of .* are missing"):
        evaluate_stages(SAMPLE, clinics, tmp_path)
