"""Stages that do what a test tells them and keep what they were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import MemoryResult
from orchestrator.turn.plan import Plan, PlanKind, Step, Topic
from orchestrator.turn.reply import Paragraph, Reply, TurnOutcome, Verdict
from orchestrator.turn.reply_steps import ReplySteps
from orchestrator.turn.routing import StepResult, StepStatus, TurnScope
from orchestrator.turn.session import Proposal, Session
from orchestrator.turn.step_actions import ListOpenings
from tests.support.repository_clinics import WORDS

CLINICS = (
    Clinic(
        "clinic_a", "Clínica A", "Cardiology", ("Dr. Ricardo Lopes",), knows_callers=False, words=WORDS["Cardiology"]
    ),
)

OPEN = tuple(
    pb.Slot(date=day, time=at, doctor=doctor, specialty="Cardiologia", available=True)
    for doctor, day, at in (
        ("Dr. Ricardo Lopes", "2025-07-21", "09:00"),
        ("Dr. Fernando Mendes", "2025-07-18", "10:00"),
    )
)
"""The openings of the doctors whom the tests book with."""

NOT_UNDERSTOOD = Plan(PlanKind.CLARIFY, Language.PT, topic=Topic.ASK_REQUEST)


class FakeDirectory:
    """Knows one clinic."""

    def clinics(self) -> tuple[Clinic, ...]:
        return CLINICS


@dataclass
class FakePlanner(OfflinePlanner):
    """Understands the utterances that it was told; yes is "sim", no is "não" or nothing."""

    plans: Mapping[str, Plan] = field(default_factory=dict)
    asked: list[tuple[str, Session, datetime]] = field(default_factory=list)

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        self.asked.append((utterance, session, now))
        return self.plans.get(utterance, NOT_UNDERSTOOD)

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        return {"sim": True, "não": False, "": False}.get(utterance)

    def behind_yes(self, *_: object) -> tuple[str, str] | None:
        return None


Answer = Message | DomainError | StepStatus
"""What becomes of a step: a response, a refusal, or a status without either."""


@dataclass
class FakeRouter:
    """Answers each step as told and remembers the steps that reached it; a doctor's agenda is looked up apart."""

    answer: Callable[[Step], Answer]
    dispatched: list[tuple[tuple[Step, ...], TurnScope]] = field(default_factory=list)
    agenda: tuple[pb.Slot, ...] = OPEN
    looked_up: list[tuple[Step, ...]] = field(default_factory=list)

    def dispatch(self, steps: Sequence[Step], dispatch: TurnScope) -> tuple[StepResult, ...]:
        if all(isinstance(step.call, ListOpenings) and step.call.doctor for step in steps):
            self.looked_up.append(tuple(steps))
            return tuple(StepResult(step, StepStatus.DONE, response=self._open(step)) for step in steps)
        self.dispatched.append((tuple(steps), dispatch))
        return tuple(self._result(step) for step in steps)

    def _open(self, step: Step) -> pb.ListAvailableSlotsResponse:
        return pb.ListAvailableSlotsResponse(available_slots=[one for one in self.agenda if one.doctor == step.doctor])

    def _result(self, step: Step) -> StepResult:
        match self.answer(step):
            case StepStatus.SKIPPED:
                return StepResult(step, StepStatus.SKIPPED)
            case StepStatus() as status:
                return StepResult(step, status, error=DomainError("UNREACHABLE", "the agent could not be reached"))
            case DomainError() as refusal:
                return StepResult(step, StepStatus.REFUSED, error=refusal)
            case Message() as response:
                return StepResult(step, StepStatus.DONE, response=response)


@dataclass
class FakeReplyChooser:
    """Chooses what it was told; nothing when it was told nothing."""

    steps: ReplySteps | None

    def choose(
        self, plan: Plan, answers: Answers, session: Session, clinics: Sequence[Clinic], now: datetime
    ) -> ReplySteps | None:
        return self.steps or plan.reply


class FakeResponder(TemplateResponder):
    """Names the method that was called, and what it was given that a test looks for."""

    def answer(self, plan: Plan, results: Sequence[StepResult], session: Session, clinics: Sequence[Clinic]) -> Reply:
        courtesies = [] if plan.reply is None else [str(one) for one in plan.reply.courtesies]
        said = [*courtesies, *(result.status for result in results)]
        return _reply(plan.language, TurnOutcome.OK, "answer: " + ", ".join(said))

    def say(self, plan: Plan, session: Session, clinics: Sequence[Clinic]) -> Reply:
        return _reply(plan.language, TurnOutcome.OK, f"say: {plan.topic}")

    def propose(self, proposal: Proposal, session: Session, clinics: Sequence[Clinic]) -> Reply:
        actions = ", ".join(step.action for step in proposal.plan.steps)
        return _reply(proposal.plan.language, TurnOutcome.CONFIRM, f"propose: {actions}")

    def dropped(self, session: Session) -> Reply:
        attempted = session.proposal is not None and session.proposal.attempted
        return _reply(session.language, TurnOutcome.OK, "dropped after an attempt" if attempted else "dropped")

    def cancelled(self, session: Session) -> Reply:
        return _reply(session.language, TurnOutcome.CANCELLED, "cancelled")

    def remembered(
        self, reply: Reply, plan: Plan, results: Sequence[MemoryResult], session: Session, clinics: Sequence[Clinic]
    ) -> Reply:
        statuses = (Paragraph(f"memory: {result.status}", private=True) for result in results)
        return replace(reply, blocks=(*statuses, *reply.blocks), memory=tuple(results))

    def blocked(self, verdict: Verdict, answers: Answers, session: Session, clinics: Sequence[Clinic]) -> Reply:
        kinds = ", ".join(receipt.kind for receipt in answers.receipts)
        return _reply(session.language, TurnOutcome.REFUSED, f"blocked: {verdict.note}; receipts: {kinds or 'none'}")


def _reply(language: Language, outcome: TurnOutcome, text: str) -> Reply:
    return Reply(language, outcome, (Paragraph(text),))
