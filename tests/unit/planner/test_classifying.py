"""What a turn is about: from the words alone in golden cases, and with whatever a model makes of it."""

from __future__ import annotations

import json

import pytest

from orchestrator.agents.gate import check_plan
from orchestrator.agents.registry_file import read_registry
from orchestrator.journal.events import ModelFailure
from orchestrator.llm.language_model import ModelError
from orchestrator.turn.identity import Role
from orchestrator.turn.plan import Classification, PlanKind, Subtask
from tests.unit.planner.desk import Desk
from tests.unit.planner.model_desk import condition, listing, plan_of, proposing, saying, scope, step, steps, turn

REGISTRY = read_registry(8001)

CARDIOLOGY, DERMATOLOGY, ORTHOPEDICS = ("clinic_a", "clinic_c"), ("clinic_b", "clinic_f"), ("clinic_d", "clinic_e")

# utterances; intent, domains, confidence; the agents that are called
GOLDEN: list[tuple[tuple[str, ...], str, tuple[str, ...], float, tuple[str, ...]]] = [
    (("quero um cardiologista",), "list_available_slots", ("Cardiology",), 1.0, CARDIOLOGY),
    (("tem dermatologista amanhã?",), "list_available_slots", ("Dermatology",), 1.0, DERMATOLOGY),
    (("I need an orthopedist",), "list_available_slots", ("Orthopedics",), 1.0, ORTHOPEDICS),
    (
        ("quero um cardiologista e um dermatologista",),
        "list_available_slots",
        ("Cardiology", "Dermatology"),
        1.0,
        ("clinic_a", "clinic_c", "clinic_b", "clinic_f"),
    ),
    (("horários da Clínica D",), "list_available_slots", ("Orthopedics",), 1.0, ("clinic_d",)),
    (("horários do Dr. Ricardo Lopes",), "list_available_slots", ("Cardiology",), 1.0, ("clinic_a",)),
    (("quero o Dr. Ricardo Lopes dia 21/07 às 9h",), "book_appointment", ("Cardiology",), 1.0, ("clinic_a",)),
    # the conversation supplies what the words leave out
    (("quero um ortopedista", "o primeiro"), "book_appointment", ("Orthopedics",), 0.8, ("clinic_d",)),
    (("quero um cardiologista", "e na semana que vem?"), "list_available_slots", ("Cardiology",), 0.8, CARDIOLOGY),
    (
        ("quero o Dr. Fernando Mendes dia 18/07 às 10h", "preciso cancelar minha consulta"),
        "cancel_appointment",
        ("Cardiology",),
        0.8,
        ("clinic_c",),
    ),
    (
        ("quero o Dr. Fernando Mendes dia 18/07 às 10h", "preciso remarcar minha consulta"),
        "list_available_slots",  # to where, is asked with what its doctor has
        ("Cardiology",),
        0.8,
        ("clinic_c",),
    ),
    # nobody is called
    (("preciso cancelar minha consulta",), "cancel_appointment", (), 0.8, ()),
    (("quero marcar uma consulta",), "list_available_slots", (), 0.8, ()),
    (("meu joelho dói",), "list_available_slots", ("Orthopedics",), 0.8, ()),
    (("quero um pediatra",), "other_specialty", (), 1.0, ()),
    (("quero uma pizza",), "off_topic", (), 1.0, ()),
    (("oi",), "greeting", (), 1.0, ()),
    (("blá blá blá",), "unknown", (), 0.3, ()),
]


@pytest.mark.parametrize(
    ("said", "intent", "domains", "confidence", "agents"), GOLDEN, ids=[" / ".join(row[0]) for row in GOLDEN]
)
def test_the_words_and_the_conversation_say_what_a_turn_is_about(
    said: tuple[str, ...], intent: str, domains: tuple[str, ...], confidence: float, agents: tuple[str, ...]
) -> None:
    plan = Desk.open().say(*said)
    about = plan.classification
    assert about is not None
    assert (about.intent, about.domains, about.confidence) == (intent, domains, confidence)
    allowed, decision = check_plan(REGISTRY, plan, said[-1], "t-1")
    assert allowed is plan
    assert decision.chosen == agents


def test_a_patient_id_says_the_domain() -> None:
    plan = Desk.open(role=Role.OPERATOR).say("abre a ficha ORTH-001")
    assert plan.classification == Classification("get_patient", ("Orthopedics",), (), 1.0)


