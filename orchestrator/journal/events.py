"""What happens during a turn, as it happens; events carry ids, counts, times and redacted text, no identity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from orchestrator.turn import (
    FallbackPolicy,
    MemoryKind,
    MemoryStatus,
    ModelFailure,
    Plan,
    Purpose,
    RoutingDecision,
    StepStatus,
    TaskResult,
    TurnOutcome,
    Usage,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """An utterance is being worked on."""

    session_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan stands; `elapsed_s` is the planner's time."""

    turn_id: str
    plan: Plan
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class MemoryRecalled:
    """What is remembered was looked up for an utterance, before it is planned."""

    turn_id: str
    count: int  # how many memories the planner was given
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class MemoryDone:
    """A memory call ended."""

    turn_id: str
    tool: str
    kind: MemoryKind | None  # what a memory to be saved is about; None for other calls
    status: MemoryStatus
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class ClinicAsked:
    """A step is on its way."""

    turn_id: str
    step_id: int
    clinic: str
    action: str


@dataclass(frozen=True, slots=True)
class ClinicAnswered:
    """A step ended."""

    turn_id: str
    step_id: int
    clinic: str
    action: str
    status: StepStatus
    reason: str | None  # the error's reason; None when done
    items: int | None  # how many slots or patients the answer holds; None for other answers
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class Verified:
    """The verifier spoke."""

    turn_id: str
    subject: str  # "data", "draft" for a text that a model wrote, or "reply"
    verdict: Verdict
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A language model is being asked."""

    turn_id: str
    purpose: Purpose


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """A call of a language model ended."""

    turn_id: str
    purpose: Purpose  # what it was asked for
    model: str
    usage: Usage
    retries: int  # how often the request was sent again
    failure: ModelFailure | None  # why there is no text; None when there is one
    elapsed_s: float  # seconds, waiting between retries included


@dataclass(frozen=True, slots=True)
class ModelSuspended:
    """A language model failed and is left alone for a while; the offline engine takes over."""

    turn_id: str
    failure: ModelFailure
    seconds: float  # for how long at least


@dataclass(frozen=True, slots=True)
class ModelThrottled:
    """A language model was not asked, because the same person has asked it too often: RESOURCE_EXHAUSTED."""

    turn_id: str
    purpose: Purpose  # what it would have been asked for
    retry_after_s: float  # seconds until it may be asked again


@dataclass(frozen=True, slots=True)
class Routed:
    """It stands which agents are called, before any is."""

    turn_id: str
    decision: RoutingDecision


@dataclass(frozen=True, slots=True)
class FellBack:
    """A request that no agent is for was answered; `policy` is what was done, not what the registry would prefer."""

    turn_id: str
    policy: FallbackPolicy


@dataclass(frozen=True, slots=True)
class Gathered:
    """The agents are done; a result for each task."""

    turn_id: str
    results: tuple[TaskResult, ...]


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The reply stands."""

    turn_id: str
    outcome: TurnOutcome
    reply: str  # the plain reply without what is private, redacted
    elapsed_s: float  # seconds of the whole turn


@dataclass(frozen=True, slots=True)
class AgentStarted:
    """An agent of the research desk is at work."""

    turn_id: str
    agent: str


@dataclass(frozen=True, slots=True)
class StateChanged:
    """An agent of the research desk has changed the state."""

    turn_id: str
    agent: str
    fields: tuple[str, ...]  # names of the fields that it wrote; without their values
    stage: str  # the stage that the work is in now


@dataclass(frozen=True, slots=True)
class AgentFinished:
    """An agent of the research desk is done; `elapsed_s` is its time."""

    turn_id: str
    agent: str
    elapsed_s: float


Event = (
    TurnStarted
    | MemoryRecalled
    | Planned
    | ClinicAsked
    | ClinicAnswered
    | ModelAsked
    | ModelAnswered
    | ModelSuspended
    | ModelThrottled
    | Routed
    | FellBack
    | Gathered
    | Verified
    | MemoryDone
    | TurnFinished
    | AgentStarted
    | StateChanged
    | AgentFinished
)

Listener = Callable[[Event], None]


class EventChannel:
    """Hand every event to every listener, in order, in the thread that publishes it."""

    def __init__(self, listeners: Sequence[Listener] = ()) -> None:
        self._listeners = list(listeners)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener and return the function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, event: Event) -> None:
        """Hand `event` to all listeners."""
        for listener in tuple(self._listeners):
            listener(event)
