"""What one text of a front desk says, read without knowing the turns before."""

from __future__ import annotations

from datetime import date, time

import pytest

from orchestrator.evaluation.replay.desk_utterance import DeskStatement, read_statement
from orchestrator.evaluation.replay.slot_mentions import NamedSlot
from orchestrator.planner.calendar.moments import Reference
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Topic
from orchestrator.turn.session import ReceiptKind
from tests.support.sentences import sentences
from tests.unit.planner.desk import CLINICS, FERNANDO, GUSTAVO, MARINA_COUTO, MARINA_TELES, NOW, RICARDO, SILVIA

Brief = tuple[str, str, str]


def read(text: str, language: Language = Language.PT) -> DeskStatement:
    return read_statement(text, CLINICS, Reference(NOW, language))


def brief(slot: NamedSlot) -> Brief:
    """A slot's likeliest reading."""
    return slot.doctors[0], f"{slot.dates[0]:%d/%m}", f"{slot.times[0]:%H:%M}"


def suggested(text: str, language: Language = Language.PT) -> list[Brief]:
    return [brief(one) for one in read(text, language).suggested]


@pytest.mark.parametrize(
    "text",
    [
        "Há Dr. Gustavo Rezende em 2025-07-16 às 15:00 e 2025-07-18 às 08:00, e Dra. Sílvia (18/07, 15h).",
        "Amanhã às 15h ou sexta às 8h com o Dr. Gustavo; sexta às 15h com a Dra. Sílvia Antunes.",
        "Dr. Gustavo Rezende:\n- 16/07: 15:00\n- 18/07: 8h\nDra. Sílvia Antunes:\n- sexta-feira, 18 de julho, 15 horas",
        "1) quarta (16/07), 15h, Dr. Gustavo\n2) sexta (18/07), 8h, Dr. Gustavo\n3) sexta (18/07), 15h, Dra. Sílvia",
        "Com o Dr. Gustavo temos amanhã às três da tarde e sexta às oito. Com a Sílvia Antunes, sexta às 15:00.",
        "16/07 às 15h com o Gustavo Rezende e 18/07 às 8h com ele ou às 15h com a Dra. Sílvia",
    ],
)
def test_openings_are_read_however_doctor_day_and_time_are_ordered(text: str) -> None:
    assert suggested(text) == [(GUSTAVO, "16/07", "15:00"), (GUSTAVO, "18/07", "08:00"), (SILVIA, "18/07", "15:00")]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Ricardo Lopes is free on Monday, July 21 at 9 am and 10:30 am; Dr. Fernando Mendes on the 19th at 2 pm.",
        "I can offer 9:00 or 10:30 on Monday with Dr. Lopes, but Saturday at 2:00 PM is with Dr. Mendes.",
        "Dr. Lopes: Monday at 9 or 10:30 am on July 21. Dr. Mendes: 2 pm on Saturday.",
        "Openings: Dr. Lopes 2025-07-21 09:00, 10:30. Dr. Mendes 2025-07-19 14:00.",
    ],
)
def test_openings_are_read_in_english(text: str) -> None:
    assert suggested(text, Language.EN) == [
        (RICARDO, "21/07", "09:00"),
        (RICARDO, "21/07", "10:30"),
        (FERNANDO, "19/07", "14:00"),
    ]


def test_numbered_rows_are_what_is_offered_and_the_sentence_above_them_is_not() -> None:
    text = "O mais cedo é sexta às 10h com o Dr. Fernando.\n1. Dr. Ricardo, 21/07, 09:00\n2. Dr. Ricardo, 21/07, 10:30"
    assert suggested(text) == [(RICARDO, "21/07", "09:00"), (RICARDO, "21/07", "10:30")]


def test_a_filter_is_no_opening() -> None:
    assert suggested("Filtro: a partir das 14:00, entre 16/07 e 20/07, com o Dr. Fernando.") == []


def test_what_is_taken_is_not_offered() -> None:
    text = "Infelizmente 21/07 às 9h com o Dr. Ricardo já foi reservado, mas ele tem 10:30."
    assert suggested(text) == [(RICARDO, "21/07", "10:30")]
    assert suggested("Dr. Ricardo on July 21 at 9:00? That slot is already booked.", Language.EN) == []
    assert read("Esse horário já está agendado para outra pessoa.").done == ()


