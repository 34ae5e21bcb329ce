"""The scoring of development data: what counts as right, strictly expected and forbidden."""

from __future__ import annotations

from datetime import datetime

from bench.eval_dev import Row, Score, is_right, score_plan
from orchestrator.planner.calendar.moment_parser import read_moments
from orchestrator.planner.calendar.moments import Moment
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.turn.identity import Language


def step(clinic: str, action: str, **parameters: str) -> Row:
    return {"clinic": clinic, "action": action, "parameters": parameters}


def plan(*steps: Row, kind: str = "steps") -> Row:
    return {"kind": kind, "steps": steps}


ROW: Row = {
    "expected": plan(step("clinic_a", "book", date="2025-07-21"), step("clinic_c", "list")),
    "accept": [{"kind": "clarify"}],
    "forbid_actions": ["cancel"],
}


def test_steps_are_a_set_and_only_listed_parameters_matter() -> None:
    other_order = plan(step("clinic_c", "list", doctor="x"), step("clinic_a", "book", date="2025-07-21", time="09:00"))
    assert score_plan(ROW, other_order) == Score(right=True, strict=True, forbidden=())


def test_an_accepted_plan_is_right_but_not_strictly_expected() -> None:
    assert score_plan(ROW, plan(kind="clarify")) == Score(right=True, strict=False, forbidden=())


def test_another_value_another_step_and_another_kind_are_wrong() -> None:
    for wrong in (
        plan(step("clinic_a", "book", date="2025-07-22"), step("clinic_c", "list")),
        plan(step("clinic_a", "book", date="2025-07-21")),
        plan(*ROW["expected"]["steps"], step("clinic_b", "list")),
        plan(kind="refuse"),
    ):
        assert not score_plan(ROW, wrong).right


def test_a_forbidden_action_makes_any_plan_wrong() -> None:
    row = {**ROW, "accept": [plan(step("clinic_a", "cancel"))]}
    assert score_plan(row, plan(step("clinic_a", "cancel"))) == Score(right=False, strict=False, forbidden=("cancel",))


def read(text: str) -> tuple[Moment, ...]:
    return read_moments(normalise(text), datetime(2025, 7, 15, 9), Language.EN)  # noqa: DTZ001 - local time


def test_the_likeliest_day_and_time_must_be_expected_or_accepted() -> None:
    found = read("tomorrow at 3 pm")
    assert is_right({"expected_date": "2025-07-16", "expected_time": "15:00"}, found)
    assert is_right({"expected_date": "2025-07-17", "accept_dates": ["2025-07-16"]}, found)
    assert not is_right({"expected_date": "2025-07-16", "expected_time": "03:00"}, found)


def test_where_nothing_is_expected_nothing_may_be_read() -> None:
    assert is_right({"expected_none": True}, read("hello there"))
    assert not is_right({"expected_none": True}, read("tomorrow"))
