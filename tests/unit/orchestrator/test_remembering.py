"""When a conversation looks into the memory, when it changes it, and what nobody hears of it."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from orchestrator.journal.events import MemoryDone, MemoryRecalled
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.memory_calls import ForgetAllMemories, ListMemories, MemoryKind, MemoryStatus, SaveMemory
from orchestrator.turn.plan import Plan, PlanKind, Step, Topic
from orchestrator.turn.session import Session
from tests.support.list_keeper import ListKeeper
from tests.support.memories import a_memory
from tests.unit.orchestrator.fakes import Answer
from tests.unit.orchestrator.scene import BOOKING, CARLOS, LISTING, Scene, acknowledged

SAVING = SaveMemory(MemoryKind.RESTRICTION, "não posso às sextas")
TOLD = Plan(PlanKind.SMALLTALK, Language.PT, topic=Topic.WHAT_ELSE, memory=(SAVING,))
PLANS = {
    "conto": TOLD,
    "peço e conto": replace(LISTING, memory=(SAVING,)),
    "marco e conto": replace(BOOKING, memory=(SAVING,)),
    "pergunto": replace(TOLD, memory=(ListMemories(),)),
    "apago": replace(TOLD, memory=(ForgetAllMemories(),)),
}


def scene_with(keeper: ListKeeper) -> Scene:
    return Scene(PLANS, memory=keeper)


def test_what_is_remembered_is_given_to_the_planner_and_forgotten_by_the_session() -> None:
    keeper = ListKeeper({CARLOS.cpf: [a_memory("só posso de manhã")]})
    scene = scene_with(keeper)
    scene.say("bom dia")
    (_, seen, _) = scene.planner.asked[-1]
    assert seen.remembers
    assert [one.content for one in seen.recalled] == ["só posso de manhã"]
    assert scene.session.recalled == ()


def test_what_a_plan_asks_for_is_done_after_it_stands() -> None:
    keeper = ListKeeper()
    scene = scene_with(keeper)
    assert "memory: saved" in scene.say("peço e conto")
    assert keeper.calls == [(SAVING, scene.session.session_id)]


def test_a_yes_looks_nothing_up_and_saves_nothing_a_second_time() -> None:
    keeper = ListKeeper()
    scene = scene_with(keeper)
    scene.say("marco e conto")
    scene.say("sim")
    assert keeper.recalls == ["marco e conto"]
    assert len(keeper.calls) == 1


def test_a_turn_that_was_stopped_saves_nothing() -> None:
    keeper = ListKeeper()
    scene = scene_with(keeper)
    cancel = threading.Event()
    cancel.set()
    scene.say("conto", cancel)
    assert keeper.calls == []


def test_a_turn_that_is_stopped_while_clinics_are_asked_saves_nothing() -> None:
    keeper, cancel = ListKeeper(), threading.Event()

    def stops(step: Step) -> Answer:
        cancel.set()
        return acknowledged(step)

    assert "cancelled" in Scene(PLANS, answer=stops, memory=keeper).say("peço e conto", cancel)
    assert keeper.calls == []


def test_of_staff_their_own_is_saved_and_none_of_it_is_looked_up_for_a_turn() -> None:
    keeper = ListKeeper()
    scene = scene_with(keeper)
    scene.session = replace(scene.session, role=Role.OPERATOR)
    scene.say("conto")
    assert keeper.recalls == []
    assert keeper.calls
    assert scene.planner.asked[-1][1].remembers


def test_while_staff_serve_somebody_nothing_is_looked_up_or_saved() -> None:
    keeper = ListKeeper()
    scene = scene_with(keeper)
    scene.session = replace(scene.session, role=Role.OPERATOR, operator=scene.session.identity)
    scene.say("conto")
    assert (keeper.recalls, keeper.calls) == ([], [])
    assert not scene.planner.asked[-1][1].remembers


def test_without_a_memory_a_plan_changes_nothing() -> None:
    scene = Scene(PLANS)
    assert "memory" not in scene.say("conto")
    assert not scene.planner.asked[-1][1].remembers


def test_another_person_at_the_same_terminal_is_told_nothing_of_the_first() -> None:
    keeper = ListKeeper()
    scene = scene_with(keeper)
    scene.say("conto")
    scene.session = Session(Identity.of("Ana Lima", "529.982.247-25"))
    scene.say("bom dia")
    assert scene.planner.asked[-1][1].recalled == ()


def test_what_was_listed_can_be_named_by_its_number_until_something_is_forgotten() -> None:
    keeper = ListKeeper({CARLOS.cpf: [a_memory("só posso de manhã")]})
    scene = scene_with(keeper)
    scene.say("pergunto")
    assert [one.content for one in scene.session.memories] == ["só posso de manhã"]
    scene.say("apago")
    assert scene.session.memories == ()


def test_events_and_the_logged_reply_hold_counts_and_statuses_alone() -> None:
    keeper = ListKeeper({CARLOS.cpf: [a_memory("só posso de manhã")]})
    scene = scene_with(keeper)
    reply = scene.answer("conto")
    recalled = [event.count for event in scene.events if isinstance(event, MemoryRecalled)]
    done = [(event.tool, event.kind, event.status) for event in scene.events if isinstance(event, MemoryDone)]
    assert recalled == [1]
    assert done == [("salvar_memoria", MemoryKind.RESTRICTION, MemoryStatus.SAVED)]
    assert "sextas" not in "".join(map(repr, scene.events))
    assert "memory" not in reply.loggable
    assert scene.session.history[-1].private


@pytest.mark.parametrize("utterance", ["conto", "peço e conto"])
def test_what_came_of_a_call_goes_with_the_reply(utterance: str) -> None:
    reply = scene_with(ListKeeper()).answer(utterance)
    assert [result.status for result in reply.memory] == [MemoryStatus.SAVED]
