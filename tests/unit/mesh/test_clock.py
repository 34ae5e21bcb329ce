from __future__ import annotations

from datetime import UTC, datetime

from mesh.clock import steady_clock


def test_setting_the_machines_clock_does_not_move_a_steady_one() -> None:
    started = datetime(2025, 7, 15, 8, 0, tzinfo=UTC).timestamp()
    walls = iter((started, started + 1e9, started - 1e9))
    passed = iter((100.0, 101.0, 160.0))
    clock = steady_clock(lambda: next(walls), lambda: next(passed))
    assert clock() == datetime(2025, 7, 15, 8, 0, 1, tzinfo=UTC)
    assert clock() == datetime(2025, 7, 15, 8, 1, tzinfo=UTC)
