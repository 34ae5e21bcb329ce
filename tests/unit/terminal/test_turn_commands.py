"""Commands that lead to a turn: a number is a plan without any doubt, a write among them is only ever proposed."""

from dataclasses import replace
from datetime import date, time
from pathlib import Path

import pytest

from mesh.clock import clock_at
from orchestrator.journal.events import ClinicAnswered, Planned
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.terminal.clinic_commands import COMMANDS, run_command
from orchestrator.terminal.slash_commands import Action, ClinicView, SaveCalendar, Say, Show
from orchestrator.terminal.turn_trace import TurnTrace
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.routing import StepStatus
from orchestrator.turn.session import Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment, ListOpenings
from orchestrator.turn.wish import Wish, when_in
from tests.unit.terminal.test_commands import shown

NOW = clock_at("2025-07-15T08:00-03:00")()
FRIDAY = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10))
THURSDAY = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 24), time(16))
SILENT = Plan(
    PlanKind.STEPS,
    Language.PT,
    steps=(Step(2, "clinic_c", ListOpenings()), Step(3, "clinic_a", ListOpenings())),
    wish=Wish(when_in(weekdays=frozenset({4}))),
)


def after_silence(view: ClinicView, plan: Plan = SILENT) -> ClinicView:
    trace = TurnTrace()
    trace(Planned(plan, 0.0))
    for step in plan.steps:
        unreached = StepStatus.UNREACHED
        trace(ClinicAnswered(step.step_id, step.clinic, step.action, unreached, "UNREACHABLE", None, 0.0))
    return replace(view, trace=trace)


def holding(view: ClinicView, language: Language = Language.PT) -> ClinicView:
    receipts = tuple(Receipt(ReceiptKind.CONFIRMED, held) for held in (FRIDAY, THURSDAY))
    return replace(view, session=replace(view.session, receipts=receipts, language=language))


def step_of(action: Action) -> Step:
    assert isinstance(action, Say)
    assert action.plan is not None
    (step,) = action.plan.steps
    return step


def test_book_is_the_opening_with_that_number(view: ClinicView) -> None:
    step = step_of(run_command("/book 1", view))
    assert (step.clinic, step.action) == ("clinic_c", "book_appointment")
    assert step.parameters == {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}


@pytest.mark.parametrize("line", ["/book", "/book 2", "/book 0", "/book -1", "/book um", "/book ²", "/book 1 2"])
def test_book_of_a_number_that_was_not_shown_says_which_were(line: str, view: ClinicView) -> None:
    assert shown(run_command(line, view)) == "Só há o número 1: diga /book 1. /slots mostra qual é."


def test_book_before_any_list_says_how_to_get_one(view: ClinicView) -> None:
    empty = replace(view, session=Session(view.session.identity))
    assert shown(run_command("/book 1", empty)) == texts_in(Language.PT).text("terminal.no_slots")


def test_cancel_gives_back_the_appointment_with_that_number_in_bookings(view: ClinicView) -> None:
    step = step_of(run_command("/cancel 2", holding(view)))
    assert step.action == "cancel_appointment"
    assert step.parameters == {"doctor": "Dr. Fernando Mendes", "date": "2025-07-24", "time": "16:00"}


@pytest.mark.parametrize("line", ["/cancel", "/cancel 3", "/reschedule", "/reschedule três", "/reschedule ٣"])
def test_a_number_that_no_appointment_has_is_said(line: str, view: ClinicView) -> None:
    assert "de 1 a 2" in shown(run_command(line, holding(view)))


@pytest.mark.parametrize("name", ["/cancel", "/reschedule"])
def test_before_any_appointment_was_seen_it_is_said_how_to_see_them(name: str, view: ClinicView) -> None:
    empty = replace(view, session=Session(view.session.identity))
    assert "/bookings" in shown(run_command(f"{name} 1", empty))


@pytest.mark.parametrize(
    ("line", "name", "only"),
    [
        ("/calendar", "consultas.ics", None),
        ("/calendar 2", "consultas.ics", THURSDAY),
        ("/calendar 1 minha agenda.ics", "minha agenda.ics", FRIDAY),
        ("/calendar agenda.ics", "agenda.ics", None),
    ],
)
def test_calendar_takes_a_number_and_a_name_each_if_there_is_one(
    line: str, name: str, only: Appointment | None, view: ClinicView
) -> None:
    assert run_command(line, holding(view)) == SaveCalendar(Path(name), only)


