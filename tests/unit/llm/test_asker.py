"""The line of one turn to a model: every call is told, and a model that fails is left alone."""

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from orchestrator.journal.events import (
    Event,
    EventChannel,
    ModelAnswered,
    ModelAsked,
    ModelFailure,
    ModelSuspended,
    Purpose,
    Usage,
)
from orchestrator.llm.language_model import CircuitBreaker, Completion, ModelError, ModelRequest, TurnAsker
from orchestrator.turn.routing import TurnScope

REQUEST = ModelRequest(Purpose.PLAN, "", "plan this")
DOWN = ModelError(ModelFailure.UNREACHABLE, "not there", usage=Usage(3), retries=2)


class ScriptedModel:
    """A model that answers as told and keeps what it was asked."""

    name = "gpt-x"

    def __init__(self, *outcomes: Completion | BaseException) -> None:
        self.outcomes = list(outcomes)
        self.asked: list[tuple[ModelRequest, threading.Event]] = []

    def complete(self, request: ModelRequest, cancel: threading.Event) -> Completion:
        self.asked.append((request, cancel))
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


class FakeClock:
    """A monotonic clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Turn:
    """A turn with a model: its line and what is told of it."""

    def __init__(self, *outcomes: Completion | BaseException) -> None:
        self.model = ScriptedModel(*outcomes)
        self.clock = FakeClock()
        self.circuit = CircuitBreaker(self.clock)
        self.scope = TurnScope()
        self._events: list[Event] = []
        self.line = TurnAsker(self.model, self.circuit, EventChannel([self._events.append]), self.scope)

    @property
    def events(self) -> Sequence[Event]:
        """What was told, without times."""
        return [replace(event, elapsed_s=0.0) if isinstance(event, ModelAnswered) else event for event in self._events]


def answered(failure: ModelFailure | None, usage: Usage | None = None, retries: int = 0) -> ModelAnswered:
    return ModelAnswered(Purpose.PLAN, "gpt-x", usage or Usage(), retries, failure, 0.0)


def test_an_answer_is_returned_and_told() -> None:
    turn = Turn(Completion("a plan", Usage(5, 6, 0.1), retries=1))
    assert turn.line.ask(REQUEST) == "a plan"
    assert turn.model.asked == [(REQUEST, turn.scope.cancel)]
    assert turn.events == [ModelAsked(Purpose.PLAN), answered(None, Usage(5, 6, 0.1), 1)]


def test_a_failure_is_raised_and_told_and_suspends_the_model() -> None:
    turn = Turn(DOWN)
    with pytest.raises(ModelError) as error:
        turn.line.ask(REQUEST)
    assert error.value is DOWN
    assert turn.events == [
        ModelAsked(Purpose.PLAN),
        answered(ModelFailure.UNREACHABLE, Usage(3), 2),
        ModelSuspended(ModelFailure.UNREACHABLE, 30.0),
    ]


def test_a_suspended_model_is_not_asked_and_the_log_is_told_why() -> None:
    turn = Turn(DOWN)
    for expected in (ModelFailure.UNREACHABLE, ModelFailure.SUSPENDED, ModelFailure.SUSPENDED):
        with pytest.raises(ModelError) as error:
            turn.line.ask(REQUEST)
        assert error.value.failure is expected
    assert len(turn.model.asked) == 1
    assert turn.events[3:] == [answered(ModelFailure.SUSPENDED)] * 2


def test_a_model_that_comes_back_is_asked_again() -> None:
    turn = Turn(DOWN, Completion("a plan"))
    with pytest.raises(ModelError):
        turn.line.ask(REQUEST)
    turn.clock.now += 30.0
    assert turn.line.ask(REQUEST) == "a plan"


def test_a_bad_answer_suspends_nothing() -> None:
    turn = Turn(ModelError(ModelFailure.CUT, "cut"), Completion("a plan"))
    with pytest.raises(ModelError):
        turn.line.ask(REQUEST)
    assert turn.line.ask(REQUEST) == "a plan"
    assert not any(isinstance(event, ModelSuspended) for event in turn.events)


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), RuntimeError("a fault of ours")])
def test_a_trial_that_ends_in_a_fault_of_ours_does_not_keep_the_model_suspended(fault: BaseException) -> None:
    turn = Turn(DOWN, fault, Completion("a plan"))
    with pytest.raises(ModelError):
        turn.line.ask(REQUEST)
    turn.clock.now += 30.0
    with pytest.raises(type(fault)):
        turn.line.ask(REQUEST)
    assert turn.line.ask(REQUEST) == "a plan"


def test_turns_share_what_is_known_of_the_model() -> None:
    turn = Turn(DOWN)
    with pytest.raises(ModelError):
        turn.line.ask(REQUEST)
    other = TurnAsker(turn.model, turn.circuit, EventChannel(), TurnScope())
    with pytest.raises(ModelError) as error:
        other.ask(REQUEST)
    assert error.value.failure is ModelFailure.SUSPENDED