@pytest.mark.parametrize(
    ("text", "kind", "slots"),
    [
        ("Prontinho! Agendei a Dra. Marina Teles, 22/07, às 10h.", "confirmed", [(MARINA_TELES, "22/07", "10:00")]),
        ("You're all set: Dra. Marina Teles on July 22 at 10:00.", "confirmed", [(MARINA_TELES, "22/07", "10:00")]),
        ("A marcada de 22/07, 10h, Marina Teles, foi cancelada.", "cancelled", [(MARINA_TELES, "22/07", "10:00")]),
        ("I have cancelled your visit.", "cancelled", []),
        (
            "Remarquei a Dra. Marina Teles de 17/07 às 9h para 22/07 às 10h.",
            "rescheduled",
            [(MARINA_TELES, "17/07", "09:00"), (MARINA_TELES, "22/07", "10:00")],
        ),
        (
            "Consulta marcada\n  Médico(a): Dra. Marina Teles\n  Data: terça-feira, 22/07/2025\n  Hora: 10:00",
            "confirmed",
            [(MARINA_TELES, "22/07", "10:00")],
        ),
    ],
)  # fmt: skip
def test_a_receipt_says_what_was_done_to_which_slot(text: str, kind: str, slots: list[Brief]) -> None:
    ((done, named),) = read(text).done
    assert (done, [brief(slot) for slot in named]) == (ReceiptKind(kind), slots)


@pytest.mark.parametrize("text", sentences("desk_utterance.txt", "what was not done or is only possible is no receipt"))
def test_what_was_not_done_or_is_only_possible_is_no_receipt(text: str) -> None:
    said = read(text)
    assert (said.done, said.done_unsaid) == ((), False)


def test_appointments_that_the_person_holds_are_no_openings() -> None:
    said = read("Você tem consulta com o Dr. Gustavo no dia 18/07 às 8h. Quer remarcar?")
    assert [brief(slot) for slot in said.held] == [(GUSTAVO, "18/07", "08:00")]
    assert said.suggested == ()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Posso agendar a Dra. Couto, 21/07, 9h?", ["book_appointment"]),
        ("Dra. Marina Couto, 21/07, 9h. Está certo?", []),
        ("Dra. Marina Couto, 21/07, 9h. Agendo?", ["book_appointment"]),
        ("Dra. Marina Couto, 21/07, 9h. Marco para você?", []),
        ("Por favor, confirme: cancelar Dra. Marina Couto, 21/07, 9h.", ["cancel_appointment"]),
        ("Shall I cancel the booking with Dra. Couto on July 21 at 9:00?", ["cancel_appointment"]),
        ("Quer que eu remarque a Dra. Couto para 21/07 às 9h?", ["reschedule_appointment"]),
    ],
)  # fmt: skip
def test_asking_for_consent_says_to_what_as_far_as_it_does(text: str, action: list[str]) -> None:
    said = read(text)
    assert said.confirms
    assert list(said.actions) == action
    assert [brief(one) for one in said.suggested] == [(MARINA_COUTO, "21/07", "09:00")]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Qual especialidade você procura?", Topic.ASK_SPECIALTY),
        ("What kind of doctor do you need?", Topic.ASK_SPECIALTY),
        ("Com qual das médicas?", Topic.ASK_WHICH_DOCTOR),
        ("Which doctor do you prefer?", Topic.ASK_WHICH_DOCTOR),
        ("Para quando?", Topic.ASK_NEW_TIME),
        ("Which of these would you like to cancel?", Topic.ASK_WHICH_APPOINTMENT),
        ("Quais delas quer desmarcar?", Topic.ASK_WHICH_APPOINTMENT),
        ("Tudo bem por aí.", None),
    ],
)
def test_a_question_has_its_topic(text: str, topic: Topic | None) -> None:
    assert read(text).asks is topic


def test_an_offer_to_show_openings_is_no_opening() -> None:
    said = read("Joelho costuma ser com um ortopedista. Quer ver os horários?")
    assert (said.shows, said.specialties, said.suggested) == (True, ("Orthopedics",), ())


@pytest.mark.parametrize("text", ["Posso ajudar em outra coisa?", "Deseja mais alguma coisa?", "Anything else?"])
def test_a_courtesy_shows_no_openings(text: str) -> None:
    assert not read(text).shows


def test_a_bare_weekday_may_be_any_of_the_next_weeks() -> None:
    (slot,) = read("Quarta às 8h com o Dr. Ricardo.").suggested
    assert date(2025, 7, 23) in slot.dates
    assert slot.times == (time(8),)


@pytest.mark.parametrize("text", ["", "?", "…", "1.", "Dr.", "a.m.", "\n;\n", "às às às", "x" * 5000])
def test_any_text_says_something_or_nothing(text: str) -> None:
    assert read(text).done == ()
