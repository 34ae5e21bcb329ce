"""Stages to be measured: a planner that knows the answers, planners that know nothing, and stages with a fault."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Any

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.evaluation.suite import About, Query, Turn
from orchestrator.journal.events import ClinicAnswered, EventChannel
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.responder.templates import TemplateResponder
from orchestrator.stages import Router
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import DateRange, TimeRange
from orchestrator.turn.plan import Plan, PlanKind, Step, Topic
from orchestrator.turn.reply import SAFE, Block, Card, Paragraph, Reply, Rule, Table, Verdict
from orchestrator.turn.routing import StepResult, StepStatus, TurnScope
from orchestrator.turn.session import Proposal, Session
from orchestrator.turn.wish import ANYTHING, Wish, when_in
from orchestrator.verifier.rules import RuleVerifier
from tests.support.fake_verifier import FakeVerifier
from tests.support.steps import action_of, step_of

FILTERS: Mapping[tuple[str, int], Wish] = {
    ("filter-no-fit", 0): Wish(when_in(dates=(DateRange(date(2025, 7, 20), date(2025, 7, 20)),))),
    ("book-hour-not-open", 1): Wish(
        when_in(dates=(DateRange(date(2025, 7, 22), date(2025, 7, 22)),), times=(TimeRange(time(15), time(15)),))
    ),
}
"""What was asked for where nothing fits it, by query and turn; elsewhere the expected openings say it."""

FACTS: Mapping[str, Mapping[str, str]] = {
    "symptom-knee": {"specialty": "Orthopedics"},
    "symptom-skin-en": {"specialty": "Dermatology"},
    "symptom-accepted": {"specialty": "Dermatology"},
}
"""What the topics of these queries need to be worded."""


class _Silent(OfflinePlanner):
    """Consents to nothing, because consent is given from the start."""

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        return None

    def behind_yes(self, *_: object) -> tuple[str, str] | None:
        return None


class PerfectPlanner(_Silent):
    """Plans exactly what the suite expects; it is told which query is under way."""

    def __init__(self) -> None:
        self._query: Query | None = None

    def follow(self, query: Query) -> None:
        self._query = query

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        assert self._query is not None
        number = len(session.history)
        turn = self._query.turns[number]
        assert turn.say == utterance
        if self._query.about is About.FACTS and not turn.steps:
            # The suite says what is told, not what is asked about.
            return super().plan(utterance, session, clinics, now)
        if not turn.steps:
            plan = Plan(min(turn.kinds), self._query.language, topic=turn.topic, facts=FACTS.get(self._query.id, {}))
            return replace(plan, about_own=self._query.about is About.OWN and not session.knows_own)
        steps = tuple(
            step_of(place, step.clinic, step.action, dict(step.parameters)) for place, step in enumerate(turn.steps, 1)
        )
        wish = FILTERS.get((self._query.id, number)) or _filter_for(turn)
        return Plan(PlanKind.STEPS, self._query.language, steps=steps, wish=wish)


def _filter_for(turn: Turn) -> Wish:
    """A filter that admits the expected openings, and the others only if they are at their days and times."""
    if not turn.offers:
        return ANYTHING
    days = sorted({date.fromisoformat(slot.date) for slot in turn.offers})
    times = sorted({time.fromisoformat(slot.time) for slot in turn.offers})
    return Wish(
        when_in(dates=tuple(DateRange(day, day) for day in days), times=tuple(TimeRange(at, at) for at in times))
    )


@dataclass
class SayingPlanner(_Silent):
    """Says one thing whatever is asked."""

    kind: PlanKind
    topic: Topic

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        return Plan(self.kind, Language.PT, topic=self.topic)


class RandomPlanner(_Silent):
    """Calls any tool of any clinic, and writes at any slot that it has seen, or at any at all."""

    def __init__(self, seed: int, slots: Sequence[tuple[str, str, str]]) -> None:
        self._random = random.Random(seed)
        self._slots = slots

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        clinic = self._random.choice(clinics)
        action = self._random.choice(
            (
                "list_available_slots",
                "book_appointment",
                "cancel_appointment",
                "reschedule_appointment",
                "list_patients",
            )
        )
        return Plan(
            PlanKind.STEPS, Language.PT, steps=(step_of(1, clinic.id, action, self._arguments(action, clinic)),)
        )

    def _arguments(self, action: str, clinic: Clinic) -> dict[str, str]:
        days = [(day, at) for place, day, at in self._slots if place == clinic.id]
        (day, at), (later_day, later_at) = self._random.choice(days), self._random.choice(days)
        doctor = clinic.doctors[0]
        match action:
            case "book_appointment" | "cancel_appointment":
                return {"doctor": doctor, "date": day, "time": at}
            case "reschedule_appointment":
                return {
                    "doctor": doctor,
                    "original_date": day,
                    "original_time": at,
                    "new_date": later_day,
                    "new_time": later_at,
                }
            case _:
                return {}


class ForgetfulRouter:
    """Leaves out the last step of every plan that has several."""

    def __init__(self, inner: Router, events: EventChannel) -> None:
        self._inner = inner

    def dispatch(self, steps: Sequence[Step], dispatch: TurnScope) -> tuple[StepResult, ...]:
        if len(steps) < 2:
            return self._inner.dispatch(steps, dispatch)
        return (*self._inner.dispatch(steps[:-1], dispatch), StepResult(steps[-1], StepStatus.SKIPPED))


class LostRouter:
    """Sends every step to the other clinic of the specialty, and says that it came from the right one."""

    _OTHER: Mapping[str, str] = {
        "clinic_a": "clinic_c",
        "clinic_c": "clinic_a",
        "clinic_b": "clinic_f",
        "clinic_f": "clinic_b",
        "clinic_d": "clinic_e",
        "clinic_e": "clinic_d",
    }

    def __init__(self, inner: Router, events: EventChannel) -> None:
        self._inner = inner

    def dispatch(self, steps: Sequence[Step], dispatch: TurnScope) -> tuple[StepResult, ...]:
        astray = [replace(step, clinic=self._OTHER[step.clinic]) for step in steps]
        results = self._inner.dispatch(astray, dispatch)
        return tuple(replace(result, step=step) for result, step in zip(results, steps, strict=True))


class LateRouter:
    """Books another opening of the same doctor than the plan says."""

    def __init__(self, inner: Router, events: EventChannel) -> None:
        self._inner = inner

    def dispatch(self, steps: Sequence[Step], dispatch: TurnScope) -> tuple[StepResult, ...]:
        return self._inner.dispatch([self._late(step, dispatch) for step in steps], dispatch)

    def _late(self, step: Step, dispatch: TurnScope) -> Step:
        if step.action != "book_appointment":
            return step
        listing = self._inner.dispatch([step_of(step.step_id, step.clinic, "list_available_slots")], dispatch)[
            0
        ].response
        assert isinstance(listing, pb.ListAvailableSlotsResponse)
        last = listing.available_slots[-1]
        return replace(step, call=action_of(step.action, {**step.parameters, "date": last.date, "time": last.time}))


class LyingRouter:
    """Acknowledges bookings that it never sent."""

    def __init__(self, inner: Router, events: EventChannel) -> None:
        self._inner = inner
        self._events = events

    def dispatch(self, steps: Sequence[Step], dispatch: TurnScope) -> tuple[StepResult, ...]:
        if any(step.action != "book_appointment" for step in steps):
            return self._inner.dispatch(steps, dispatch)
        return tuple(self._acknowledge(step, dispatch) for step in steps)

    def _acknowledge(self, step: Step, dispatch: TurnScope) -> StepResult:
        identity = dispatch.identity
        slot: dict[str, Any] = dict(step.parameters)
        appointment = pb.Appointment(**slot, patient_name=identity.name, cpf=identity.cpf)
        self._events.publish(ClinicAnswered(step.step_id, step.clinic, step.action, StepStatus.DONE, None, None, 0.001))
        response = pb.BookAppointmentResponse(status="confirmed", appointment=appointment)
        return StepResult(step, StepStatus.DONE, response=response)


class BrokenRouter:
    """Breaks down whenever it is called."""

    def __init__(self, inner: Router, events: EventChannel) -> None: ...

    def dispatch(self, steps: Sequence[Step], dispatch: TurnScope) -> tuple[StepResult, ...]:
        raise RuntimeError("a fault for a test")


SLEEPING = FakeVerifier.always(SAFE)


class BlindToData(RuleVerifier):
    """Does not look at what the clinics sent."""

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        return SAFE


ALARMED = FakeVerifier.always(Verdict(Rule.R1, "R1: a fault for a test"))
ACCUSING = FakeVerifier.always(Verdict(Rule.R2, "R2: a fault for a test"))


@dataclass
class TamperingResponder(TemplateResponder):
    """Words answers as the real one does, and then changes them."""

    tamper: Callable[[tuple[Block, ...]], tuple[Block, ...]] = field(default=tuple)

    def answer(self, plan: Plan, results: Sequence[StepResult], session: Session, clinics: Sequence[Clinic]) -> Reply:
        reply = super().answer(plan, results, session, clinics)
        return replace(reply, blocks=self.tamper(reply.blocks))


def adding(text: str) -> TamperingResponder:
    """A responder that ends every answer with a sentence of its own."""
    return TamperingResponder(lambda blocks: (*blocks, Paragraph(text)))


def _without_details(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if isinstance(block, Paragraph))[:1] or (Paragraph("Pronto."),)


def _on_another_day(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    return tuple(map(_shifted, blocks))


def _shifted(block: Block) -> Block:
    def shift(text: str) -> str:
        return text.replace("/07/2025", "/08/2025")

    match block:
        case Paragraph(text):
            return Paragraph(shift(text))
        case Card(title=title, rows=rows):
            return replace(block, title=title, rows=tuple((label, shift(value)) for label, value in rows))
        case Table(rows=rows):
            return replace(block, rows=tuple(tuple(map(shift, row)) for row in rows))


TERSE = TamperingResponder(_without_details)
MISDATING = TamperingResponder(_on_another_day)
