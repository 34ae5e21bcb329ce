"""The threads that serve calls: as many as calls at once, used again, and gone when the server is."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from mesh.workers import Call, Workers

PATIENCE_S = 10.0


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def finished(call: Call) -> threading.Event:
    """Return an event that is set when a call was served."""
    event = threading.Event()
    call.add_done_callback(lambda _: event.set())
    return event


def test_a_call_is_served_with_its_arguments(workers: Workers) -> None:
    served: list[tuple[int, str]] = []
    assert finished(workers.submit(lambda *given: served.append(given), 7, "a")).wait(PATIENCE_S)
    assert served == [(7, "a")]


def test_calls_do_not_wait_for_each_other(workers: Workers) -> None:
    together = threading.Barrier(8, timeout=PATIENCE_S)
    calls = [finished(workers.submit(together.wait)) for _ in range(8)]
    assert all(call.wait(PATIENCE_S) for call in calls)
    assert not together.broken


def test_one_call_after_another_is_served_by_one_thread(workers: Workers) -> None:
    threads: set[threading.Thread] = set()
    for _ in range(50):
        assert finished(workers.submit(lambda: threads.add(threading.current_thread()))).wait(PATIENCE_S)
    assert 1 <= len(threads) <= 2  # the next may come before a thread that has just served is idle again


def test_who_asks_late_is_told_at_once_and_nobody_is_told_twice(workers: Workers) -> None:
    call = workers.submit(int)
    assert finished(call).wait(PATIENCE_S)
    told: list[Call] = []
    call.add_done_callback(told.append)
    assert told == [call]


def test_a_call_that_fails_was_served(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: failed.set())
    assert finished(workers.submit(lambda: 1 / 0)).wait(PATIENCE_S)
    assert failed.wait(PATIENCE_S)
    assert finished(workers.submit(int)).wait(PATIENCE_S)


def test_closing_ends_the_idle_threads_at_once_and_the_others_after_their_call() -> None:
    workers, begun, gate = Workers(), threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def busy() -> None:
        threads.append(threading.current_thread())
        begun.set()
        gate.wait(PATIENCE_S)

    def idle() -> None:
        threads.append(threading.current_thread())

    ended = [finished(workers.submit(serve)) for serve in (busy, idle)]
    assert ended[1].wait(PATIENCE_S)
    assert begun.wait(PATIENCE_S)
    workers.close()
    gate.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert not any(thread.is_alive() for thread in threads)
