"""What is loaded behind the prompt: once, and handed over whole, fault or not."""

import threading

import pytest

from orchestrator.console.turn_runner import preload


def test_it_is_made_once_however_often_it_is_asked_for() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return 7

    with preload(make) as value:
        assert [value().result(), value().result()] == [7, 7]
    assert made == [1]


def test_it_is_not_made_when_nobody_asks() -> None:
    with preload(lambda: pytest.fail("made")):
        pass


def test_beginning_does_not_wait() -> None:
    gate = threading.Event()
    with preload(lambda: gate.wait(30)) as value:
        begun = value()
        gate.set()
        assert begun.result()


def test_a_fault_is_raised_where_it_is_needed() -> None:
    def broken() -> int:
        raise LookupError("gone")

    with preload(broken) as value:
        value()
        with pytest.raises(LookupError, match="gone"):
            value().result()
