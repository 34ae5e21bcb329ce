"""The circuit: after a failure that the next call would meet too, the model is left alone for a while."""

import threading

import pytest

from orchestrator.journal.events import ModelFailure
from orchestrator.llm.language_model import PAUSE_S, CircuitBreaker, ModelError

UNUSABLE = [
    ModelFailure.UNREACHABLE,
    ModelFailure.TIMED_OUT,
    ModelFailure.RATE_LIMITED,
    ModelFailure.SERVER_ERROR,
    ModelFailure.REJECTED,
]


class FakeClock:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def circuit(clock: FakeClock) -> CircuitBreaker:
    return CircuitBreaker(clock)


def failure(kind: ModelFailure = ModelFailure.UNREACHABLE, retry_after_s: float | None = None) -> ModelError:
    return ModelError(kind, "it failed", retry_after_s=retry_after_s)


def test_a_model_that_answers_is_asked_again(circuit: CircuitBreaker) -> None:
    assert circuit.admits()
    circuit.succeeded()
    assert circuit.admits()


@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_model_that_cannot_be_used_is_left_alone_for_half_a_minute(
    circuit: CircuitBreaker, clock: FakeClock, kind: ModelFailure
) -> None:
    assert circuit.admits()
    assert circuit.failed(failure(kind)) == PAUSE_S
    clock.now += PAUSE_S - 0.001
    assert not circuit.admits()
    clock.now += 0.001
    assert circuit.admits()


@pytest.mark.parametrize("kind", [ModelFailure.REFUSED, ModelFailure.CUT, ModelFailure.CANCELLED])
def test_a_failure_of_one_answer_says_nothing_of_the_next(circuit: CircuitBreaker, kind: ModelFailure) -> None:
    assert circuit.admits()
    assert circuit.failed(failure(kind)) is None
    assert circuit.admits()


@pytest.mark.parametrize(("wanted_s", "given_s"), [(90.0, 90.0), (2.0, 2.0), (0.0, 1.0), (86_400.0, 600.0)])
def test_the_server_says_for_how_long_within_reason(
    circuit: CircuitBreaker, clock: FakeClock, wanted_s: float, given_s: float
) -> None:
    assert circuit.failed(failure(ModelFailure.RATE_LIMITED, wanted_s)) == given_s
    clock.now += given_s - 0.001
    assert not circuit.admits()
    clock.now += 0.001
    assert circuit.admits()


def test_one_call_finds_out_and_the_others_wait_for_it(circuit: CircuitBreaker, clock: FakeClock) -> None:
    circuit.failed(failure())
    clock.now += PAUSE_S
    assert circuit.admits()
    assert not circuit.admits()
    circuit.succeeded()
    assert circuit.admits()
    assert circuit.admits()


def test_a_trial_that_fails_opens_it_again(circuit: CircuitBreaker, clock: FakeClock) -> None:
    circuit.failed(failure())
    clock.now += PAUSE_S
    assert circuit.admits()
    assert circuit.failed(failure()) == PAUSE_S
    assert not circuit.admits()


def test_a_trial_that_was_stopped_leaves_it_to_the_next(circuit: CircuitBreaker, clock: FakeClock) -> None:
    circuit.failed(failure())
    clock.now += PAUSE_S
    assert circuit.admits()
    assert circuit.failed(failure(ModelFailure.CANCELLED)) is None
    assert circuit.admits()


@pytest.mark.parametrize("kind", [ModelFailure.REFUSED, ModelFailure.CUT])
def test_a_trial_that_is_answered_badly_is_answered(
    circuit: CircuitBreaker, clock: FakeClock, kind: ModelFailure
) -> None:
    circuit.failed(failure())
    clock.now += PAUSE_S
    assert circuit.admits()
    circuit.failed(failure(kind))
    assert circuit.admits()
    assert circuit.admits()


def test_calls_that_fail_together_open_it_once(circuit: CircuitBreaker) -> None:
    assert circuit.admits()
    assert circuit.admits()
    assert circuit.failed(failure()) == PAUSE_S
    assert circuit.failed(failure()) is None


def test_a_later_failure_does_not_shorten_what_the_server_asked_for(circuit: CircuitBreaker, clock: FakeClock) -> None:
    circuit.failed(failure(ModelFailure.RATE_LIMITED, 90.0))
    circuit.failed(failure())
    clock.now += 89.0
    assert not circuit.admits()


def test_of_many_threads_one_is_let_through(circuit: CircuitBreaker, clock: FakeClock) -> None:
    circuit.failed(failure())
    clock.now += PAUSE_S
    together = threading.Barrier(8)
    let_through: list[bool] = []

    def call() -> None:
        together.wait(30)
        let_through.append(circuit.admits())

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(let_through) == [False] * 7 + [True]
