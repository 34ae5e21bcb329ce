"""The ports of a turn: what a conversation needs of each stage, whoever does it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from orchestrator.directory import Clinic
from orchestrator.plan import Plan, Step
from orchestrator.reply import Reply
from orchestrator.result import StepResult
from orchestrator.router import Dispatch
from orchestrator.session import Proposal, Receipt, Session
from orchestrator.verdict import Verdict


class Planner(Protocol):
    """Understands an utterance and says what to do."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Return a plan; for any text, without raising and without calling anything that writes."""
        ...

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        """Return yes or no when the whole utterance answers the proposal, else None. Empty means no."""
        ...


class Router(Protocol):
    """Executes steps."""

    def dispatch(self, steps: Sequence[Step], dispatch: Dispatch) -> tuple[StepResult, ...]:
        """Return a result for each step, in order."""
        ...


class Verifier(Protocol):
    """Decides what may be shown (blueprint 2.3.2)."""

    def check_data(self, payload: str, session: Session) -> Verdict:
        """Return whether the aggregated answers of the clinics, as JSON, may be shown to who speaks."""
        ...

    def check_reply(
        self, text: str, payload: str, session: Session, receipts: Sequence[Receipt], plan: Plan
    ) -> Verdict:
        """Return whether a text says nothing but what the data and this turn's receipts hold."""
        ...


class Responder(Protocol):
    """Words the answers."""

    def answer(self, plan: Plan, results: Sequence[StepResult], session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return what the clinics answered."""
        ...

    def say(self, plan: Plan, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return the text of a plan that calls no clinic."""
        ...

    def propose(self, proposal: Proposal, session: Session, clinics: Sequence[Clinic]) -> Reply:
        """Return exactly what will be done, and ask whether to."""
        ...

    def dropped(self, session: Session) -> Reply:
        """Return that the proposal was dropped: nothing was changed, unless it had been attempted."""
        ...

    def cancelled(self, session: Session) -> Reply:
        """Return that the person stopped the turn."""
        ...

    def blocked(
        self, verdict: Verdict, receipts: Sequence[Receipt], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        """Return why nothing is shown; the receipts of writes that were made are shown all the same."""
        ...
