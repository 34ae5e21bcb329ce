"""The pulse notices in the background that a clinic went away and came back."""

import threading
from pathlib import Path

import pytest

from mesh.channel import open_channel
from orchestrator.fleet.clinic_probe import Member
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.fleet_status import HealthWatch
from orchestrator.fleet.process import Calendar
from tests.support.tokens import any_protection

JULY = Calendar("blueprint", "2025-07-15T08:00-03:00", "2025-07-15")


@pytest.mark.long
def test_a_clinic_that_goes_and_comes_back_is_noticed(fleet: Fleet, members: list[Member], tmp_path: Path) -> None:
    fleet.launch()
    up = fleet.await_health()
    assert up == {"clinic_a", "clinic_b"}
    changed = threading.Event()
    channels = {member.id: open_channel(member.address, ()) for member in members}
    with HealthWatch(lambda: channels, up, interval_s=0.05) as pulse:
        pulse.on_change = changed.set
        fleet.stop()
        while pulse.up:
            assert changed.wait(20)
            changed.clear()
        again = Fleet(members, JULY, tmp_path / "logs", any_protection())
        again.launch()
        try:
            again.await_health()
            while pulse.up != up:
                assert changed.wait(20)
                changed.clear()
        finally:
            again.stop()
    for channel in channels.values():
        channel.close()
