"""The short form of `make torture`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.postgres import PostgresMissingError
from tests.torture import damage, faults, full, killing, load, race, silo
from tests.torture.writer import BrokenPromiseError, Writer

SEED = "short"


@pytest.mark.long
def test_nothing_acknowledged_is_lost_however_often_the_clinic_is_killed(tmp_path: Path) -> None:
    toll = killing.torture(tmp_path / "silo", SEED, kills=8)
    assert toll.kills == 8
    assert toll.acknowledged > 8
    assert toll.repeated > 0


@pytest.mark.long
def test_nothing_is_lost_on_postgresql_however_often_the_clinic_is_killed(tmp_path: Path, postgres_server: str) -> None:
    toll = killing.torture(tmp_path / "silo", SEED, kills=5, url=postgres_server)
    assert toll.acknowledged > 5
    assert toll.repeated > 0


@pytest.mark.long
def test_nothing_is_lost_on_postgresql_however_often_its_connections_are_cut(
    tmp_path: Path, postgres_server: str
) -> None:
    from tests.torture import cuts  # noqa: PLC0415 - needs psycopg, an extra

    toll = cuts.torture(tmp_path / "silo", SEED, 5, postgres_server)
    assert toll.kills >= 5
    assert toll.unknown > 0
    assert toll.acknowledged > 5


@pytest.mark.long
@pytest.mark.parametrize("outage", ["restarts", "failovers", "full_disks"])
def test_nothing_is_lost_when_the_server_restarts_fails_over_to_its_synchronous_standby_or_has_no_room(
    tmp_path: Path, outage: str
) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra postgres)")
    from tests.torture import outages  # noqa: PLC0415 - needs psycopg, an extra

    try:
        toll = getattr(outages, outage)(tmp_path / "silo", SEED, rounds=2)
    except PostgresMissingError as error:
        pytest.skip(str(error))
    assert toll.acknowledged > 100


def test_a_disk_that_fails_at_random_never_has_a_write_confirmed_that_it_does_not_hold(tmp_path: Path) -> None:
    toll = faults.torture(tmp_path / "silo", SEED, writes=60)
    assert toll.kills > 10
    assert toll.acknowledged > 10


@pytest.mark.long
def test_a_disk_that_is_really_full_refuses_writes_serves_reads_and_takes_writes_again(tmp_path: Path) -> None:
    assert full.torture(tmp_path / "silo", SEED, rounds=5, fill=full.limited) >= 5


@pytest.mark.long
def test_a_full_file_system_refuses_writes_serves_reads_and_takes_writes_again(tmp_path: Path) -> None:
    with full.small_file_system(tmp_path) as may:
        if not may:
            pytest.skip("this process may not mount a file system")
        assert full.torture(tmp_path / "silo", SEED, rounds=5, fill=full.filled) >= 5
        full.restart_while_full(tmp_path / "another", SEED)


@pytest.mark.long
def test_a_file_that_is_cut_off_is_never_read_in_part_and_whole_after_the_next_write(tmp_path: Path) -> None:
    damage.torture(tmp_path / "silo", SEED, rounds=2)


@pytest.mark.long
def test_a_clinic_under_load_is_restarted_and_killed_and_loses_nothing(tmp_path: Path) -> None:
    report = load.load(tmp_path, SEED, seconds=4, callers=24)
    assert report.acknowledged > 24
    assert report.repeated > 0
    assert report.reads_ms


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
