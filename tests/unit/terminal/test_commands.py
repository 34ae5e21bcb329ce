"""Slash commands: what each asks for, in both languages; what is not one is never sent as chat."""

from dataclasses import replace

import pytest

from mesh.clock import clock_at
from orchestrator.journal.events import MemoryRecalled
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.terminal.clinic_commands import COMMANDS, run_command
from orchestrator.terminal.slash_commands import Action, ClinicView, Request, Say, Show
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryCall,
    MemoryKind,
    SaveMemory,
    Source,
)
from orchestrator.turn.plan import Topic
from orchestrator.turn.reply import Block, Card, Paragraph, Table
from orchestrator.turn.session import Session
from tests.support.memories import a_memory

NOW = clock_at("2025-07-15T08:00-03:00")()


def shown(action: Action) -> str:
    """All text that an action draws."""
    assert isinstance(action, Show)
    return "\n".join(map(words, action.blocks))


def words(block: Block) -> str:
    match block:
        case Paragraph(text):
            return text
        case Table(columns=columns, rows=rows):
            return "\n".join(" ".join(row) for row in (columns, *rows))
        case Card(title=title, rows=rows):
            return "\n".join([title, *map(" ".join, rows)])


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_summary_and_is_in_the_help(name: str, language: Language, view: ClinicView) -> None:
    view = replace(view, session=replace(view.session, language=language))
    texts = texts_in(language)
    assert texts.text(f"terminal.commands.{name}.summary") in shown(run_command("/help", view))
    assert all(texts.table(f"terminal.commands.{name}") for name in COMMANDS)


def test_help_says_what_may_stand_behind_a_command(view: ClinicView) -> None:
    assert "/lang pt|en|auto" in shown(run_command("/help", view))
    assert "/slots [especialidade]" in shown(run_command("/help", view))


def test_clinics_says_who_answers_and_who_attends(view: ClinicView) -> None:
    text = shown(run_command("/clinics", view))
    assert "Clínica A Cardiologia 127.0.0.1:8001 no ar Dr. Ricardo Lopes" in text
    assert "Clínica C Cardiologia 127.0.0.1:8003 fora do ar" in text


def test_slots_repeats_the_last_offers_with_their_numbers(view: ClinicView) -> None:
    assert "1 sexta-feira, 18/07/2025 10:00 Dr. Fernando Mendes Clínica C" in shown(run_command("/slots", view))


@pytest.mark.parametrize("specialty", ["cardiologia", "Cardiologista", "cardiology", "cardio", "um cardiologista"])
def test_slots_of_a_specialty_is_the_plan_that_the_planner_makes_of_the_question(
    specialty: str, view: ClinicView
) -> None:
    action = run_command(f"/slots {specialty}", view)
    assert isinstance(action, Say)
    assert action.plan is not None
    clinics = view.clinics
    asked = OfflinePlanner().plan("quais são os horários de cardiologia?", view.session, clinics, NOW)
    chosen = replace(action.plan, reasoning=asked.reasoning, classification=asked.classification)
    assert chosen == replace(asked, language=view.session.spoken_language)


def test_slots_of_what_is_no_specialty_says_which_there_are(view: ClinicView) -> None:
    assert "cardiologia" in shown(run_command("/slots amanhã", view))


@pytest.mark.parametrize("language", Language)
def test_bookings_asks_what_the_person_holds_which_the_clinics_are_asked_for(
    language: Language, view: ClinicView
) -> None:
    view = replace(view, session=replace(view.session, language=language))
    action = run_command("/bookings", view)
    assert isinstance(action, Say)
    plan = OfflinePlanner().plan(action.utterance, view.session, view.clinics, NOW)
    assert (plan.topic, plan.about_own, plan.language) == (Topic.MY_APPOINTMENTS, True, language)


@pytest.mark.parametrize(("name", "text"), [("/slots", "no_slots"), ("/why", "no_turn")])
def test_nothing_yet_is_said_in_words(name: str, text: str, view: ClinicView) -> None:
    empty = replace(view, session=Session(view.session.identity))
    assert shown(run_command(name, empty)) == texts_in(Language.PT).text(f"terminal.{text}")


def test_why_shows_the_trace_of_the_last_turn(view: ClinicView) -> None:
    view.trace(MemoryRecalled(2, 0.0))
    rows = (("memória consultada (0,0 ms)", "2 lembranças usadas"),)
    assert run_command("/why", view) == Show((Card("Como a última resposta foi obtida", rows),))


