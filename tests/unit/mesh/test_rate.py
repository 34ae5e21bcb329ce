"""Token buckets: bursts, refilling, waiting, and a bound on how many callers are remembered."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from mesh.limits import TokenBucket


@dataclass
class _Time:
    seconds: float = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_burst_is_granted_and_the_next_one_told_how_long_to_wait() -> None:
    bucket = TokenBucket(3, 0.5, _Time())
    assert [bucket.take("a") for _ in range(4)] == [None, None, None, pytest.approx(2.0)]


def test_being_refused_takes_nothing() -> None:
    now = _Time()
    bucket = TokenBucket(1, 0.5, now)
    bucket.take("a")
    for _ in range(10):
        assert bucket.take("a") == pytest.approx(2.0)
    now.seconds += 2.0
    assert bucket.take("a") is None


def test_who_waits_as_told_is_served() -> None:
    now = _Time()
    bucket = TokenBucket(1, 3.0, now)
    bucket.take("a")
    wait = bucket.take("a")
    assert wait is not None
    now.seconds += wait + 1e-9
    assert bucket.take("a") is None


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    now = _Time()
    bucket = TokenBucket(2, 10.0, now)
    bucket.take("a")
    now.seconds += 3600
    assert [bucket.take("a") for _ in range(3)] == [None, None, pytest.approx(0.1)]


def test_one_caller_does_not_use_up_what_is_anothers() -> None:
    bucket = TokenBucket(1, 1.0, _Time())
    bucket.take("a")
    assert bucket.take("b") is None
    assert bucket.take("a") is not None


def test_a_clock_that_steps_back_costs_nobody_a_token() -> None:
    now = _Time()
    bucket = TokenBucket(2, 1.0, now)
    bucket.take("a")
    now.seconds -= 50
    assert bucket.take("a") is None


def test_of_too_many_callers_the_least_recent_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mesh.limits.MOST_KEYS", 2)
    bucket = TokenBucket(1, 0.001, _Time())
    assert [bucket.take(key) for key in ("a", "b")] == [None, None]
    assert bucket.take("a") is not None  # heard of again, so that b is now the least recent
    assert bucket.take("c") is None
    assert bucket.take("a") is not None
    assert bucket.take("b") is None


def test_threads_together_get_no_more_than_the_burst() -> None:
    threads, each = 8, 50
    bucket = TokenBucket(100, 0.001, _Time())
    barrier = threading.Barrier(threads)

    def drain() -> int:
        barrier.wait(timeout=30)
        return sum(bucket.take("a") is None for _ in range(each))

    with ThreadPoolExecutor(threads) as pool:
        granted = sum(future.result(timeout=30) for future in [pool.submit(drain) for _ in range(threads)])
    assert granted == 100


@pytest.mark.parametrize(("burst", "per_s"), [(0, 1.0), (1, 0.0), (1, float("nan"))])
def test_a_bucket_that_could_never_serve_is_refused(burst: int, per_s: float) -> None:
    with pytest.raises(ValueError, match="at least one"):
        TokenBucket(burst, per_s)
