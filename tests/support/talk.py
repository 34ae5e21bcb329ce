"""A conversation with running clinics, and what its stages were given."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mesh.arguments import json_of
from mesh.clock import clock_at
from orchestrator.agents.registry import Registry
from orchestrator.agents.router import MeshRouter
from orchestrator.composition import open_stages
from orchestrator.composition.connection import connect
from orchestrator.conversation import Conversation, TurnRules
from orchestrator.fallback.policy import Fallback
from orchestrator.journal.events import Event, EventChannel, Planned
from orchestrator.llm.language_model import UNTHROTTLED, ModelConfiguration, Throttle
from orchestrator.memory.turn_memory import MemoryKeeper
from orchestrator.security.token_keys import KeyFolder, Protection
from orchestrator.stages import Stages
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.identity import Identity, Role
from orchestrator.turn.plan import Plan
from orchestrator.turn.reply import Reply, Verdict
from orchestrator.turn.routing import TurnScope
from orchestrator.turn.session import Session
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinics import NOW
from tests.support.tokens import any_protection

CARLOS = Identity.of("Carlos Teste", "123.456.789-00")


@dataclass
class RecordingVerifier(RuleVerifier):
    """Passes everything on to a verifier and keeps what it was given."""

    inner: RuleVerifier = field(default_factory=RuleVerifier)
    answers: list[Answers] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        self.answers.append(answers)
        return self.inner.check_data(answers, session)

    def check_reply(self, text: str, answers: Answers, session: Session, plan: Plan) -> Verdict:
        self.texts.append(text)
        return self.inner.check_reply(text, answers, session, plan)

    def check_reasoning(
        self, reasoning: Sequence[str], session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> tuple[str, ...]:
        return self.inner.check_reasoning(reasoning, session, plan, clinics)


class Talk:
    """One person's conversation."""

    def __init__(
        self,
        conversation: Conversation,
        verifier: RecordingVerifier,
        events: list[Event],
        channel: EventChannel,
        role: Role,
    ) -> None:
        self._conversation = conversation
        self._verifier = verifier
        self.events = events
        self.listen = channel.subscribe
        self.session = Session(CARLOS, role=role)
        self._said: list[str] = []

    def say(self, utterance: str, cancel: threading.Event | None = None) -> Reply:
        """Take one turn."""
        reply, self.session = self._conversation.turn(self.session, utterance, cancel)
        self._said += [f"> {utterance}", f"[{reply.outcome}] {reply.plain}"]
        return reply

    def __repr__(self) -> str:
        return "\n".join(self._said)

    @property
    def payload(self) -> dict[str, Any]:
        """The last answers that the verifier was given, as JSON in the blueprint's form."""
        answers = self._verifier.answers[-1]
        told = [
            {
                "clinic": one.step.clinic,
                "action": one.step.action,
                "result": None if one.response is None else json_of(one.response),
                "error": one.error and one.error.message,
            }
            for one in answers.results
        ]
        return {"user_query": answers.utterance, "clinic_data": told}

    @property
    def plan(self) -> Plan:
        """The last plan."""
        return next(event.plan for event in reversed(self.events) if isinstance(event, Planned))

    @property
    def steps(self) -> list[tuple[str, str, dict[str, str]]]:
        """The last plan's steps: clinic, action, parameters."""
        return [(step.clinic, step.action, dict(step.parameters)) for step in self.plan.steps]


@contextmanager
def open_talk(
    registry: Registry,
    *,
    consent_given: bool = True,
    role: Role = Role.PATIENT,
    model: ModelConfiguration | None = None,
    data_dir: Path | None = None,
    throttle: Throttle = UNTHROTTLED,
    memory: MemoryKeeper | None = None,
    keys: KeyFolder | None = None,
) -> Iterator[Talk]:
    """Yield a conversation of Carlos Teste on 2025-07-15 at 08:00 with real clinics; offline without a model."""
    events: list[Event] = []
    verifier = RecordingVerifier()
    channel = EventChannel([events.append])
    with (
        connect(registry, any_protection() if keys is None else Protection(keys)) as connection,
        MeshRouter(
            registry, connection.channels, channel, connection.credentials, connection.directory, clock_at(NOW)
        ) as router,
    ):
        directory = connection.directory
        with open_stages(router, directory, channel, model, throttle) as stages:

            def recorded(scope: TurnScope) -> Stages:
                of_turn = stages(scope)
                verifier.inner = of_turn.verifier
                return replace(of_turn, verifier=verifier, memory=memory)

            conversation = Conversation(
                recorded,
                directory,
                channel,
                TurnRules(clock_at(NOW), consent_given),
                registry=registry,
                fallback=Fallback(registry, channel, data_dir),
            )
            yield Talk(conversation, verifier, events, channel, role)
