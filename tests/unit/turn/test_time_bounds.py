"""A span of hours that begins after a time, or ends before one, names that time."""

from __future__ import annotations

from datetime import time

import pytest

from orchestrator.turn.opening_filter import AtTimes, TimeRange
from orchestrator.turn.wish import begins_after, ends_before, times_named


@pytest.mark.parametrize(
    ("first", "last", "after", "before"),
    [
        (time(15, 1), time(23, 59), time(15), None),
        (time(8, 31), time(17, 59), time(8, 30), time(18)),
        (time(0), time(9, 29), None, time(9, 30)),
        (time(9), time(18), None, None),
    ],
)
def test_what_a_span_is_after_or_before_is_named(
    first: time, last: time, after: time | None, before: time | None
) -> None:
    span = TimeRange(first, last)
    assert (begins_after(span), ends_before(span)) == (after, before)
    assert times_named(AtTimes((span,))) == {first, last, after, before} - {None}
