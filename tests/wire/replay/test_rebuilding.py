"""What the next utterance comes to after a history that is only text, in wordings that are not this system's own."""

from __future__ import annotations

import pytest

from orchestrator.turn.plan import PlanKind, Topic
from orchestrator.turn.session import ReceiptKind
from orchestrator.turn.step_actions import is_write
from orchestrator.turn.wish import spans_of
from tests.wire.replay.conftest import Decide, Rebuild

OFFERED_PT = (
    "procuro um dermatologista",
    "Encontrei estas vagas: Dra. Marina Teles (Clínica B) quinta, 17/07, às 9h ou 11h; Dra. Marina Couto sexta, 13h30.",
)
OFFERED_EN = (
    "is there an orthopedist this week?",
    "Dr. Gustavo Rezende is free tomorrow at 3 pm and on July 18 at 8:00 am, Dra. Sílvia Antunes Friday at 3:00 PM.",
)
BOOKED = (
    "marca com a Dra. Sílvia dia 21 às 16h30",
    "Prontinho, ficou agendado: Dra. Sílvia Antunes, Clínica E, segunda-feira (21/07) às 16:30.",
)
TELES_9 = ("clinic_b", "book_appointment", "Dra. Marina Teles", "2025-07-17", "09:00")
TELES_11 = ("clinic_b", "book_appointment", "Dra. Marina Teles", "2025-07-17", "11:00")
COUTO = ("clinic_f", "book_appointment", "Dra. Marina Couto", "2025-07-18", "13:30")
GUSTAVO = ("clinic_d", "book_appointment", "Dr. Gustavo Rezende", "2025-07-16", "15:00")
SILVIA = ("clinic_e", "book_appointment", "Dra. Sílvia Antunes", "2025-07-18", "15:00")
SILVIA_CANCELLED = ("clinic_e", "cancel_appointment", "Dra. Sílvia Antunes", "2025-07-21", "16:30")


def writes(decide: Decide, *texts: str) -> list[tuple[str, ...]]:
    """The writes that the last text comes to, in short."""
    return [
        (step.clinic, step.action, step.parameters["doctor"], step.parameters["date"], step.parameters["time"])
        for step in decide(*texts).plan.steps
        if is_write(step.action)
    ]


@pytest.mark.parametrize(
    ("history", "utterance", "expected"),
    [
        (OFFERED_PT, "o segundo", TELES_11),
        (OFFERED_PT, "pode ser quinta às 9", TELES_9),
        (OFFERED_PT, "quero a das 13h30", COUTO),
        (OFFERED_PT, "a última", COUTO),
        (OFFERED_EN, "the first one", GUSTAVO),
        (OFFERED_EN, "3 pm on Friday please", SILVIA),
    ],
)
def test_an_opening_is_picked_from_what_a_text_offered(
    decide: Decide, history: tuple[str, ...], utterance: str, expected: tuple[str, ...]
) -> None:
    assert writes(decide, *history, utterance) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Fica então Dra. Marina Teles, quinta, 17/07, às 9h. Posso confirmar?",
        "Confirmando: 2025-07-17 às 09:00 com a Dra. Marina Teles (clinic_b), certo?",
        "Just to check: Dra. Marina Teles, July 17 at 9:00 am. Shall I book it?",
        "Quer que eu agende?",
    ],
)
def test_a_yes_makes_what_a_text_asked_consent_for(decide: Decide, text: str) -> None:
    assert writes(decide, *OFFERED_PT, "quinta às 9h", text, "sim") == [TELES_9]
    assert writes(decide, *OFFERED_PT, "quinta às 9h", text, "não") == []


def test_a_correction_changes_what_a_text_asked_consent_for(decide: Decide) -> None:
    asked = "Certo: Dra. Marina Teles, 17/07, 09:00. Confirma?"
    assert writes(decide, *OFFERED_PT, "quinta às 9h", asked, "não, melhor às 11h") == [TELES_11]


