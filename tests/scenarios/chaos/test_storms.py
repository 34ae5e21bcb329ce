"""Storms: whatever befalls the clinics, nothing is written twice or unasked, and nobody learns of anybody else."""

from __future__ import annotations

import pytest

from orchestrator.turn.reply import Card, Part, TurnOutcome
from tests.scenarios.chaos.judge import Judge
from tests.scenarios.chaos.stage import Stage
from tests.scenarios.chaos.storm import storm
from tests.support.form import tries

SEEDS, TURNS = tries(200), 8
"""Storms, and turns in each; a storm is repeated by its seed."""

_AT_ONCE = 5


def play(stage: Stage, seed: int) -> list[str]:
    """Play one storm and return what was wrong with it."""
    judge = Judge(stage)
    for person, reply in storm(stage, seed, TURNS):
        judge.hear(person, reply)
    faults = [*judge.verdict()]
    stage.set_back()
    return [f"seed {seed}: {fault}" for fault in dict.fromkeys(faults)]


@pytest.mark.long(but=1)
@pytest.mark.parametrize("first", range(0, SEEDS, _AT_ONCE))
def test_whatever_befalls_nothing_is_written_twice_and_nobody_learns_of_anybody_else(stage: Stage, first: int) -> None:
    assert [fault for seed in range(first, first + _AT_ONCE) for fault in play(stage, seed)] == []


@pytest.mark.long
def test_storms_are_storms(stage: Stage) -> None:
    outcomes: set[TurnOutcome] = set()
    receipts = in_doubt = 0
    for seed in range(20):
        for person, reply in storm(stage, seed, TURNS):
            outcomes.add(reply.outcome)
            receipts += any(isinstance(block, Card) and block.part is Part.RECEIPT for block in reply.blocks)
            in_doubt += bool(person.in_doubt)
        stage.set_back()
    assert outcomes == {*TurnOutcome} - {TurnOutcome.CANCELLED}
    assert receipts > 15
    assert in_doubt > 5
