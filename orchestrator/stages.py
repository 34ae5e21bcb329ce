"""The ports of a turn: what a conversation needs of each stage."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from orchestrator.turn import (
    Answers,
    Clinic,
    Dispatch,
    Identity,
    Memory,
    MemoryCall,
    MemoryResult,
    Plan,
    Proposal,
    Receipt,
    Reply,
    ReplySteps,
    Session,
    Step,
    StepResult,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class TurnScope:
    """What the stages of one turn may know of it besides the values that they are given."""

    turn_id: str
    cancel: threading.Event  # set by another thread to stop it
    speaker: Identity | None = None  # who speaks; None for anybody


class Planner(Protocol):
    """The planner: understand an utterance and decide what to do."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Return a plan; for any text, without raising and without calling anything that writes."""

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        """Return yes or no when the whole utterance answers the proposal, else None. Empty means no."""


class Router(Protocol):
    """The router: execute steps."""

    def dispatch(self, steps: Sequence[Step], dispatch: Dispatch) -> tuple[StepResult, ...]:
        """Return a result for each step, in order."""


class Verifier(Protocol):
    """The verifier: decide what may be shown (blueprint 2.3.2)."""

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        """Return whether the clinics' answers may be shown to who speaks."""

    def check_reply(self, text: str, answers: Answers, session: Session, plan: Plan) -> Verdict:
        """Return whether a text says nothing but what the answers and this turn's receipts hold."""

    def check_reasoning(
        self, reasoning: Sequence[str], session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> tuple[str, ...]:
        """Return those lines of a planning model's reasoning that may be shown."""


class MemoryKeeper(Protocol):
    """The memory: keep what people say about themselves, each for themselves alone."""

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        """Return the memories worth knowing for an utterance, the most telling first; none when the store fails."""

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        """Do what a plan asks for in a conversation; without raising."""


class ReplyChooser(Protocol):
    """The reply chooser: let a model choose what a reply says, once the clinics' answers are verified."""

    def choose(
        self, plan: Plan, answers: Answers, session: Session, clinics: Sequence[Clinic], now: datetime
    ) -> ReplySteps | None:
        """Return the steps of the reply; None for the template's answer alone."""


class Answerer(Protocol):
    """The answerer: answer requests that no agent serves."""

    def answer(self, utterance: str, session: Session, clinics: Sequence[Clinic], max_tokens: int) -> str | None:
        """Return a short text in the session's language; None when the model gave none that can be shown."""

    def check(self, text: str, utterance: str, plan: Plan, session: Session, clinics: Sequence[Clinic]) -> Verdict:
        """Return whether that text may be shown."""


class Responder(Protocol):
    """The responder: word the answers."""

    def answer(self, plan: Plan, results: Sequence[StepResult], session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return the reply to the clinics' answers."""

    def say(self, plan: Plan, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return the text of a plan that calls no clinic."""

    def propose(self, proposal: Proposal, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return exactly what will be done, and ask whether to; the session still holds what it was proposed before."""

    def dropped(self, session: Session) -> Reply:
        """Return the reply for a dropped proposal: nothing was changed, unless it had been attempted."""

    def cancelled(self, session: Session) -> Reply:
        """Return the reply for a turn that the person stopped."""

    def remembered(
        self, reply: Reply, plan: Plan, results: Sequence[MemoryResult], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        """Return a reply with the outcome of memory calls and the notes on what was recalled."""

    def blocked(
        self, verdict: Verdict, receipts: Sequence[Receipt], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        """Return the reason why nothing is shown; the receipts of writes that were made are shown all the same."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The implementations of a turn's stages."""

    planner: Planner  # understands and plans
    router: Router  # calls the clinics
    verifier: Verifier  # decides what may be shown
    responder: Responder  # words everything
    reply_chooser: ReplyChooser | None = None  # chooses what a reply says; None where no model does
    answerer: Answerer | None = None  # answers what no agent is for; None where no model does
    memory: MemoryKeeper | None = None  # remembers; None where nothing is to be remembered


StagesOfTurn = Callable[[TurnScope], Stages]
"""Build the stages of one turn. Stages that ask a model are bound to the turn; all others serve every turn."""


class TurnTaker(Protocol):
    """Whoever takes the turns of a person with the clinics, planned or not."""

    def turn(
        self,
        session: Session,
        utterance: str,
        cancel: threading.Event | None = None,
        plan: Plan | None = None,
        *,
        agrees: bool = False,
    ) -> tuple[Reply, Session]:
        """Return the reply to an utterance, a chosen plan, or a yes given before, and the session after it."""