def noted(content: str, _: Language) -> SaveMemory:
    return SaveMemory(MemoryKind.RESTRICTION, content, source=Source.MANUAL)


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("/memory", ListMemories()),
        ("/memory forget 1", ForgetMemory("não posso às sextas")),
        ("/memory forget 0", ListMemories()),
        ("/memory forget 2", ListMemories()),
        ("/memory clear", ForgetAllMemories()),
    ],
)
@pytest.mark.parametrize("language", Language)
def test_memory_is_the_plan_that_the_planner_makes_of_the_same_in_words(
    line: str, call: MemoryCall, language: Language, view: ClinicView
) -> None:
    session = replace(
        view.session, language=language, remembers=True, memories=(a_memory("não posso às sextas"),), offers=()
    )
    action = run_command(line, replace(view, session=session, services=replace(view.services, noted=noted)))
    assert isinstance(action, Say)
    assert action.plan is not None
    assert action.plan.memory == (call,)
    clinics = view.clinics
    asked = OfflinePlanner().plan(action.utterance, session, clinics, NOW)
    assert replace(action.plan, reasoning=asked.reasoning) == asked


@pytest.mark.parametrize("line", ["/memory forget", "/memory forget dois", "/memory forget 1 2", "/memory all"])
def test_memory_with_anything_else_says_how_to_use_it(line: str, view: ClinicView) -> None:
    assert "/memory forget" in shown(run_command(line, replace(view, services=replace(view.services, noted=noted))))


def test_memory_add_notes_a_statement_as_it_was_typed(view: ClinicView) -> None:
    action = run_command(
        "/memory add Não posso às  sextas", replace(view, services=replace(view.services, noted=noted))
    )
    assert isinstance(action, Say)
    assert action.plan is not None
    assert action.plan.memory == (noted("Não posso às  sextas", Language.PT),)


def test_while_somebody_is_served_memory_shows_and_notes_nothing(view: ClinicView) -> None:
    serving = replace(view, session=replace(view.session, operator=view.session.identity))
    for line in ("/memory", "/memory add não posso às sextas", "/memory clear"):
        assert "Enquanto você atende" in shown(
            run_command(line, replace(serving, services=replace(view.services, noted=noted)))
        )


def test_while_somebody_is_served_memory_shows_and_forgets_nothing(view: ClinicView) -> None:
    serving = replace(view, session=replace(view.session, operator=view.session.identity))
    for line in ("/memory", "/memory clear"):
        answer = run_command(line, replace(serving, services=replace(view.services, noted=noted)))
        assert "Enquanto você atende" in shown(answer)


def test_memory_that_is_off_says_so(view: ClinicView) -> None:
    assert "desligada" in shown(run_command("/memory", view))


def test_lang_pins_a_language_and_answers_in_it(view: ClinicView) -> None:
    action = run_command("/lang en", view)
    assert isinstance(action, Show)
    assert action.session is not None
    assert action.session.pinned_language is Language.EN
    assert "English" in shown(action)


def test_lang_auto_follows_the_person_again(view: ClinicView) -> None:
    pinned = replace(view, session=replace(view.session, pinned_language=Language.EN))
    action = run_command("/lang auto", pinned)
    assert isinstance(action, Show)
    assert action.session is not None
    assert action.session.pinned_language is None


@pytest.mark.parametrize("line", ["/lang", "/lang fr"])
def test_lang_without_a_known_language_says_how_to_use_it(line: str, view: ClinicView) -> None:
    assert "/lang pt" in shown(run_command(line, view))


def test_quit_leaves(view: ClinicView) -> None:
    assert run_command("/quit", view) is Request.LEAVE


@pytest.mark.parametrize(
    ("line", "near"), [("/hlep", "/help"), ("/clinic", "/clinics"), ("/Booking", "/bookings"), ("/exit", "/quit")]
)
def test_an_unknown_command_is_a_hint_and_never_chat(line: str, near: str, view: ClinicView) -> None:
    action = run_command(line, view)
    assert isinstance(action, Show)
    assert near in shown(action)


def test_case_does_not_matter(view: ClinicView) -> None:
    assert run_command("/QUIT", view) is Request.LEAVE
