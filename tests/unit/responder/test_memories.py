"""What is said of what is remembered: announced, listed, marked on openings, and kept from log and model."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import product

import pytest

from orchestrator.responder.templates import TemplateResponder
from orchestrator.texts import texts_in
from orchestrator.turn.clinic_answers import offers_of
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryCall,
    MemoryKind,
    MemoryResult,
    MemoryStatus,
    RecallMemories,
    SaveMemory,
)
from orchestrator.turn.opening_filter import Not, WithDoctors
from orchestrator.turn.plan import Plan, PlanKind, SlotPreference, Topic
from orchestrator.turn.reply import Paragraph, Reply, Table, TurnOutcome
from orchestrator.turn.session import Proposal
from orchestrator.turn.wish import when_in
from tests.support.clinic_turns import (
    CLINICS,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    SESSION,
    Where,
    openings,
    parameters,
    plan_of,
    verdict_on,
)
from tests.support.memories import a_memory
from tests.support.steps import step_of

NO_FRIDAYS = SlotPreference("não posso às sextas", Not(when_in(weekdays=frozenset({4}))))
NO_WEEKENDS = SlotPreference("não posso aos sábados", Not(when_in(weekdays=frozenset({5}))))
RATHER_RICARDO = SlotPreference("prefiro o Dr. Ricardo", WithDoctors(frozenset({ON_21_AT_9[0]})), binding=False)
RESULTS = (openings("clinic_a", ON_21_AT_9), openings("clinic_c", ON_18_AT_10, ON_19_AT_14))
SAVING = SaveMemory(MemoryKind.RESTRICTION, "não posso às sextas")
KEPT = a_memory("não posso às sextas", MemoryKind.RESTRICTION)
TRIP = a_memory("estou viajando até dia 20", MemoryKind.AVAILABILITY, expires_on=date(2025, 7, 20))
NOTHING_ASKED = Plan(PlanKind.SMALLTALK, Language.PT, topic=Topic.WHAT_ELSE)


def remembered(result: MemoryResult, language: Language = Language.PT) -> Reply:
    plan = replace(NOTHING_ASKED, language=language)
    said = TemplateResponder().say(plan, SESSION, CLINICS)
    return TemplateResponder().remembered(said, plan, [result], SESSION, CLINICS)


def listed(*reminders: SlotPreference, language: Language = Language.PT) -> Reply:
    plan = replace(plan_of(RESULTS, language), reminders=reminders)
    session = replace(SESSION, offers=offers_of(RESULTS, plan.wish) or ())
    reply = TemplateResponder().answer(plan, RESULTS, session, CLINICS)
    return TemplateResponder().remembered(reply, plan, [], session, CLINICS)


def remarks(reply: Reply) -> list[str]:
    (table,) = (block for block in reply.blocks if isinstance(block, Table))
    return [row[-1] for row in table.rows]


@pytest.mark.parametrize("call", [SAVING, RecallMemories("x"), ListMemories(), ForgetMemory(), ForgetAllMemories()])
def test_whatever_comes_of_a_call_is_said(call: MemoryCall) -> None:
    for status, language, memories in product(MemoryStatus, Language, ((), (KEPT,), (KEPT, TRIP))):
        reply = remembered(MemoryResult(call, status, memories), language)
        assert isinstance(reply.blocks[0], Paragraph)
        assert reply.blocks[0].text.strip()
        assert "{" not in reply.plain
        assert "sextas" not in reply.loggable


def test_a_save_is_announced_with_the_way_to_undo_it_before_anything_else() -> None:
    reply = remembered(MemoryResult(SAVING, MemoryStatus.SAVED, (KEPT,)))
    assert reply.plain.startswith("Anotei: “não posso às sextas”. Para desfazer, diga “esquece isso”.")
    assert reply.outcome is TurnOutcome.OK


def test_of_several_saves_the_last_is_the_one_to_undo() -> None:
    said = TemplateResponder().say(NOTHING_ASKED, SESSION, CLINICS)
    results = [MemoryResult(SAVING, MemoryStatus.SAVED, (kept,)) for kept in (TRIP, KEPT)]
    blocks = TemplateResponder().remembered(said, NOTHING_ASKED, results, SESSION, CLINICS).blocks
    undoing = [isinstance(block, Paragraph) and "esquece isso" in block.text for block in blocks]
    assert undoing == [False, True, False]


def test_what_has_an_end_is_announced_with_it() -> None:
    reply = remembered(MemoryResult(SAVING, MemoryStatus.SAVED, (TRIP,)))
    assert "Vale até 20/07/2025." in reply.plain


def test_health_is_refused_with_the_reason() -> None:
    reply = remembered(MemoryResult(SAVING, MemoryStatus.HEALTH))
    assert "informações de saúde ficam só no prontuário" in reply.plain


def test_the_list_is_numbered_and_private() -> None:
    reply = remembered(MemoryResult(ListMemories(), MemoryStatus.FOUND, (KEPT, TRIP)))
    (table,) = (block for block in reply.blocks if isinstance(block, Table))
    assert table.private
    assert table.rows == (
        ("1", "não posso às sextas", "restrição", "15/07/2025", ""),
        ("2", "estou viajando até dia 20", "disponibilidade", "15/07/2025", "20/07/2025"),
    )


def test_openings_against_what_was_said_are_marked_and_come_last_and_none_is_left_out() -> None:
    reply = listed(NO_FRIDAYS)
    assert remarks(reply) == ["mais cedo", "", "você não pode"]
    assert len(remarks(reply)) == len(remarks(listed()))
    assert "Você disse: “não posso às sextas”." in reply.plain
    assert "ficam por último" in reply.plain


def test_what_puts_openings_last_is_said_where_none_of_them_is_printed() -> None:
    plan = replace(plan_of(RESULTS, Language.PT), reminders=(NO_FRIDAYS,))
    offers = offers_of(RESULTS, plan.wish, plan.reminders) or ()
    session = replace(SESSION, offers=(*offers[:2], replace(offers[2], number=0)))
    reply = TemplateResponder().answer(plan, RESULTS, session, CLINICS)
    said = TemplateResponder().remembered(reply, plan, [], session, CLINICS)
    assert "Você disse: “não posso às sextas”. Por isso os horários que não combinam ficam por último." in said.plain


def test_the_sentence_names_all_that_marks() -> None:
    reply = listed(NO_FRIDAYS, NO_WEEKENDS, NO_FRIDAYS)
    assert reply.plain.count("Você disse:") == 1
    assert "“não posso às sextas” e “não posso aos sábados”" in reply.plain


def test_what_is_as_preferred_is_told_and_marked_and_keeps_its_place() -> None:
    reply = listed(RATHER_RICARDO)
    assert remarks(reply) == ["mais cedo", "", "como você prefere"]
    assert "Você disse: “prefiro o Dr. Ricardo”. Um dos horários é assim." in reply.plain


def test_what_tells_no_opening_from_another_is_not_brought_up() -> None:
    no_mondays_in_winter = replace(NO_FRIDAYS, suits=Not(when_in(weekdays={2})))
    assert listed(no_mondays_in_winter).plain == listed().plain


@pytest.mark.parametrize("language", Language)
def test_the_verifier_lets_marked_openings_pass_and_misses_one_that_is_hidden(language: Language) -> None:
    plan = replace(plan_of(RESULTS, language), reminders=(NO_FRIDAYS,))
    reply = TemplateResponder().answer(plan, RESULTS, SESSION, CLINICS)
    assert texts_in(language).text("responder.memory.mark") in reply.plain
    assert verdict_on(reply.plain, RESULTS, plan=plan).safe
    without = "\n".join(
        line for line in reply.plain.splitlines() if texts_in(language).text("responder.memory.mark") not in line
    )
    assert not verdict_on(without, RESULTS, plan=plan).safe


def test_what_was_said_is_not_logged_with_the_openings() -> None:
    assert "sextas" not in listed(NO_FRIDAYS).loggable.replace("sexta-feira", "")


@pytest.mark.parametrize(
    ("action", "given", "warned"),
    [
        ("book_appointment", ON_18_AT_10, True),
        ("book_appointment", ON_21_AT_9, False),
        ("cancel_appointment", ON_18_AT_10, False),
    ],
)
def test_a_proposal_against_what_was_said_says_so_and_is_still_made(action: str, given: Where, warned: bool) -> None:
    step = step_of(1, "clinic_c", action, parameters(given))
    plan = Plan(PlanKind.STEPS, Language.PT, (step,), reminders=(NO_FRIDAYS,))
    reply = TemplateResponder().propose(Proposal(plan), SESSION, CLINICS)
    assert ("Atenção: você disse “não posso às sextas”." in reply.plain) == warned
    assert reply.plain.endswith("Confirma? (sim/não)")
    assert reply.outcome is TurnOutcome.CONFIRM


def test_a_move_is_held_against_where_it_goes() -> None:
    step = step_of(
        1,
        "clinic_c",
        "reschedule_appointment",
        {
            "doctor": ON_18_AT_10[0],
            "original_date": "2025-07-21",
            "original_time": "10:00",
            "new_date": "2025-07-18",
            "new_time": "10:00",
        },
    )
    plan = Plan(PlanKind.STEPS, Language.PT, (step,), reminders=(NO_FRIDAYS,))
    assert "você disse" in TemplateResponder().propose(Proposal(plan), SESSION, CLINICS).plain


def test_a_caution_stays_first() -> None:
    plan = replace(plan_of(RESULTS), caution=Topic.POSSIBLE_EMERGENCY, reminders=(NO_FRIDAYS,))
    session = replace(SESSION, offers=offers_of(RESULTS, plan.wish) or ())
    reply = TemplateResponder().answer(plan, RESULTS, session, CLINICS)
    blocks = TemplateResponder().remembered(reply, plan, [], session, CLINICS).blocks
    assert blocks[0] == reply.blocks[0]
    assert isinstance(blocks[1], Paragraph)
    assert blocks[1].private
