"""Decide an utterance as a live turn would, asking the clinics for openings at most; no name or CPF is known here."""

import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from orchestrator import turn
from orchestrator.stages import Planner, Router


@dataclass(frozen=True, slots=True)
class DryRunResult:
    """The decision on an utterance."""

    plan: turn.Plan  # that of an open proposal if the person consented to it
    results: tuple[turn.StepResult, ...] = ()  # what the clinics list, for steps that ask for openings


class DryRun:
    """Decide utterances; `now` is the instant to which "tomorrow" is relative."""

    def __init__(self, planner: Planner, router: Router, clinics: Sequence[turn.Clinic], now: datetime) -> None:
        self.clinics = tuple(clinics)
        self.now = now
        self._planner = planner
        self._router = router

    def decide(self, utterance: str, session: turn.Session) -> DryRunResult:
        """Return the decision on an utterance in a session."""
        if session.proposal is not None:
            consent = self._planner.consent(utterance, session.proposal)
            if consent:
                return DryRunResult(session.proposal.plan)
            if consent is False:
                language = session.spoken_language
                return DryRunResult(turn.Plan(turn.PlanKind.SMALLTALK, language, topic=turn.Topic.NOTHING_DONE))
        plan = self._planner.plan(utterance, session, self.clinics, self.now)
        listing = [step for step in plan.steps if step.action == turn.LIST]
        return DryRunResult(plan, results=self._ask(listing, session))

    def openings(self, session: turn.Session) -> tuple[turn.Offer, ...]:
        """Return all openings of the clinics."""
        steps = [turn.Step(number, clinic.id, turn.ListOpenings()) for number, clinic in enumerate(self.clinics, 1)]
        return turn.offers_of(self._ask(steps, session), turn.ANYTHING) or ()

    def _ask(self, steps: Sequence[turn.Step], session: turn.Session) -> tuple[turn.StepResult, ...]:
        return self._router.dispatch(
            steps, turn.Dispatch(str(uuid.uuid4()), session.identity, threading.Event(), session.role)
        )


def heard(session: turn.Session, decision: DryRunResult) -> turn.Session:
    """Return the session after a turn whose reply is not known yet: lists are offered, a write is proposed."""
    plan = decision.plan
    offers = turn.offers_of(decision.results, plan.wish)
    return replace(
        session,
        language=plan.language,
        offers=session.offers if offers is None else offers,
        proposal=turn.Proposal(plan) if plan.writes else None,
        question=plan.question,
        asked=plan.asked,
    )
