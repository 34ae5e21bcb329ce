"""What a planning model's server receives of memories: words about the person, and nothing of who that is."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mesh.clock import clock_at
from orchestrator.journal.events import EventChannel
from orchestrator.llm.language_model import CircuitBreaker, PlannerVariant, TurnAsker
from orchestrator.llm.openai.openai_model import OpenAIModel
from orchestrator.planner.model.model_planner import ModelPlanner
from orchestrator.planner.model.planner_prompt import PlannerPrompts
from orchestrator.turn.identity import Role
from orchestrator.turn.memory_calls import Memory, MemoryKind, SaveMemory, Source
from orchestrator.turn.plan import Plan
from orchestrator.turn.routing import TurnScope
from orchestrator.turn.session import Session
from tests.support.chat_server import ChatServer, chat_server
from tests.support.clinic_turns import CLINICS
from tests.support.clinics import NOW
from tests.support.played_model import data_of
from tests.support.talk import CARLOS
from tests.wire.llm.asking import openai_at

SAID = (
    "sou o Carlos Teste, CPF 123.456.789-00, fone (11) 98765-4321; "
    "quero um cardiologista, mas costumo viajar a trabalho"
)
STORED = ("trabalho à noite", "Carlos Teste não pode às sextas", "ligue (11) 98765-4321 ou 123.456.789-00")
SAVING = {"do": "remember", "kind": "info_pessoal", "words": "Costuma viajar", "because": None}
READING = {"do": "read", "filters": [{"where": [{"field": "specialty", "op": "in", "values": ["Cardiology"]}]}]}
ANSWER = json.dumps({"steps": [READING, SAVING]})


def planned(server: ChatServer, session: Session, *, cot: bool) -> Plan:
    scope = TurnScope()
    variant = PlannerVariant.COT if cot else PlannerVariant.DIRECT
    configuration = replace(openai_at(server), planner=variant, history_tokens=500)
    with OpenAIModel(configuration) as model:
        line = TurnAsker(model, CircuitBreaker(), EventChannel([]), scope)
        planner = ModelPlanner(line, PlannerPrompts.read(), configuration)
        return planner.plan(SAID, session, CLINICS, clock_at(NOW)())


def session_of(*, remembers: bool, role: Role = Role.PATIENT) -> Session:
    at = datetime(2025, 7, 1, tzinfo=UTC)
    recalled = (Memory("1", one, MemoryKind.RESTRICTION, Source.CONVERSATION, "", at, at) for one in STORED)
    return Session(CARLOS, role=role, remembers=remembers, recalled=tuple(recalled))


@pytest.mark.parametrize("cot", [False, True])
def test_memories_arrive_redacted_and_the_persons_words_are_what_is_saved(*, cot: bool) -> None:
    with chat_server([ANSWER]) as server:
        plan = planned(server, session_of(remembers=True), cot=cot)
    assert plan.memory == (SaveMemory(MemoryKind.PERSONAL, "costumo viajar a trabalho"),)
    (request,) = server.requests
    assert data_of(request.body)["memories"] == [
        "trabalho à noite",
        "[PATIENT] não pode às sextas",
        "ligue [PHONE-1] ou [CPF-1]",
    ]
    received = server.received.decode()
    assert not [one for one in ("Carlos", "Teste", "123.456.789", "98765-4321") if one in received]


@pytest.mark.parametrize(("remembers", "role"), [(False, Role.PATIENT), (True, Role.OPERATOR)])
def test_where_nothing_may_be_remembered_no_word_of_it_is_sent(*, remembers: bool, role: Role) -> None:
    with chat_server([ANSWER]) as server:
        plan = planned(server, session_of(remembers=remembers, role=role), cot=False)
    assert plan.memory == ()
    sent = str([request.body for request in server.requests])
    assert not [one for one in ("trabalho à noite", "MEMORY", "memories") if one in sent]
