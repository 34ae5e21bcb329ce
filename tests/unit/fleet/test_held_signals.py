"""Signals wait until what was begun is on a list, and are obeyed then."""

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

from orchestrator.fleet.process import held_signals

Signals = list[int]


@pytest.fixture
def heard() -> Iterator[Signals]:
    """What the program's own handler of SIGTERM has heard."""
    heard: Signals = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(number)

    before = signal.signal(signal.SIGTERM, hear)
    yield heard
    signal.signal(signal.SIGTERM, before)


def test_a_signal_comes_after_the_block(heard: Signals) -> None:
    with held_signals():
        signal.raise_signal(signal.SIGTERM)
        assert heard == []
    assert heard == [signal.SIGTERM]


def test_ctrl_c_interrupts_after_the_block() -> None:
    done = []

    def begin_and_list() -> None:
        with held_signals():
            signal.raise_signal(signal.SIGINT)
            done.append("listed")

    with pytest.raises(KeyboardInterrupt):
        begin_and_list()
    assert done == ["listed"]