def test_several_specialties_are_subtasks() -> None:
    about = Desk.open().say("quero um cardiologista e um dermatologista").classification
    assert about is not None
    assert [(part.intent, part.domain) for part in about.subtasks] == [
        ("list_available_slots", "Cardiology"),
        ("list_available_slots", "Dermatology"),
    ]


def classified(answer: str, **fields: object) -> str:
    """A model's answer with a classification."""
    return json.dumps({**json.loads(answer), **fields})


HEART = "é sobre o meu coraçãozinho"  # the grammar knows no such word
AB = listing("clinic_a", "clinic_c")


def about(utterance: str, said: str) -> tuple[Classification, tuple[str, ...], PlanKind]:
    """What a turn is about with a model's answer, which agents are called, and what the turn comes to."""
    plan = plan_of(Desk.open(), utterance, said)
    assert plan.classification is not None
    allowed, decision = check_plan(REGISTRY, plan, utterance, "t-1")
    return plan.classification, decision.chosen, allowed.kind


def test_a_models_classification_comes_with_its_plan() -> None:
    part = {"title": "Horários", "reason": "coração", "intent": "list_available_slots", "domain": "cardiology"}
    said = classified(
        AB, intent="book_appointment", domains=["cardiology", "Pediatrics"], subtasks=[part], confidence=0.7
    )
    assert about(HEART, said) == (
        Classification(
            "book_appointment",
            ("Cardiology",),
            (Subtask("Horários", "coração", "list_available_slots", "Cardiology"),),
            0.7,
        ),
        CARDIOLOGY,
        PlanKind.STEPS,
    )


def test_a_model_that_is_not_sure_has_nobody_called() -> None:
    first = turn(proposing(book=[[scope(condition("specialty", "Cardiology"))]]))
    for said in (AB, first):
        classification, agents, kind = about(HEART, classified(said, confidence=0.5))
        assert (classification.confidence, agents, kind) == (0.5, (), PlanKind.OUT_OF_SCOPE)


def test_a_models_doubt_does_not_count_for_what_the_words_say() -> None:
    classification, agents, kind = about("quero um cardiologista", classified(AB, confidence=0.1))
    assert (classification.confidence, agents, kind) == (1.0, CARDIOLOGY, PlanKind.STEPS)


@pytest.mark.parametrize("utterance", [HEART, "quero um cardiologista"])
@pytest.mark.parametrize(
    ("intent", "domain"),
    [("list_available_slots", "Dermatology"), ("cancel_appointment", "Cardiology"), ("greeting", "Cardiology")],
)
def test_steps_that_disagree_with_what_a_model_says_of_them_are_not_sent(
    utterance: str, intent: str, domain: str
) -> None:
    classification, agents, kind = about(utterance, classified(AB, confidence=0.9, intent=intent, domains=[domain]))
    assert (classification.intent, classification.domains) == (intent, (domain,))
    assert (agents, kind) == ((), PlanKind.OUT_OF_SCOPE)


def test_an_intent_that_nobody_knows_counts_only_against_what_the_words_do_not_say() -> None:
    said = classified(AB, intent="cost_analysis", domains=["azure"], confidence=0.9)
    assert about(HEART, said)[1:] == ((), PlanKind.OUT_OF_SCOPE)
    classification, agents, _ = about("quero um cardiologista", said)
    assert (classification.intent, agents) == ("list_available_slots", CARDIOLOGY)
    assert classification.given is not None
    assert (classification.given.intent, classification.given.confidence) == ("unknown", 0.9)


def test_what_a_model_wants_to_change_is_what_the_reads_are_for() -> None:
    said = turn(proposing(book=[[scope(condition("specialty", "Cardiology"))]]))
    classification, agents, _ = about("quero um cardiologista", said)
    assert (classification.intent, classification.domains) == ("book_appointment", ("Cardiology",))
    assert agents == CARDIOLOGY


def test_domains_of_a_model_without_subtasks_are_a_subtask_each_and_three_at_most() -> None:
    said = listing("clinic_a", "clinic_b", "clinic_c", "clinic_d", "clinic_e", "clinic_f")
    domains = ["Cardiology", "dermatology", "Orthopedics"]
    classification, agents, _ = about(HEART, classified(said, intent="list_available_slots", domains=domains))
    assert [part.domain for part in classification.subtasks] == ["Cardiology", "Dermatology", "Orthopedics"]
    assert set(agents) == {"clinic_a", "clinic_b", "clinic_c", "clinic_d", "clinic_e", "clinic_f"}
    classification, agents, _ = about(HEART, classified(said, intent="list_available_slots", domains=domains[:2]))
    assert set(agents) == {"clinic_a", "clinic_b", "clinic_c", "clinic_f"}


