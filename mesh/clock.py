"""The time where the clinics are. A fixed clock is for appointments only: tokens, logs and limits use the real one."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/Sao_Paulo")

YEARS = range(2000, 2200)  # in which a fixed now may be; what a clinic lists may be a year later
Clock = Callable[[], datetime]  # return the current instant, aware, in `ZONE`


def system_clock() -> datetime:
    """Return the machine's current instant in `ZONE`."""
    return datetime.now(ZONE)


def steady_clock(
    wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = time.monotonic
) -> Callable[[], datetime]:
    """Return a clock in UTC, for measuring, that setting the machine's clock does not move."""
    began, since = datetime.fromtimestamp(wall(), UTC), elapsed()
    return lambda: began + timedelta(seconds=elapsed() - since)


def clock_at(instant: str | None) -> Clock:
    """Return the system clock, or a clock fixed at an ISO 8601 instant with an offset; ValueError for another text."""
    if instant is None:
        return system_clock
    try:
        now = datetime.fromisoformat(instant)
    except ValueError as error:
        raise ValueError("not an ISO 8601 instant, such as 2025-07-15T08:00-03:00") from error
    if now.year not in YEARS or now.astimezone(ZONE).year not in YEARS:
        raise ValueError(f"the year must be from {YEARS.start} to {YEARS.stop - 1}")
    if now.tzinfo is None:
        raise ValueError("a fixed now needs a UTC offset, such as 2025-07-15T08:00-03:00")
    local = now.astimezone(ZONE)
    return lambda: local