def test_calendar_of_a_number_that_no_appointment_has_says_which_there_are(view: ClinicView) -> None:
    assert "de 1 a 2" in shown(run_command("/calendar 3", holding(view)))


@pytest.mark.parametrize(
    ("language", "when", "day", "at"),
    [
        (Language.PT, "dia 22/07 às 14h", "2025-07-22", "14:00"),
        (Language.PT, "para amanhã às 9h", "2025-07-16", "09:00"),
        (Language.PT, "uma hora mais tarde", "2025-07-24", "17:00"),
        (Language.EN, "July 22 at 2 PM", "2025-07-22", "14:00"),
        (Language.EN, "to tomorrow at 9 am", "2025-07-16", "09:00"),
    ],
)
def test_reschedule_answers_the_question_when_with_the_words_of_the_person(
    language: Language, when: str, day: str, at: str, view: ClinicView
) -> None:
    held = holding(view, language)
    action = run_command(f"/reschedule 2 {when}", held)
    assert isinstance(action, Say)
    assert action.utterance == when
    clinics = held.clinics
    plan = OfflinePlanner().plan(when, replace(held.session, question=action.question), clinics, NOW)
    (step,) = plan.steps
    assert (plan.language, step.action) == (language, "reschedule_appointment")
    assert (step.parameters["original_date"], step.parameters["original_time"]) == ("2025-07-24", "16:00")
    assert (step.parameters["new_date"], step.parameters["new_time"]) == (day, at)


@pytest.mark.parametrize("language", Language)
def test_reschedule_alone_lists_openings_and_the_next_number_moves_the_appointment(
    language: Language, view: ClinicView
) -> None:
    held = holding(view, language)
    action = run_command("/reschedule 2", held)
    assert step_of(action).action == "list_available_slots"
    assert isinstance(action, Say)
    assert action.plan is not None
    asked = replace(held.session, question=action.plan.question)
    clinics = held.clinics
    plan = OfflinePlanner().plan("1", asked, clinics, NOW)
    (step,) = plan.steps
    assert step.action == "reschedule_appointment"
    assert (step.parameters["original_date"], step.parameters["new_date"]) == ("2025-07-24", "2025-07-18")


def test_retry_asks_all_silent_clinics_the_same_or_one_of_them(view: ClinicView) -> None:
    silent = after_silence(view)
    action = run_command("/retry", silent)
    assert isinstance(action, Say)
    assert action.plan is not None
    assert replace(action.plan, reasoning=()) == SILENT
    for one in ("clinic_c", "Clínica C", "CLINIC_C"):
        assert step_of(run_command(f"/retry {one}", silent)) == SILENT.steps[0]


def test_retry_of_a_clinic_that_answered_names_those_that_did_not(view: ClinicView) -> None:
    silent = after_silence(view, replace(SILENT, steps=SILENT.steps[:1]))
    assert shown(run_command("/retry clinic_a", silent)) == "Quem não respondeu no último pedido: clinic_c."


def test_retry_without_a_silent_clinic_says_so(view: ClinicView) -> None:
    assert isinstance(run_command("/retry", view), Show)


def test_retry_never_repeats_a_write_whose_outcome_is_unknown(view: ClinicView) -> None:
    doubtful = Proposal(Plan(PlanKind.STEPS, Language.PT), in_doubt=frozenset({"an-id"}))
    unsettled = replace(after_silence(view), session=replace(view.session, proposal=doubtful))
    assert shown(run_command("/retry", unsettled)) == texts_in(Language.PT).text("terminal.retry_unsettled")


def test_numbers_are_completed_with_what_they_stand_for(view: ClinicView) -> None:
    held = after_silence(holding(view))
    offered = {name: COMMANDS[name].suggestions(held) for name in ("/book", "/cancel", "/retry")}
    assert offered["/book"] == {"1": "sexta-feira, 18/07/2025, 10:00 · Dr. Fernando Mendes · Clínica C"}
    assert list(offered["/cancel"]) == ["1", "2"]
    assert list(offered["/retry"].items()) == [("clinic_c", "Clínica C"), ("clinic_a", "Clínica A")]
