"""What happens during a turn, as it happens; events carry no identity, and a reply only redacted.

A plan has its words as the stages read them: a listener that writes the arguments of its steps redacts them.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum

from orchestrator import turn


class Purpose(StrEnum):
    """What a model is asked for."""

    PLAN = "plan"
    AUDIT = "audit"
    WRITE = "write"  # what the reply says, once the clinics have answered
    ANSWER = "answer"  # a request that no agent is for
    CHECK = "check"  # whether it answers at all
    STRUCTURE = "structure"  # the elements of a research question
    REVIEW = "review"  # what a research question lacks
    REFLECT = "reflect"  # a question that makes a researcher think


class ModelFailure(StrEnum):
    """Why a model gave no text that can be used."""

    UNREACHABLE = "unreachable"  # no connection, or it broke off
    TIMED_OUT = "timed_out"
    RATE_LIMITED = "rate_limited"  # HTTP 429, retries included
    SERVER_ERROR = "server_error"  # HTTP 5xx, retries included
    REJECTED = "rejected"  # any other HTTP 4xx: credentials, deployment, a request that it does not take
    REFUSED = "refused"  # it declined, or a content filter did
    CUT = "cut"  # the text ended before its end
    SUSPENDED = "suspended"  # not asked: it failed a moment ago
    THROTTLED = "throttled"  # not asked: the same person asked too often
    CANCELLED = "cancelled"  # the person stopped the turn


ANSWERED = frozenset({ModelFailure.REFUSED, ModelFailure.CUT})  # the model answered, but with nothing that can be used


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call consumed, as far as the server says; None where it does not."""

    prompt_tokens: int | None = None  # tokens read
    completion_tokens: int | None = None  # tokens written
    cost_usd: float | None = None  # US dollars, by the prices of the settings; None without prices
    cached_tokens: int | None = None  # of the tokens read, those that the server had in its cache


class Event:
    """What happened."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """An utterance is being worked on."""

    session_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class Planned(Event):
    """The plan stands; `elapsed_s` is the planner's time."""

    plan: turn.Plan
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class MemoryRecalled(Event):
    """What is remembered was looked up for an utterance, before it is planned."""

    count: int  # how many memories the planner was given
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class MemoryDone(Event):
    """A memory call ended."""

    tool: str
    kind: turn.MemoryKind | None  # what a memory to be saved is about; None for other calls
    status: turn.MemoryStatus
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class ClinicAsked(Event):
    """A step is on its way."""

    step_id: int
    clinic: str
    action: str


@dataclass(frozen=True, slots=True)
class ClinicAnswered(Event):
    """A step ended."""

    step_id: int
    clinic: str
    action: str
    status: turn.StepStatus
    reason: str | None  # the error's reason; None when done
    items: int | None  # how many slots or patients the answer holds; None for other answers
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class Verified(Event):
    """The verifier spoke."""

    subject: str  # "data", "draft" for a direct answer that a model wrote, or "reply"
    verdict: turn.Verdict
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class ModelAsked(Event):
    """A language model is being asked."""

    purpose: Purpose


@dataclass(frozen=True, slots=True)
class ModelAnswered(Event):
    """A call of a language model ended."""

    purpose: Purpose  # what it was asked for
    model: str
    usage: Usage
    retries: int  # how often the request was sent again
    failure: ModelFailure | None  # why there is no text; None when there is one
    elapsed_s: float  # seconds, waiting between retries included
    first_token_s: float | None = None  # seconds until the text began; None where it came at once


@dataclass(frozen=True, slots=True)
class ModelSuspended(Event):
    """A language model failed and is left alone for a while; the offline engine takes over."""

    failure: ModelFailure
    seconds: float  # for how long at least


@dataclass(frozen=True, slots=True)
class ModelThrottled(Event):
    """A language model was not asked, because the same person has asked it too often: RESOURCE_EXHAUSTED."""

    purpose: Purpose  # what it would have been asked for
    retry_after_s: float  # seconds until it may be asked again


@dataclass(frozen=True, slots=True)
class Routed(Event):
    """It stands which agents are called, before any is."""

    decision: turn.RoutingDecision


@dataclass(frozen=True, slots=True)
class FellBack(Event):
    """A request that no agent is for was answered; `policy` is what was done, not what the registry would prefer."""

    policy: turn.FallbackPolicy


@dataclass(frozen=True, slots=True)
class Gathered(Event):
    """The agents are done; a result for each task."""

    results: tuple[turn.TaskResult, ...]


@dataclass(frozen=True, slots=True)
class TurnFinished(Event):
    """The reply stands."""

    outcome: turn.TurnOutcome
    reply: str  # the plain reply without what is private, redacted
    elapsed_s: float  # seconds of the whole turn
    wish: str = ""  # the openings that were wanted, in words


@dataclass(frozen=True, slots=True)
class AgentStarted(Event):
    """An agent of the research desk is at work."""

    agent: str


@dataclass(frozen=True, slots=True)
class QuestionJudged(Event):
    """The research desk's turn is over; nothing here is anybody's words."""

    version: int  # of the question; none before the first
    status: str | None  # the methodologist's last verdict; None before the first
    gaps: tuple[str, ...]  # the aspects of what the version lacks


Listener = Callable[[Event], None]


class EventChannel:
    """Hand every event to every listener, in order and one at a time, in the thread that publishes it.

    `span` returns a `with` block around a phase, a call of a clinic or a call of a model, by its name: within it the
    events about it are published. Who traces turns puts its own there; else it does nothing.
    """

    def __init__(self, listeners: Sequence[Listener] = ()) -> None:
        self._listeners = list(listeners)
        self._lock = threading.RLock()
        self.span: Callable[[str], AbstractContextManager[object]] = nullcontext

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener and return the function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, event: Event) -> None:
        """Hand `event` to all listeners."""
        with self._lock:
            for listener in tuple(self._listeners):
                listener(event)
