from typing import Any

import pytest

from orchestrator.evaluation.evaluation import Bookings
from orchestrator.evaluation.figures import ModelUse, Rate, figures_of, use_of
from orchestrator.evaluation.judgement import Observation, Planning, Score, SeenTurn, judge
from orchestrator.evaluation.report_tables import markdown_of
from orchestrator.evaluation.turn_log import LoggedTurn
from orchestrator.turn.reply import Rule
from tests.unit.evaluation.lines import BOOK, REGISTRY, line, listing, lists, query
from tests.unit.evaluation.test_report import OCCASION

BOTH = query(listing("clinic_a", "clinic_c"))


def call(**fields: Any) -> dict[str, Any]:
    return {
        "purpose": "plan",
        "prompt_tokens": 900,
        "completion_tokens": 50,
        "cost_usd": None,
        "failure": None,
        "elapsed_ms": 700.0,
        **fields,
    }


def score(logged: LoggedTurn) -> Score:
    return judge(Observation(BOTH, 1, "s", (SeenTurn("", frozenset()),), Bookings()), [logged], REGISTRY)


def test_a_model_that_forgets_a_clinic_is_measured_before_rule_10_completes_its_plan() -> None:
    judged = score(line(lists("clinic_a", "clinic_c"), proposed=lists("clinic_a")))
    assert judged.planned.multi_clinic is True
    assert (judged.proposed, judged.used) == (Planning(plans=1, steps=1, valid=1, multi_clinic=False), 1)


def test_tools_and_clinics_that_a_model_invented_are_not_valid_and_an_answer_that_is_no_plan_counts_as_a_step() -> None:
    invented = [("clinic_z", BOOK, {}), ("clinic_a", "diagnose", {}), ("", "raw_response", {"characters": "12"})]
    judged = score(line(lists("clinic_a", "clinic_c"), proposed=invented, used=False))
    assert (judged.proposed.plans, judged.used, judged.proposed.steps, judged.proposed.valid) == (1, 0, 3, 0)


def test_turns_for_which_no_model_answered_are_not_counted() -> None:
    assert score(line(lists("clinic_a", "clinic_c"))).proposed == Planning()


def test_the_figures_of_the_model_stand_beside_those_of_the_system() -> None:
    turns = [
        line(lists("clinic_a", "clinic_c"), proposed=lists("clinic_a"), model_calls=[call()]),
        line(lists("clinic_a", "clinic_c"), proposed=lists("clinic_a", "clinic_c", "clinic_z"), used=False),
    ]
    figures = figures_of([score(turn) for turn in turns], turns)
    assert (figures.rate("mcra"), figures.rate("model_mcra")) == (Rate(2, 2), Rate(1, 2))
    assert (figures.rate("tca"), figures.rate("model_tca")) == (Rate(4, 4), Rate(3, 4))
    assert figures.rate("model_used") == Rate(1, 2)


def test_a_planner_without_a_model_has_no_such_figures() -> None:
    figures = figures_of([score(line(lists("clinic_a", "clinic_c")))], [])
    assert figures.model == ()
    assert figures.model_use == ModelUse()


def test_calls_tokens_and_costs_add_up_and_what_was_not_counted_adds_nothing() -> None:
    calls = [
        call(cost_usd=0.002),
        call(purpose="audit", cost_usd=0.001, prompt_tokens=100),
        call(failure="timed_out", prompt_tokens=None, completion_tokens=None),
    ]
    use = use_of(line(model_calls=calls).model_calls)
    assert (use.calls, use.failures, use.prompt_tokens, use.completion_tokens) == (3, {"timed_out": 1}, 1000, 100)
    assert use.cost_usd == pytest.approx(0.003)


def test_a_draft_that_was_replaced_is_counted_as_caught_and_is_no_failure_of_the_task() -> None:
    judged = score(line(lists("clinic_a", "clinic_c"), draft_rule="R1"))
    assert judged.broken_rules == {Rule.R1}
    assert judged.task_success
    assert judged.success


def test_the_report_tells_the_models_figures_and_what_it_consumed() -> None:
    turn = line(lists("clinic_a", "clinic_c"), proposed=lists("clinic_a"), model_calls=[call(cost_usd=0.0123)])
    scores = (score(turn),)
    text = markdown_of(figures_of(scores, [turn]), OCCASION)
    assert "| MCRA of the model alone | 0.0 % |" in text
    assert "900 read, 50 written; cost: US$ 0.0123" in text
