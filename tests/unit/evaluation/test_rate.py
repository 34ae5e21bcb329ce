import pytest

from orchestrator.evaluation.figures import Rate


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_the_interval_is_wilsons(hits: int, trials: int, low: float, high: float) -> None:
    interval = Rate(hits, trials).interval
    assert interval is not None
    assert interval[0] == pytest.approx(low, abs=5e-5)
    assert interval[1] == pytest.approx(high, abs=5e-5)


def test_runs_of_the_same_trials_do_not_narrow_the_interval() -> None:
    assert Rate(40, 50, runs=5).interval == Rate(8, 10).interval
    assert Rate(40, 50, runs=5).value == Rate(8, 10).value


def test_without_a_trial_there_is_neither_a_value_nor_an_interval() -> None:
    assert Rate.of(()).value is None
    assert Rate.of(()).interval is None


def test_outcomes_are_counted() -> None:
    assert Rate.of([True, False, True]) == Rate(2, 3)
