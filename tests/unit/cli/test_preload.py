"""What is loaded behind the prompt: once, and handed over whole, fault or not."""

import threading

import pytest

from orchestrator.cli.preload import Preload


def test_it_is_made_once_however_often_it_is_begun_and_taken() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return 7

    with Preload(make) as preload:
        preload.start()
        preload.start()
        assert [preload.get(), preload.get()] == [7, 7]
    assert made == [1]


def test_it_is_not_made_when_nobody_asks() -> None:
    with Preload(lambda: pytest.fail("made")):
        pass


def test_beginning_does_not_wait() -> None:
    gate = threading.Event()
    with Preload(lambda: gate.wait(10)) as preload:
        preload.start()
        gate.set()
        assert preload.get()


def test_a_fault_is_raised_where_it_is_needed() -> None:
    def broken() -> int:
        raise LookupError("gone")

    with Preload(broken) as preload:
        preload.start()
        with pytest.raises(LookupError, match="gone"):
            preload.get()
