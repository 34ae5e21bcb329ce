"""Whole turns over real clinics: who is asked, what becomes of doubt and of nonsense, and what nobody is for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mesh.limits import TokenBucket
from orchestrator.agents.registry import ConflictPolicy, FallbackRules, Registry, RoutingRules
from orchestrator.journal.events import ClinicAsked, FellBack, Gathered, ModelThrottled, Purpose, Routed, TurnStarted
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.reply import TurnOutcome
from orchestrator.turn.routing import FallbackPolicy, RoutingDecision, TaskStatus
from tests.support.chat_server import Answer, Body, Reply, Script
from tests.support.clinics import Clinics, open_clinics
from tests.support.model_talk import open_model_talk
from tests.support.played_model import SAFE, PlayedModel, purpose_of
from tests.support.relay import Passage, open_relays
from tests.support.talk import Talk, open_talk

CARDIOLOGY = {"clinic_a", "clinic_c"}
GOOD = PlayedModel({})
HEART = "é sobre o meu coraçãozinho"
LISTS = [{"step_id": 1, "clinic": "clinic_a", "action": "list_available_slots", "parameters": {"doctor": None}}]


def asked(talk: Talk) -> set[str]:
    """The clinics that a tool of was called since the conversation began."""
    return {event.clinic for event in talk.events if isinstance(event, ClinicAsked)}


def decision(talk: Talk) -> RoutingDecision:
    return next(event.decision for event in reversed(talk.events) if isinstance(event, Routed))


def fallbacks(talk: Talk) -> list[FallbackPolicy]:
    return [event.policy for event in talk.events if isinstance(event, FellBack)]


def planning(**fields: object) -> Script:
    """A model that always plans the same, and is a good one else."""
    text = json.dumps({"steps": LISTS, **fields})
    return lambda body: Answer(text) if purpose_of(body) == "plan" else GOOD(body)


def answering(text: str) -> Callable[[Body], Reply]:
    """A model that finds nothing for the clinics to do, and answers itself when it is asked to."""

    def script(body: Body) -> Reply:
        if purpose_of(body) == "plan":
            return Answer(json.dumps({"steps": [{"do": "answer", "topic": "off_topic"}], "confidence": 0.9}))
        return Answer(SAFE) if purpose_of(body) == "audit" else Answer(text)

    return script


def with_fallback(registry: Registry, policy: FallbackPolicy) -> Registry:
    return Registry(dict(registry), registry.routing, FallbackRules(policy))


def test_each_specialty_of_a_request_is_a_task_with_both_of_its_clinics(running: Clinics) -> None:
    with open_talk(running.registry) as talk:
        talk.say("quero um cardiologista e um ortopedista")
    assert [(task.domains, set(task.inputs)) for task in decision(talk).tasks] == [
        (("Cardiology",), CARDIOLOGY),
        (("Orthopedics",), {"clinic_d", "clinic_e"}),
    ]
    (started,) = (event for event in talk.events if isinstance(event, TurnStarted))
    (gathered,) = (event for event in talk.events if isinstance(event, Gathered))
    assert [result.status for result in gathered.results] == [TaskStatus.SUCCESS, TaskStatus.SUCCESS]
    assert {task.trace_id for task in decision(talk).tasks} == {started.turn_id}


def test_a_clinic_that_may_not_be_called_for_it_is_not_even_asked(running: Clinics) -> None:
    agents = dict(running.registry)
    agents["clinic_c"] = replace(agents["clinic_c"], intents=("query",))
    with open_talk(Registry(agents)) as talk:
        reply = talk.say("quero um cardiologista")
    assert asked(talk) == {"clinic_a"}
    assert "Dr. Fernando Mendes" not in reply.plain
    assert "Dr. Ricardo Lopes" in reply.plain


def test_a_write_that_the_registry_gives_to_nobody_is_neither_made_nor_proposed(running: Clinics) -> None:
    agents = {
        agent.id: replace(agent, intents=("list_available_slots", "query")) for agent in running.registry.values()
    }
    with open_talk(Registry(agents), consent_given=True) as talk:
        reply = talk.say("quero o Dr. Fernando Mendes dia 18/07 às 10h")
        assert (talk.plan.kind, talk.plan.topic) == (PlanKind.OUT_OF_SCOPE, Topic.UNSUPPORTED)
    assert (asked(talk), reply.outcome, talk.session.receipts) == (set(), TurnOutcome.REFUSED, ())
    assert "nenhuma clínica foi consultada" in reply.plain
    assert fallbacks(talk) == [FallbackPolicy.UNSUPPORTED]


def test_a_consent_does_not_open_what_the_registry_has_closed_since(running: Clinics) -> None:
    agents = dict(running.registry)
    with open_talk(Registry(agents), consent_given=False) as talk:
        talk.say("quero o Dr. Fernando Mendes dia 18/07 às 10h")
        proposed = talk.session
    del agents["clinic_c"]
    with open_talk(Registry(agents), consent_given=False) as talk:
        talk.session = proposed
        reply = talk.say("sim")
    assert (asked(talk), reply.outcome, talk.session.receipts) == (set(), TurnOutcome.REFUSED, ())


BOOKS = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}


@pytest.mark.parametrize(
    "steps",
    [LISTS, [{"step_id": 1, "clinic": "clinic_c", "action": "book_appointment", "parameters": BOOKS}]],
    ids=["reads", "books"],
)
@pytest.mark.parametrize("confidence", [0.0, 0.3, 0.64])
def test_a_model_that_doubts_has_nobody_asked(running: Clinics, steps: object, confidence: float) -> None:
    with open_model_talk(running.registry, planning(steps=steps, confidence=confidence)) as (talk, _):
        reply = talk.say(HEART)
    assert (asked(talk), reply.outcome, talk.session.proposal) == (set(), TurnOutcome.REFUSED, None)
    assert "nenhuma clínica foi consultada" in reply.plain
    assert decision(talk).classification.confidence == confidence


@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": 0.9},
        {"confidence": "very"},
        {"domains": []},
        {"domains": ["Cardiology"], "intent": "book_appointment", "confidence": 0.65},
        {"subtasks": [{"title": "x", "reason": "y", "intent": "list_available_slots", "domain": "Cardiology"}]},
    ],
    ids=repr,
)
def test_what_a_model_leaves_out_of_its_classification_its_plan_says(
    running: Clinics, fields: dict[str, object]
) -> None:
    with open_model_talk(running.registry, planning(**fields)) as (talk, _):
        reply = talk.say(HEART)
    assert (asked(talk), reply.outcome) == (CARDIOLOGY, TurnOutcome.OK)


@pytest.mark.parametrize("said", [HEART, "quero um cardiologista"])
@pytest.mark.parametrize(
    "fields",
    [
        {"domains": ["Dermatology"]},
        {"intent": "cancel_appointment"},
        {"subtasks": [{"title": "x", "reason": "y", "intent": "book_appointment", "domain": "Dermatology"}]},
    ],
    ids=repr,
)
def test_a_step_that_disagrees_with_its_classification_is_not_sent(
    running: Clinics, fields: dict[str, object], said: str
) -> None:
    with open_model_talk(running.registry, planning(confidence=0.9, **fields)) as (talk, _):
        reply = talk.say(said)
    assert (asked(talk), reply.outcome) == (set(), TurnOutcome.REFUSED)
    assert "nenhuma clínica foi consultada" in reply.plain
    assert {step.clinic for step in decision(talk).refused} == CARDIOLOGY


def overlapping(running: Clinics, **rules: object) -> Registry:
    """The clinics, of which B is for Cardiology, too, and D for all."""
    agents = dict(running.registry)
    agents["clinic_b"] = replace(agents["clinic_b"], other_domains=("Cardiology",))
    agents["clinic_d"] = replace(agents["clinic_d"], other_domains=("Cardiology", "Dermatology"))
    return Registry(agents, replace(running.registry.routing, **rules))  # type: ignore[arg-type]


THREE = "quero um cardiologista, um dermatologista e um ortopedista"


@pytest.mark.parametrize(
    ("rules", "said", "expected"),
    [
        ({}, "quero um cardiologista", CARDIOLOGY),
        ({"confidence_threshold": 0.81}, "quero um cardiologista", set()),
        ({"topk": 1}, "quero um cardiologista e um dermatologista", {"clinic_b"}),
        ({"topk": 2}, "quero um cardiologista e um dermatologista", {*CARDIOLOGY, "clinic_b", "clinic_f"}),
        ({"topk": 1}, THREE, {"clinic_d"}),
        ({"topk": 1, "conflict_policy": ConflictPolicy.FIRST_LISTED}, THREE, {"clinic_b", "clinic_d"}),
    ],
    ids=lambda value: repr(sorted(value) if isinstance(value, set) else value),  # the same in every process
)
def test_the_rules_of_the_registry_decide_who_is_asked(
    running: Clinics, rules: dict[str, object], said: str, expected: set[str]
) -> None:
    with open_talk(overlapping(running, **rules)) as talk:
        talk.say(said)
    assert asked(talk) == expected


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("rules", "said", "outcome"),
    [
        ({"task_timeout_seconds": 1}, "horários do Dr. Fernando Mendes", TurnOutcome.ALL_DOWN),
        ({"task_timeout_seconds": 60}, "horários do Dr. Fernando Mendes", TurnOutcome.OK),
        ({"write_timeout_seconds": 1}, "quero o Dr. Fernando Mendes dia 28/07 às 10h", TurnOutcome.UNKNOWN_WRITE),
        ({"write_timeout_seconds": 60}, "quero o Dr. Fernando Mendes dia 28/07 às 10h", TurnOutcome.OK),
    ],
    ids=repr,
)
def test_a_task_is_waited_for_as_long_as_the_registry_says(
    tmp_path: Path, rules: dict[str, int], said: str, outcome: TurnOutcome
) -> None:
    def slow(passage: Passage) -> bytes:
        time.sleep(2)
        return passage.forward()

    with (
        open_clinics(tmp_path, ["clinic_c"]) as clinics,
        open_relays([clinics.registry["clinic_c"].address]) as (relay,),
    ):
        agent = replace(clinics.registry["clinic_c"], address=relay.address)
        with open_talk(Registry({agent.id: agent}, RoutingRules(**rules))) as talk:  # type: ignore[arg-type]
            relay.trouble(slow, 9)
            assert talk.say(said).outcome is outcome


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("não é JSON", "unknown"),
        ('{"intent": "query", "steps":', "unknown"),
        ('{"confidence": 1}', "unknown"),
        ("[[]]", "list_available_slots"),  # a list of steps, of which the only one is none
    ],
)
def test_malformed_json_leaves_the_words_to_decide(running: Clinics, text: str, intent: str) -> None:
    def script(body: Body) -> Reply:
        return Answer(text) if purpose_of(body) == "plan" else GOOD(body)

    with open_model_talk(running.registry, script) as (talk, _):
        reply = talk.say("quero um cardiologista")
    assert (asked(talk), reply.outcome) == (CARDIOLOGY, TurnOutcome.OK)
    assert decision(talk).classification.intent == intent


def test_what_nobody_is_for_is_answered_by_the_model_where_the_registry_says_so(running: Clinics) -> None:
    registry = with_fallback(running.registry, FallbackPolicy.ANSWER)
    with open_model_talk(registry, answering("A capital da França é Paris.")) as (talk, server):
        reply = talk.say("sou Carlos Teste, qual a capital da França?")
        assert not any(secret in server.received for secret in (b"Carlos", b"123.456"))
    assert reply.plain.startswith("Não há atendimento especializado para esse pedido")
    assert reply.plain.endswith("A capital da França é Paris.")
    assert (asked(talk), fallbacks(talk)) == (set(), [FallbackPolicy.ANSWER])


@pytest.mark.parametrize("text", ["Tome dipirona 500 mg.", "Sua consulta foi marcada.", "Você tem gastrite."])
def test_a_direct_answer_that_the_verifier_finds_fault_with_is_never_shown(running: Clinics, text: str) -> None:
    registry = with_fallback(running.registry, FallbackPolicy.ANSWER)
    with open_model_talk(registry, answering(text)) as (talk, _):
        reply = talk.say("qual a capital da França?")
    assert text not in reply.plain
    assert "não tenho uma resposta segura" in reply.plain


def test_an_audit_may_keep_back_a_direct_answer_that_the_rules_let_pass(running: Clinics) -> None:
    registry = with_fallback(running.registry, FallbackPolicy.ANSWER)
    says = answering("A capital da França é Paris.")
    blocked = Answer(json.dumps({"safe": False, "note": "R3: advice"}))

    def script(body: Body) -> Reply:
        return blocked if purpose_of(body) == "audit" else says(body)

    with open_model_talk(registry, script) as (talk, _):
        reply = talk.say("qual a capital da França?")
    assert "Paris" not in reply.plain


def test_what_was_shown_of_a_clinic_that_has_gone_since_can_be_spoken_of_without_harm(running: Clinics) -> None:
    with open_talk(running.registry) as talk:
        talk.say("quero um cardiologista")
        talk.say("quero o Dr. Fernando Mendes dia 19/07 às 14h")
        before = talk.session
        assert before.receipts
    agents = {name: agent for name, agent in running.registry.items() if name != "clinic_c"}
    for said in ("o primeiro", "o segundo", "preciso cancelar minha consulta", "preciso remarcar para mais cedo", "oi"):
        with open_talk(Registry(agents)) as talk:
            talk.session = before
            reply = talk.say(said)
        assert reply.plain
        assert "clinic_c" not in asked(talk)


def test_what_nobody_is_for_is_written_down_where_the_registry_says_so(running: Clinics, tmp_path: Path) -> None:
    registry = with_fallback(running.registry, FallbackPolicy.PROPOSE)
    with open_talk(registry, data_dir=tmp_path) as talk:
        reply = talk.say("quero pedir uma pizza, sou Carlos Teste")
    assert "Anotei a sugestão" in reply.plain
    (record,) = (tmp_path / "proposals").glob("*.json")
    assert "Carlos" not in record.read_text("utf-8")


def test_who_has_too_many_plans_made_is_answered_by_the_offline_engine(running: Clinics) -> None:
    throttle = {Purpose.PLAN: TokenBucket(1, 0.001)}
    with open_model_talk(running.registry, planning(confidence=0.9), throttle=throttle) as (talk, server):
        talk.say(HEART)
        reply = talk.say("quero um cardiologista")
        plans = [purpose_of(request.body) for request in server.requests].count("plan")
    assert plans == 1
    assert (reply.outcome, talk.plan.proposed) == (TurnOutcome.OK, None)
    assert asked(talk) == CARDIOLOGY
    (throttled,) = (event for event in talk.events if isinstance(event, ModelThrottled))
    assert throttled.retry_after_s > 900
