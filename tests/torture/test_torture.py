"""The short form of `make torture`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture import faults, killing, race, silo
from tests.torture.writer import BrokenPromiseError, Writer

SEED = "short"


def test_nothing_acknowledged_is_lost_however_often_the_clinic_is_killed(tmp_path: Path) -> None:
    toll = killing.torture(tmp_path / "silo", SEED, kills=8)
    assert toll.kills == 8
    assert toll.acknowledged > 8
    assert toll.repeated > 0


def test_a_disk_that_fails_at_random_never_has_a_write_confirmed_that_it_does_not_hold(tmp_path: Path) -> None:
    toll = faults.torture(tmp_path / "silo", SEED, writes=60)
    assert toll.kills > 10
    assert toll.acknowledged > 10


def test_of_processes_that_want_one_slot_at_one_moment_one_gets_it(tmp_path: Path) -> None:
    race.race(tmp_path / "silo", processes=12)


def test_the_torture_notices_a_lost_write_and_one_that_nobody_made(tmp_path: Path) -> None:
    slots = silo.prepare(tmp_path / "silo")
    writer = Writer(1, slots, SEED)
    silo.check(tmp_path / "silo", [writer])
    writer.held = frozenset(slots[:1])
    with pytest.raises(BrokenPromiseError, match="1 acknowledged missing"):
        silo.check(tmp_path / "silo", [writer])
    with pytest.raises(BrokenPromiseError, match="never acknowledged"):
        Writer(2, slots, SEED).compare(frozenset(slots[:1]))
