"""Checking out a commit for a comparison."""

from __future__ import annotations

import pytest

from bench.commits import HERE, checked_out, ratio
from bench.measure import Figure


def test_a_commit_is_checked_out_whole_and_goes_away_again() -> None:
    with checked_out("HEAD") as checkout:
        assert (checkout.tree / "pyproject.toml").is_file()
        assert (checkout.tree / "mesh" / "channel.py").is_file()
    assert not checkout.tree.exists()


def test_a_commit_that_is_not_there_is_said_so() -> None:
    with pytest.raises(RuntimeError, match="no-such-commit"), checked_out("no-such-commit"):
        pass


@pytest.mark.long
def test_a_ratio_is_the_working_trees_over_the_commits_round_by_round() -> None:
    with checked_out("HEAD") as base:
        figures = {HERE.name: Figure("a", "ms", (3.0, 8.0)), base.name: Figure("b", "ms", (2.0, 4.0))}
        assert ratio(figures, base).rounds == (1.5, 2.0)
