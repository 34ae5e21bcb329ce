"""The stages of a turn: what a conversation needs of each, and the ports of those that differ."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from mesh.clock import Clock, system_clock
from mesh.errors import DomainError
from orchestrator import turn
from orchestrator.turn import Answers, Clinic, Plan, Proposal, Reply, ReplySteps, Session, Step, StepResult, TurnScope

if TYPE_CHECKING:  # they load behind the first prompt
    from orchestrator.fallback import ModelAnswerer
    from orchestrator.memory import MemoryKeeper
    from orchestrator.responder import TemplateResponder
    from orchestrator.verifier import RuleVerifier

Cancel = threading.Event | None  # what another thread sets to stop a turn
ReplyChooser = Callable[[Plan, Answers, Session, Sequence[Clinic], datetime], ReplySteps | None]
"""Let a model choose what a reply says, once the clinics' answers are verified; None: the template's answer alone."""


class Planner(Protocol):
    """The planner: understand an utterance and decide what to do."""

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        """Return a plan; for any text, without raising and without calling anything that writes."""

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        """Return yes or no when the whole utterance answers the proposal, else None. Empty means no."""

    def behind_yes(
        self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime
    ) -> tuple[str, str] | None:
        """Return a plain yes to what is on the table and another request behind it, which is planned after the yes."""


class Router(Protocol):
    """The router: execute steps."""

    def dispatch(self, steps: Sequence[Step], scope: TurnScope) -> tuple[StepResult, ...]:
        """Return a result for each step, in order."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The implementations of a turn's stages."""

    planner: Planner  # understands and plans
    router: Router  # calls the clinics
    verifier: "RuleVerifier"  # decides what may be shown
    responder: "TemplateResponder"  # words everything
    reply_chooser: ReplyChooser | None = None  # chooses what a reply says; None where no model does
    answerer: "ModelAnswerer | None" = None  # answers what no agent is for; None where no model does
    memory: "MemoryKeeper | None" = None  # remembers; None where nothing is to be remembered

    def without_faulty(
        self, answers: Answers, plan: Plan, session: Session, clinics: Sequence[Clinic]
    ) -> tuple[tuple[StepResult, ...], tuple[Clinic, ...]] | None:
        """Return the results of reads, failures for those of no use, and the clinics; None if that changes nothing."""
        results = answers.results  # writes are left as they are: their receipts are shown whatever else is blocked
        asked = {result.step.clinic for result in results}
        if len(asked) == 1 or any(turn.is_write(result.step.action) for result in results):
            return None

        def is_safe(clinic: str) -> bool:
            own = Answers.of(answers.utterance, [one for one in results if one.step.clinic == clinic], answers.stated)
            if not self.verifier.check_data(own, session).safe:
                return False
            reply = self.responder.answer(plan, own.results, session, clinics)
            return self.verifier.check_reply(reply.plain, own, session, plan).safe

        faulty = {clinic for clinic in asked if not is_safe(clinic)}
        if not faulty or faulty == asked:
            return None
        error = DomainError("WRONG_ANSWER", "the verifier does not let the clinic's answer through")
        return (
            tuple(
                StepResult(result.step, turn.StepStatus.REFUSED, error=error, elapsed_s=result.elapsed_s)
                if result.step.clinic in faulty
                else result
                for result in results
            ),
            tuple(replace(clinic, name=clinic.id) if clinic.id in faulty else clinic for clinic in clinics),
        )


StagesOfTurn = Callable[[TurnScope], Stages]  # build the stages of a turn; those that ask a model are bound to it


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What holds for every turn of a conversation."""

    clock: Clock = system_clock  # what "tomorrow" is relative to
    consent_given: bool = False  # writes are made without asking; a script's --yes
    proposal_key: bytes | None = None  # what ids of proposals are made with; None: one that no other run knows
    travel_min: int = 30  # minutes between visits at different addresses


class TurnTaker(Protocol):
    """Whoever takes the turns of a person with the clinics, planned or not."""

    def turn(
        self, session: Session, utterance: str, cancel: Cancel = None, plan: Plan | None = None, *, agrees: bool = False
    ) -> tuple[Reply, Session]:
        """Return the reply to an utterance, a chosen plan, or a yes given before, and the session after it."""
