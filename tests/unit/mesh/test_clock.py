from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mesh.clock import clock_at, steady_clock


def test_setting_the_machines_clock_does_not_move_a_steady_one() -> None:
    started = datetime(2025, 7, 15, 8, 0, tzinfo=UTC).timestamp()
    walls = iter((started, started + 1e9, started - 1e9))
    passed = iter((100.0, 101.0, 160.0))
    clock = steady_clock(lambda: next(walls), lambda: next(passed))
    assert clock() == datetime(2025, 7, 15, 8, 0, 1, tzinfo=UTC)
    assert clock() == datetime(2025, 7, 15, 8, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "instant",
    [
        *("0001-01-01T00:00+14:00", "0001-01-01T00:00-03:00", "1999-12-31T23:59-03:00", "2000-01-01T00:00Z"),
        *("2200-01-01T00:00-03:00", "2199-12-31T23:59-12:00", "9999-12-31T23:59-03:00", "9999-12-31T23:59-14:00"),
    ],
)
def test_an_instant_at_the_edges_of_the_calendar_is_refused(instant: str) -> None:
    with pytest.raises(ValueError, match="the year must be from 2000 to 2199"):
        clock_at(instant)


@pytest.mark.parametrize("instant", ["2000-01-01T00:00-03:00", "2025-07-15T08:00-03:00", "2199-12-31T23:59-03:00"])
def test_an_instant_of_a_usual_year_is_where_the_clock_stands(instant: str) -> None:
    assert clock_at(instant)() == datetime.fromisoformat(instant)