def test_different_intents_of_a_model_are_subtasks_with_their_own_agents() -> None:
    desk = Desk.open(role=Role.OPERATOR)
    said = steps(step("clinic_a", "list_patients"), step("clinic_b", "query", query="asma"))
    plan = plan_of(desk, "mostre tudo", classified(said, confidence=0.9))
    _, decision = check_plan(REGISTRY, plan, "mostre tudo", "t-1")
    assert {(task.intent, task.domains) for task in decision.tasks} == {
        ("list_patients", ("Cardiology",)),
        ("query", ("Dermatology",)),
    }


BROKEN_FIELDS: list[dict[str, object]] = [
    {"confidence": "high"},
    {"confidence": True},
    {"confidence": -0.1},
    {"confidence": 1.1},
    {"confidence": 10**400},
    {"confidence": None},
    {"confidence": [0.2]},
    {"domains": None},
    {"domains": "Cardiology"},
    {"domains": [1, None, {"a": 1}]},
    {"domains": ["Nowhere"] * 100},
    {"subtasks": "none"},
    {"subtasks": [None, 3, [], {}, {"title": 7}]},
    {"subtasks": [{"title": "[PATIENT] quer", "reason": "\x1b[31m", "intent": 4, "domain": []}]},
    {"intent": None},
    {"intent": ["a", "b"]},
    {"intent": {"of": "a"}},
]


@pytest.mark.parametrize("fields", BROKEN_FIELDS, ids=repr)
def test_a_classification_that_cannot_be_read_costs_nothing_that_was_planned_well(fields: dict[str, object]) -> None:
    classification, agents, kind = about(HEART, classified(AB, **fields))
    assert (classification.intent, classification.domains) == ("list_available_slots", ("Cardiology",))
    assert (classification.confidence, agents, kind) == (0.8, CARDIOLOGY, PlanKind.STEPS)


def test_an_intent_that_nobody_knows_is_unknown_so_that_a_log_repeats_nothing() -> None:
    classification, _, _ = about(HEART, classified(AB, intent="maria_souza_wants", confidence=0.9))
    assert classification.intent == "unknown"


def test_what_a_model_writes_freely_is_short_printable_and_stands_for_nobody() -> None:
    parts = [
        {"title": "a\x1b[31m\n" + "b" * 500, "reason": "", "intent": "query", "domain": "x"},
        {"title": "para [PATIENT]", "reason": "[CPF-1]", "intent": "query", "domain": ""},
        *({"title": f"{number}", "reason": "", "intent": "query", "domain": ""} for number in range(20)),
    ]
    classification, _, _ = about(HEART, classified(AB, subtasks=parts))
    assert len(classification.subtasks) == 6
    first, second = classification.subtasks[:2]
    assert first.title.isprintable()
    assert len(first.title) == 120
    assert first.domain == ""
    assert (second.title, second.reason) == ("", "")


@pytest.mark.parametrize("text", ["no JSON at all", '{"intent": "query"', '{"kind": 7}', "[]", "{}"])
def test_malformed_json_falls_back_to_the_words_with_the_intent_unknown(text: str) -> None:
    classification, agents, kind = about("quero um cardiologista", text)
    assert (classification.intent, classification.domains) == ("unknown", ("Cardiology",))
    assert (agents, kind) == (CARDIOLOGY, PlanKind.STEPS)


def test_without_an_answer_the_words_alone_classify() -> None:
    plan = plan_of(Desk.open(), "quero um cardiologista", ModelError(ModelFailure.TIMED_OUT, "late"))
    assert plan.classification == Classification("list_available_slots", ("Cardiology",), (), 1.0)


def test_a_topic_of_a_model_is_classified_without_steps() -> None:
    classification, agents, kind = about(HEART, classified(saying("off_topic"), confidence=0.4))
    assert (classification.intent, classification.confidence, agents) == ("off_topic", 0.4, ())
    assert kind is PlanKind.OUT_OF_SCOPE
