"""The stages of a turn: what a conversation needs of each, and the ports of those that differ."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from mesh.clock import Clock, system_clock
from orchestrator.turn import Answers, Clinic, Plan, Reply, ReplySteps, Session, Step, StepResult, TurnScope

if TYPE_CHECKING:  # they load behind the first prompt
    from orchestrator.fallback import ModelAnswerer
    from orchestrator.memory import MemoryKeeper
    from orchestrator.planner import OfflinePlanner
    from orchestrator.responder import TemplateResponder
    from orchestrator.verifier import RuleVerifier

Cancel = threading.Event | None  # what another thread sets to stop a turn
ReplyChooser = Callable[[Plan, Answers, Session, Sequence[Clinic], datetime], ReplySteps | None]
"""Let a model choose what a reply says, once the clinics' answers are verified; None: the template's answer alone."""


class Router(Protocol):
    """The router: execute steps."""

    def dispatch(self, steps: Sequence[Step], scope: TurnScope) -> tuple[StepResult, ...]:
        """Return a result for each step, in order."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The implementations of a turn's stages."""

    planner: "OfflinePlanner"  # understands and plans
    router: Router  # calls the clinics
    verifier: "RuleVerifier"  # decides what may be shown
    responder: "TemplateResponder"  # words everything
    reply_chooser: ReplyChooser | None = None  # chooses what a reply says; None where no model does
    answerer: "ModelAnswerer | None" = None  # answers what no agent is for; None where no model does
    memory: "MemoryKeeper | None" = None  # remembers; None where nothing is to be remembered


StagesOfTurn = Callable[[TurnScope], Stages]  # build the stages of a turn; those that ask a model are bound to it


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What holds for every turn of a conversation."""

    clock: Clock = system_clock  # what "tomorrow" is relative to
    consent_given: bool = False  # writes are made without asking; a script's --yes
    proposal_key: bytes | None = None  # what ids of proposals are made with; None: one that no other run knows
    travel_min: int = 30  # minutes between visits at different addresses
    moves_patients: bool = False  # those in the way of what an operator closes are moved, too


class TurnTaker(Protocol):
    """Whoever takes the turns of a person with the clinics, planned or not."""

    def turn(
        self, session: Session, utterance: str, cancel: Cancel = None, plan: Plan | None = None, *, agrees: bool = False
    ) -> tuple[Reply, Session]:
        """Return the reply to an utterance, a chosen plan, or a yes given before, and the session after it."""
