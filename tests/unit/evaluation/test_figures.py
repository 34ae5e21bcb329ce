from dataclasses import replace

import pytest

from orchestrator.evaluation.figures import Rate, band_of, figures_of
from orchestrator.evaluation.judgement import Planning, Score
from orchestrator.turn.reply import Rule
from tests.unit.evaluation.lines import booking, line, listing, lists, query, talking

TASK = Score(
    query(booking(), id="task"),
    run=1,
    completed=True,
    task_success=True,
    planned=Planning(plans=1, steps=1, valid=1),
    broken_rules=frozenset(),
    expected=1,
    matched=1,
    stray_writes=0,
    misses=(),
)
MULTI = replace(
    TASK,
    query=query(listing("clinic_a", "clinic_c"), id="multi", language="en"),
    planned=Planning(plans=1, steps=2, valid=2, multi_clinic=True),
)
RESTRAINT = replace(TASK, query=query(talking("refuse"), id="restraint"), planned=Planning(), expected=0, matched=0)


def failed(score: Score, run: int = 1) -> Score:
    return replace(score, run=run, misses=("for a test",), completed=False, task_success=False)


@pytest.mark.parametrize(
    ("hits", "band"),
    [(100, "excellent"), (90, "excellent"), (89, "acceptable"), (70, "acceptable"), (69, "insufficient")],
)
def test_bands_are_the_blueprints(hits: int, band: str) -> None:
    assert band_of(Rate(hits, 100)) == band


def test_without_a_task_there_is_no_band() -> None:
    assert band_of(Rate(0, 0)) is None


def test_queries_that_rightly_have_no_step_count_apart() -> None:
    figures = figures_of([failed(TASK), RESTRAINT], [])
    assert figures.rate("tsr") == Rate(0, 1)
    assert figures.rate("tsr_all") == Rate(1, 2)
    assert figures.rate("success") == Rate(0, 1)
    assert figures.rate("restraint") == Rate(1, 1)


def test_rules_are_counted_over_all_queries() -> None:
    scores = [
        replace(TASK, broken_rules=frozenset({Rule.R1})),
        replace(MULTI, broken_rules=frozenset({Rule.R2})),
        RESTRAINT,
    ]
    figures = figures_of(scores, [])
    assert figures.rate("hr") == figures.rate("pvr") == Rate(1, 3)


def test_tools_are_counted_by_step() -> None:
    figures = figures_of([TASK, replace(MULTI, planned=Planning(plans=1, steps=3, valid=2), expected=4)], [])
    assert figures.rate("tca") == Rate(3, 4)
    assert figures.rate("precision") == Rate(2, 4)
    assert figures.rate("recall") == Rate(2, 5)


def test_only_queries_that_need_several_clinics_count_for_mcra() -> None:
    assert figures_of([TASK, MULTI, RESTRAINT], []).rate("mcra") == Rate(1, 1)


def test_strict_success_is_broken_down_by_kind() -> None:
    figures = figures_of([TASK, failed(MULTI)], [])
    assert figures.rate("language pt") == Rate(1, 1)
    assert figures.rate("language en") == figures.rate("multi-clinic") == Rate(0, 1)
    assert figures.rate("normal") == Rate(1, 2)


def test_pass_k_is_the_chance_that_k_runs_all_succeed() -> None:
    runs = [TASK, replace(TASK, run=2), failed(TASK, run=3), MULTI, replace(MULTI, run=2), replace(MULTI, run=3)]
    figures = figures_of(runs, [])
    assert figures.pass_k == {1: pytest.approx(5 / 6), 2: pytest.approx((1 / 3 + 1) / 2), 3: pytest.approx(0.5)}
    assert figures.queries == 2
    assert figures.rate("tsr").runs == 3


def test_times_are_given_by_stage() -> None:
    quick = line(lists("clinic_a", "clinic_c"))
    slow = line(kind="refuse", elapsed_ms={"plan": 3.0, "verify_reply": 1.0, "turn": 5.0})
    latencies = figures_of([TASK], [quick, slow]).latencies
    assert (latencies["plan"].p50_ms, latencies["plan"].p95_ms, latencies["plan"].max_ms) == (1.0, 3.0, 3.0)
    assert (latencies["route"].turns, latencies["route"].max_ms) == (1, 4.0)  # two clinics at once: the slower one
    assert latencies["verify"].max_ms == 1.5
    assert latencies["respond"].max_ms == pytest.approx(10 - 1 - 4 - 1.5)
    assert latencies["turn"].turns == 2


def test_steps_for_one_clinic_follow_one_another() -> None:
    assert figures_of([TASK], [line(lists("clinic_a", "clinic_a"))]).latencies["route"].max_ms == 6.0


def test_steps_that_went_to_the_wrong_clinic_are_a_share_of_all_steps() -> None:
    figures = figures_of([replace(MULTI, misrouted=1), TASK, RESTRAINT], [])
    assert figures.rate("misroute") == Rate(1, 3)
