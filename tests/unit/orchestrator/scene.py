"""A conversation of Carlos Teste with hand-written stages, and the plans and answers that its tests speak of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.clock import clock_at
from orchestrator.agents.registry import Agent, Registry
from orchestrator.conversation import Conversation, TurnRules
from orchestrator.fallback.policy import Fallback
from orchestrator.journal.events import Event, EventChannel
from orchestrator.memory.turn_memory import MemoryKeeper
from orchestrator.stages import Stages
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.reply import Reply
from orchestrator.turn.session import Session
from tests.support.fake_verifier import FakeVerifier
from tests.support.steps import step_of
from tests.unit.orchestrator.fakes import (
    Answer,
    FakeDirectory,
    FakePlanner,
    FakeReplyChooser,
    FakeResponder,
    FakeRouter,
)

NOW = "2025-07-15T08:00-03:00"
CARLOS = Identity.of("Carlos Teste", "123.456.789-00")

RICARDO = {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"}
FERNANDO = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}

LISTING = Plan(PlanKind.STEPS, Language.PT, (step_of(1, "clinic_a", "list_available_slots"),))
BOOKING = Plan(PlanKind.STEPS, Language.PT, (step_of(1, "clinic_a", "book_appointment", RICARDO),))
TWO_BOOKINGS = replace(BOOKING, steps=(*BOOKING.steps, step_of(2, "clinic_c", "book_appointment", FERNANDO)))

TWO_CARDIOLOGISTS = Registry(
    {clinic: Agent(clinic, "Cardiology", f"127.0.0.1:{port}") for clinic, port in (("clinic_a", 1), ("clinic_c", 3))}
)


def slots(*times: str) -> pb.ListAvailableSlotsResponse:
    """Return a list of openings of Dr. Ricardo Lopes on 21 July."""
    facts: list[dict[str, Any]] = [{**RICARDO, "time": time} for time in times]
    openings = [pb.Slot(**fact, specialty="Cardiologia", available=True) for fact in facts]
    return pb.ListAvailableSlotsResponse(specialty="Cardiology", available_slots=openings)


def acknowledged(step: Step) -> Answer:
    """Answer as a clinic that agrees to everything does."""
    if step.action == "list_available_slots":
        return slots("09:00", "10:30")
    slot: dict[str, Any] = dict(step.parameters)
    appointment = pb.Appointment(**slot, patient_name=CARLOS.name, cpf=CARLOS.cpf, specialty="Cardiology")
    return pb.BookAppointmentResponse(status="confirmed", appointment=appointment, message="Feito.")


class Scene:
    """One conversation; the fakes are there to be told and asked."""

    def __init__(
        self,
        plans: Mapping[str, Plan],
        *,
        answer: Callable[[Step], Answer] = acknowledged,
        verifier: FakeVerifier | None = None,
        chooser: FakeReplyChooser | None = None,
        consent_given: bool = False,
        proposal_key: bytes | None = None,
        registry: Registry = TWO_CARDIOLOGISTS,
        memory: MemoryKeeper | None = None,
    ) -> None:
        self.planner = FakePlanner(plans)
        self.router = FakeRouter(answer)
        self.verifier = verifier or FakeVerifier()
        self.events: list[Event] = []
        self.session = Session(CARLOS)
        choose = None if chooser is None else lambda *asked: chooser.choose(*asked)  # noqa: PLW0108 - a test replaces it
        stages = Stages(self.planner, self.router, self.verifier, FakeResponder(), choose, memory=memory)
        self.channel = channel = EventChannel([self.events.append])
        self.conversation = Conversation(
            lambda _: stages,
            FakeDirectory(),
            channel,
            TurnRules(clock_at(NOW), consent_given, proposal_key),
            registry=registry,
            fallback=Fallback(registry, channel),
        )

    def say(self, utterance: str, cancel: threading.Event | None = None) -> str:
        """Take one turn and return the plain reply."""
        return self.answer(utterance, cancel).plain

    def answer(self, utterance: str, cancel: threading.Event | None = None) -> Reply:
        """Take one turn."""
        reply, self.session = self.conversation.turn(self.session, utterance, cancel)
        return reply

    @property
    def request_ids(self) -> list[str | None]:
        """The request_ids of all steps that reached the router, in order."""
        return [step.request_id for steps, _ in self.router.dispatched for step in steps]