def test_a_receipt_in_a_text_is_an_appointment_that_can_be_given_back(decide: Decide) -> None:
    assert writes(decide, *BOOKED, "cancela, por favor") == [SILVIA_CANCELLED]


def test_a_receipt_that_names_no_slot_acknowledges_what_was_consented_to(decide: Decide) -> None:
    history = ("quero a Sílvia dia 21 às 16h30", "Confirma Dra. Sílvia Antunes, 21/07, 16:30?", "sim", "Feito!")
    assert writes(decide, *history, "desmarca essa consulta") == [SILVIA_CANCELLED]


def test_a_moved_appointment_is_where_the_text_says_it_was_moved(decide: Decide) -> None:
    history = (*BOOKED, "muda para dia 24 às 10h30", "Pronto, remarquei para quinta, 24/07, às 10:30.")
    assert writes(decide, *history, "cancelar") == [
        ("clinic_e", "cancel_appointment", "Dra. Sílvia Antunes", "2025-07-24", "10:30")
    ]


def test_a_cancelled_appointment_is_gone(rebuild: Rebuild) -> None:
    session = rebuild(*BOOKED, "cancela", "Sua consulta foi cancelada.")
    assert session.appointments == ()
    assert [receipt.kind for receipt in session.receipts] == [ReceiptKind.CONFIRMED, ReceiptKind.CANCELLED]


def test_appointments_that_a_text_lists_can_be_chosen_from(decide: Decide) -> None:
    history = (
        "quero desmarcar",
        "São duas: Dra. Sílvia Antunes, 21/07 às 16:30, e Dr. Ricardo Lopes, 22/07 às 14:00. Qual delas quer cancelar?",
    )
    assert writes(decide, *history, "a da Sílvia") == [SILVIA_CANCELLED]


@pytest.mark.parametrize("utterance", ["the first one", "the one with Dra. Sílvia"])
def test_appointments_that_a_text_tells_of_can_be_pointed_at(decide: Decide, utterance: str) -> None:
    told = (
        "You have two appointments: Dra. Sílvia Antunes, July 21, 4:30 pm, and Dr. Ricardo Lopes, July 22, 2 pm. Which?"
    )
    assert writes(decide, "please cancel my appointment", told, utterance) == [SILVIA_CANCELLED]


def test_whoever_wants_to_move_never_books_beside_the_old_appointment(decide: Decide) -> None:
    history = (*BOOKED, "quero trocar o dia", "Claro, a Dra. Sílvia Antunes tem 24/07 às 10:30 ou 28/07 às 9h. Qual?")
    (step,) = decide(*history, "dia 24 às 10:30").plan.steps
    assert step.action == "reschedule_appointment"
    assert (step.parameters["original_date"], step.parameters["new_date"]) == ("2025-07-21", "2025-07-24")


def test_openings_shown_to_who_wants_to_move_are_not_booked_where_the_appointment_is_unknown(decide: Decide) -> None:
    history = ("preciso remarcar minha consulta", "A Dra. Sílvia Antunes tem 24/07 às 10:30 ou 28/07 às 9h. Qual?")
    for utterance in ("o primeiro", "sim"):
        plan = decide(*history, utterance).plan
        assert (plan.topic, plan.steps) == (Topic.ASK_NEW_TIME, ())
    plan = decide(*history, "dia 24 às 10:30").plan
    assert {(step.clinic, step.action) for step in plan.steps} == {
        ("clinic_d", "list_available_slots"),
        ("clinic_e", "list_available_slots"),
    }


def test_what_is_named_once_a_text_found_no_appointment_is_a_visit_to_book(decide: Decide) -> None:
    none = "Não encontrei consulta marcada em seu nome. Com qual médico, em que dia e horário ela está marcada?"
    (step,) = decide("quero remarcar minha consulta", none, "com o Dr. Ricardo Lopes").plan.steps
    assert (step.action, step.parameters) == ("list_available_slots", {"doctor": "Dr. Ricardo Lopes"})


