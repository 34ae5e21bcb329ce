"""What is said where no clinic is called."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generated.mesh.v1.options_pb2 import ACCESS_AGENDA
from orchestrator.planner.model.turn_form import TOPICS
from orchestrator.responder.templates import TemplateResponder
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind, Topic
from orchestrator.turn.reply import SAFE, Reply, Table, TurnOutcome
from orchestrator.turn.reply_steps import ReplySteps
from orchestrator.turn.step_actions import CATALOGUE, is_write
from tests.support.clinic_turns import CLINICS, ON_18_AT_10, SESSION, failed, openings, plan_of, verdict_on

FACTS = {
    "specialty": "Cardiology",
    "days": "sexta-feira ou segunda-feira",
    "visit": "Dr. Ricardo Lopes, segunda-feira, 21/07/2025 às 09:00",
    "minutes": "30",
    "times": "Dr. Ricardo Lopes, 6 dias",
}


def say(
    topic: Topic, language: Language = Language.PT, *, kind: PlanKind = PlanKind.CLARIFY, choices: tuple[str, ...] = ()
) -> Reply:
    plan = Plan(kind, language, topic=topic, facts=FACTS, choices=choices)
    return TemplateResponder().say(plan, SESSION, CLINICS)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", Topic)
def test_every_topic_has_a_text_that_the_verifier_lets_pass(topic: Topic, language: Language) -> None:
    reply = say(topic, language)
    assert reply.plain.strip()
    assert "{" not in reply.plain
    assert verdict_on(reply.plain, (), plan=Plan(PlanKind.CLARIFY, language, topic=topic, facts=FACTS)) == SAFE


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_that_a_model_may_choose_can_be_said_beside_another(topic: Topic, language: Language) -> None:
    plan = Plan(PlanKind.CLARIFY, language, topic=Topic.WHAT_ELSE, reply=ReplySteps(topics=(topic,)))
    said = TemplateResponder().say(plan, SESSION, CLINICS).plain
    assert said.startswith(say(topic, language).plain)
    assert "{" not in said


@pytest.mark.parametrize("language", Language)
def test_every_tool_that_writes_has_words_for_consent(language: Language) -> None:
    assert {action for action in CATALOGUE if is_write(action)} <= set(
        texts_in(language).table("responder.consent.titles")
    )


OF_AN_AGENDA = {name for name, tool in CATALOGUE.items() if tool.options.access == ACCESS_AGENDA}
"""Their answers are worded by the front desk."""


@pytest.mark.parametrize("action", sorted(CATALOGUE.keys() - OF_AN_AGENDA))
def test_every_tool_of_the_contract_can_be_answered(action: str) -> None:
    results = (failed("clinic_a", action),)
    assert TemplateResponder().answer(plan_of(results), results, SESSION, CLINICS).outcome is TurnOutcome.ALL_DOWN


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("topic", "numbers"),
    [
        (Topic.MEDICAL_EMERGENCY, ["192"]),
        (Topic.SELF_HARM, ["192", "188"]),
        (Topic.SELF_HARM_OF_ANOTHER, ["192", "188"]),
        (Topic.POISONING, ["192", "0800 722 6001"]),
        (Topic.VIOLENCE, ["190", "180", "100", "192"]),
        (Topic.DISTRESS, ["188", "192"]),
    ],
)
def test_an_emergency_names_each_number_once_and_the_first_to_call_first(
    topic: Topic, numbers: list[str], language: Language
) -> None:
    plain = say(topic, language, kind=PlanKind.EMERGENCY).plain
    assert re.findall(r"0800 722 6001|\d+", plain) == numbers
    assert verdict_on(plain, (), plan=Plan(PlanKind.EMERGENCY, language, topic=topic)) == SAFE


@pytest.mark.parametrize("language", Language)
def test_a_caution_names_samu_before_anything_else_is_said(language: Language) -> None:
    plan = Plan(PlanKind.CLARIFY, language, topic=Topic.ASK_SPECIALTY, caution=Topic.POSSIBLE_EMERGENCY)
    caution, question = TemplateResponder().say(plan, SESSION, CLINICS).plain.split("\n")[0:3:2]
    assert "192" in caution
    assert "192" not in question


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("topic", [Topic.ASK_SPECIALTY, Topic.OFFER_SPECIALTY, Topic.DIAGNOSIS])
def test_what_follows_a_caution_repeats_no_number_and_is_not_glad(topic: Topic, language: Language) -> None:
    facts = {"specialty": "Cardiology"} if topic is Topic.OFFER_SPECIALTY else {}
    plan = Plan(PlanKind.CLARIFY, language, topic=topic, facts=facts, caution=Topic.POSSIBLE_EMERGENCY)
    plain = TemplateResponder().say(plan, SESSION, CLINICS).plain
    assert plain.count("192") == 1
    assert not re.search(r"Claro|Sure", plain)


@pytest.mark.parametrize("language", Language)
def test_openings_come_after_the_caution(language: Language) -> None:
    results = (openings("clinic_c", ON_18_AT_10),)
    plan = replace(plan_of(results, language), caution=Topic.POSSIBLE_EMERGENCY)
    plain = TemplateResponder().answer(plan, results, SESSION, CLINICS).plain
    assert "192" in plain.splitlines()[0]
    assert verdict_on(plain, results, plan=plan) == SAFE


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("topic", "numbers"),
    [(Topic.SELF_HARM, ["188"]), (Topic.SELF_HARM_OF_ANOTHER, ["188"]), (Topic.VIOLENCE, ["190", "180", "100"])],
)
def test_behind_a_call_for_an_ambulance_its_number_is_not_repeated(
    topic: Topic, numbers: list[str], language: Language
) -> None:
    plan = Plan(PlanKind.EMERGENCY, language, topic=topic, caution=Topic.MEDICAL_EMERGENCY)
    plain = TemplateResponder().say(plan, SESSION, CLINICS).plain
    assert re.findall(r"\d+", plain) == ["192", *numbers]


@pytest.mark.parametrize("language", Language)
def test_self_harm_names_cvv(language: Language) -> None:
    assert "188" in say(Topic.SELF_HARM, language).plain


def test_another_specialty_is_answered_with_those_there_are() -> None:
    reply = say(Topic.OTHER_SPECIALTY, kind=PlanKind.OUT_OF_SCOPE)
    assert "Cardiologia e Dermatologia" in reply.plain
    assert "Cardiology and Dermatology" in say(Topic.OTHER_SPECIALTY, Language.EN).plain
    assert reply.outcome is TurnOutcome.REFUSED


def test_a_symptoms_specialty_is_named_in_the_persons_language() -> None:
    assert "Cardiologia" in say(Topic.OFFER_SPECIALTY).plain
    assert "Cardiology" in say(Topic.OFFER_SPECIALTY, Language.EN).plain


def test_choices_are_numbered_in_their_order() -> None:
    (_, shown) = say(Topic.ASK_WHICH_DOCTOR, choices=("Dr. Ricardo Lopes", "Dr. Fernando Mendes")).blocks
    assert isinstance(shown, Table)
    assert shown.rows == (
        ("1", "Dr. Ricardo Lopes (Cardiologia, Clínica A)"),
        ("2", "Dr. Fernando Mendes (Cardiologia, Clínica C)"),
    )


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        (PlanKind.REFUSE, TurnOutcome.REFUSED),
        (PlanKind.OUT_OF_SCOPE, TurnOutcome.REFUSED),
        (PlanKind.CLARIFY, TurnOutcome.OK),
        (PlanKind.SMALLTALK, TurnOutcome.OK),
        (PlanKind.EMERGENCY, TurnOutcome.OK),
    ],
)
def test_a_refusal_is_told_apart_for_scripts(kind: PlanKind, outcome: TurnOutcome) -> None:
    assert say(Topic.HELP, kind=kind).outcome is outcome


def test_a_plan_with_neither_steps_nor_topic_cannot_be_said() -> None:
    with pytest.raises(ValueError, match="needs a topic"):
        TemplateResponder().say(Plan(PlanKind.CLARIFY, Language.PT), SESSION, CLINICS)
