"""The benchmarks' arithmetic: turns, ratios and goals."""

from __future__ import annotations

import threading

import pytest

from bench.measure import Figure, calls_per_s, interleaved
from bench.report import Goal, Section


def test_contenders_take_turns_and_the_first_round_only_warms_up() -> None:
    order: list[str] = []
    values = {"a": iter([100.0, 1.0, 2.0]), "b": iter([100.0, 10.0, 20.0])}

    def contender(name: str) -> float:
        order.append(name)
        return next(values[name])

    figures = interleaved({"a": lambda: contender("a"), "b": lambda: contender("b")}, 2, "ms")
    assert order == ["a", "b", "a", "b", "a", "b"]
    assert figures["a"].rounds == (1.0, 2.0)
    assert figures["b"].rounds == (10.0, 20.0)


def test_a_ratio_is_formed_round_by_round() -> None:
    ratio = Figure("a", "ms", (1.0, 100.0, 3.0)).over(Figure("b", "ms", (1.0, 50.0, 1.0)))
    assert ratio.rounds == (1.0, 2.0, 3.0)
    assert ratio.median == 2.0


@pytest.mark.parametrize(
    ("value", "limit", "at_least", "is_met"),
    [(1.15, 1.15, False, True), (1.1501, 1.15, False, False), (2.3, 2.3, True, True), (2.2999, 2.3, True, False)],
)
def test_a_goal_is_compared_unrounded(value: float, limit: float, at_least: bool, is_met: bool) -> None:
    goal = Goal(Figure("x", "", (value,)), limit, at_least=at_least)
    assert goal.is_met is is_met
    assert ("MISSED" in Section("work", goals=[goal]).text()) is not is_met


def test_every_numbered_call_is_made_once_by_callers_that_overlap() -> None:
    together = threading.Barrier(4)
    made: list[int] = []

    def call(number: int) -> None:
        together.wait(30)
        made.append(number)

    assert calls_per_s(call, range(8), callers=4) > 0
    assert sorted(made) == list(range(8))