def test_a_time_without_a_day_is_of_the_day_that_was_asked_for(decide: Decide) -> None:
    history = ("a Dra. Marina Couto atende amanhã?", "Sim, às 10:15.")
    assert writes(decide, *history, "quero esse") == [
        ("clinic_f", "book_appointment", "Dra. Marina Couto", "2025-07-16", "10:15")
    ]


def test_a_text_that_says_no_more_than_there_is_stands_for_what_the_clinics_list(rebuild: Rebuild) -> None:
    session = rebuild("cardiologista, por favor", "Temos vários horários com dois médicos. Qual prefere?")
    assert len(session.offers) == 12
    assert {offer.clinic for offer in session.offers} == {"clinic_a", "clinic_c"}


def test_a_yes_to_seeing_other_openings_takes_none(decide: Decide) -> None:
    history = ("cardiologista na sexta", "Na sexta só o Dr. Fernando Mendes às 10:00. Quer ver outros horários?")
    decision = decide(*history, "sim")
    assert {step.action for step in decision.plan.steps} == {"list_available_slots"}


def test_an_ok_to_a_receipt_takes_nothing_more(decide: Decide) -> None:
    offered = "Dra. Marina Teles, 17/07, 9h, ou Dra. Marina Couto, 18/07, 13h30. Qual?"
    booked = "Agendado: Dra. Marina Teles, 17/07, 09:00. Mais alguma coisa?"
    assert writes(decide, "dermatologista", offered, "a primeira", booked, "ok") == []


def test_what_a_text_refuses_is_neither_proposed_nor_offered(rebuild: Rebuild) -> None:
    session = rebuild("marca o Dr. Ricardo dia 21 às 9h", "Infelizmente esse horário já foi reservado.")
    assert (session.proposal, session.offers, session.receipts) == (None, (), ())


def test_the_question_for_a_specialty_is_continued(decide: Decide) -> None:
    for first in ("queria marcar uma consulta na sexta", "dor no joelho, tem na sexta?"):
        decision = decide(first, "Com que tipo de médico?", "ortopedista")
        assert [step.clinic for step in decision.plan.steps] == ["clinic_d", "clinic_e"]
        assert spans_of(decision.plan.wish.chain[0])


def test_the_question_for_a_doctor_is_continued_by_number_and_by_name(decide: Decide) -> None:
    asked = ("quero a Dra. Marina", "Temos duas: Dra. Marina Teles e Dra. Marina Couto. Com qual?")
    for utterance in ("a segunda", "Couto"):
        (step,) = decide(*asked, utterance).plan.steps
        assert step.parameters["doctor"] == "Dra. Marina Couto"


def test_a_number_is_a_doctor_where_doctors_are_asked_about(decide: Decide) -> None:
    asked = ("quero um cardiologista", "Com qual médico: Dr. Fernando Mendes ou Dr. Ricardo Lopes?")
    (step,) = decide(*asked, "o segundo").plan.steps
    assert (step.action, step.parameters) == ("list_available_slots", {"doctor": "Dr. Ricardo Lopes"})


def test_a_text_may_ask_consent_for_giving_back_what_it_says_is_held(rebuild: Rebuild) -> None:
    session = rebuild("preciso cancelar", "Você tem consulta com a Dra. Sílvia Antunes em 21/07 às 16:30. Cancelo?")
    assert session.proposal is not None
    (step,) = session.proposal.plan.steps
    assert (step.action, step.parameters["date"]) == ("cancel_appointment", "2025-07-21")


def test_a_desk_that_speaks_first_is_understood(rebuild: Rebuild) -> None:
    assert [f"{one.date} {one.time:%H:%M}" for one in rebuild("", *OFFERED_EN[1:]).offers] == [
        "2025-07-16 15:00",
        "2025-07-18 08:00",
        "2025-07-18 15:00",
    ]


@pytest.mark.parametrize("text", ["", "…", "1.", "x" * 3000, "Dr. ?", "às 25h do dia 40"])
def test_any_text_leaves_a_session(decide: Decide, text: str) -> None:
    assert decide(text, text, text).plan.kind in PlanKind
