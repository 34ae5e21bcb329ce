"""What comes before any booking: emergencies, and what a clinic desk must not answer."""

from __future__ import annotations

import pytest

from orchestrator.turn.identity import Role
from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.wish import spans_of
from tests.support.sentences import rows, sentences
from tests.unit.planner.desk import Desk


@pytest.mark.parametrize("text", sentences("safety.txt", "emergencies"))
def test_a_red_flag_comes_before_everything(text: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.EMERGENCY, Topic.MEDICAL_EMERGENCY, ())


@pytest.mark.parametrize(("text", "topic"), rows("safety.txt", "a caution"))
def test_a_sign_that_may_be_anything_is_a_question_with_a_caution(text: str, topic: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.CLARIFY, Topic[topic], ())
    assert plan.caution is Topic.POSSIBLE_EMERGENCY


def test_openings_asked_for_with_a_sign_come_with_the_caution() -> None:
    plan = Desk.open().say("preciso de um cardiologista, ando com palpitação e dor no peito")
    assert (plan.kind, plan.caution) == (PlanKind.STEPS, Topic.POSSIBLE_EMERGENCY)


@pytest.mark.parametrize("text", sentences("safety.txt", "no caution"))
def test_without_a_sign_there_is_no_caution(text: str) -> None:
    assert Desk.open().say(text).caution is None


@pytest.mark.parametrize(
    ("request_", "yes", "action"),
    [
        ("cancela minha consulta, estou com falta de ar", "sim", "cancel_appointment"),
        ("I'm short of breath, please cancel my appointment", "yes", "cancel_appointment"),
        ("estou tonta, remarca para sábado às 14h", "pode ser", "reschedule_appointment"),
    ],
)
def test_a_change_asked_for_with_a_sign_waits_for_a_yes(request_: str, yes: str, action: str) -> None:
    desk = Desk.open()
    desk.say("marca com o Dr. Fernando dia 18 às 10h")
    asked = desk.say(request_)
    assert (asked.kind, asked.topic, asked.steps) == (PlanKind.CLARIFY, Topic.ASK_GO_ON, ())
    assert asked.caution is Topic.POSSIBLE_EMERGENCY
    assert [step.action for step in desk.say(yes).steps] == [action]


def test_a_no_to_going_on_changes_nothing() -> None:
    desk = Desk.open()
    desk.say("marca com o Dr. Fernando dia 18 às 10h", "cancela, estou passando mal")
    assert desk.say("não").steps == ()
    assert desk.say("sim").steps == ()


def test_a_day_on_which_it_hurt_is_no_day_that_suits() -> None:
    plan = Desk.open().say("senti uma fisgada no peito ontem, quero um cardiologista")
    assert (plan.kind, spans_of(plan.wish.chain[0])) == (PlanKind.STEPS, ())


@pytest.mark.parametrize("text", sentences("safety.txt", "talk of dying"))
def test_talk_of_dying_is_an_emergency_of_its_own(text: str) -> None:
    assert Desk.open().say(text).topic is Topic.SELF_HARM


@pytest.mark.parametrize("text", sentences("safety.txt", "past or denied"))
def test_a_sign_that_is_past_or_denied_is_no_emergency(text: str) -> None:
    assert Desk.open().say(text).kind is PlanKind.STEPS


@pytest.mark.parametrize(("text", "topic"), rows("safety.txt", "refused"))
def test_what_no_desk_may_answer_is_refused(text: str, topic: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.REFUSE, Topic[topic], ())


@pytest.mark.parametrize("text", sentences("safety.txt", "not refused"))
def test_booking_words_are_not_taken_for_a_forbidden_question(text: str) -> None:
    assert Desk.open().say(text).kind is not PlanKind.REFUSE


def test_staff_may_open_a_record_that_a_patient_may_not_ask_for() -> None:
    asked = "ficha do paciente CARD-001"
    assert Desk.open().say(asked).topic is Topic.OTHER_PERSON
    assert Desk.open(role=Role.OPERATOR).say(asked).kind is PlanKind.STEPS
