"""A plan that the person chose from a list goes the way of any other: gate, consent, request_id; it is never a yes."""

import threading
from dataclasses import replace

import pytest

from orchestrator.turn.plan import Plan
from orchestrator.turn.reply import TurnOutcome
from tests.support.list_keeper import ListKeeper
from tests.support.memories import a_memory
from tests.unit.orchestrator.scene import BOOKING, CARLOS, LISTING, Scene


@pytest.fixture
def scene() -> Scene:
    return Scene({"marque": BOOKING})


def choose(scene: Scene, plan: Plan, utterance: str = "quero esse") -> TurnOutcome:
    reply, scene.session = scene.conversation.turn(scene.session, utterance, threading.Event(), plan)
    return reply.outcome


def test_a_chosen_write_is_proposed_under_an_id_and_made_by_a_yes(scene: Scene) -> None:
    assert choose(scene, BOOKING) is TurnOutcome.CONFIRM
    assert scene.router.dispatched == []
    assert scene.session.proposal is not None
    assert scene.session.proposal.plan.steps[0].request_id is not None
    scene.say("sim")
    assert len(scene.session.receipts) == 1


def test_a_chosen_read_is_sent_and_nothing_has_to_be_understood(scene: Scene) -> None:
    choose(scene, LISTING)
    assert [steps for steps, _ in scene.router.dispatched] == [LISTING.steps]
    assert scene.planner.asked == []


def test_what_is_remembered_of_a_choice_never_answers_an_open_proposal(scene: Scene) -> None:
    scene.say("marque")
    assert choose(scene, LISTING, "sim") is TurnOutcome.OK
    assert scene.session.receipts == ()
    assert scene.session.proposal is None


def test_a_chosen_plan_for_a_clinic_that_the_registry_does_not_hold_reaches_nobody(scene: Scene) -> None:
    stranger = replace(LISTING, steps=(replace(LISTING.steps[0], clinic="clinic_x"),))
    choose(scene, stranger)
    assert scene.router.dispatched == []


def test_a_chosen_plan_is_compared_with_what_is_remembered_of_the_person() -> None:
    memory = ListKeeper({CARLOS.cpf: [a_memory("prefiro de manhã")]})
    scene = Scene({}, memory=memory)
    choose(scene, BOOKING)
    assert scene.session.proposal is not None
    assert [one.said for one in scene.session.proposal.plan.reminders] == ["prefiro de manhã"]
