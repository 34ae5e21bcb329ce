"""A caller waits for as long as its deadline says."""

import time

from mesh.caller import Caller


def test_the_time_that_remains_shrinks_towards_the_deadline() -> None:
    caller = Caller("trace", deadline=time.monotonic() + 3600)
    first = caller.remaining_s
    assert 0 < caller.remaining_s <= first <= 3600


def test_no_time_remains_after_the_deadline_and_never_less_than_none() -> None:
    assert Caller("trace", deadline=time.monotonic() - 1).remaining_s == 0.0
