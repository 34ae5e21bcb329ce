"""Openings of all clinics in one table, what the filter hid, and who did not answer (blueprint 2.3.3, Rule 9)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.responder.templates import TemplateResponder
from orchestrator.turn.clinic_answers import NEAREST, offers_of
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import DateRange
from orchestrator.turn.reply import Reply, Table, TurnOutcome
from orchestrator.turn.routing import StepResult
from orchestrator.turn.wish import ANYTHING, Wish, spans_of, when_in
from tests.support.clinic_turns import (
    AFTERNOON,
    CLINICS,
    FERNANDO,
    FRIDAY_18,
    MARINA,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    ON_21_AT_10_30,
    RICARDO,
    SESSION,
    booked,
    failed,
    openings,
    plan_of,
    refused,
)

BOTH = (openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30), openings("clinic_c", ON_18_AT_10, ON_19_AT_14))


def answer(
    results: tuple[StepResult, ...], language: Language = Language.PT, wish: Wish = ANYTHING, *, nearest: bool = False
) -> Reply:
    plan = plan_of(results, language, wish, nearest=nearest)
    return TemplateResponder().answer(plan, results, SESSION, CLINICS)


def table(reply: Reply) -> Table:
    (found,) = (block for block in reply.blocks if isinstance(block, Table))
    return found


def test_the_openings_of_all_clinics_are_one_numbered_table_in_order_of_time() -> None:
    shown = table(answer(BOTH))
    assert shown.rows == (
        ("1", "sexta-feira, 18/07/2025", "10:00", FERNANDO, "Clínica C", "mais cedo"),
        ("2", "sábado, 19/07/2025", "14:00", FERNANDO, "Clínica C", ""),
        ("3", "segunda-feira, 21/07/2025", "09:00", RICARDO, "Clínica A", ""),
        ("4", "segunda-feira, 21/07/2025", "10:30", RICARDO, "Clínica A", ""),
    )
    assert shown.marked == 0


def test_the_table_speaks_english() -> None:
    shown = table(answer(BOTH, language=Language.EN))
    assert shown.columns == ("No.", "Date", "Time", "Doctor", "Clinic", "Note")
    assert shown.rows[0] == ("1", "Friday, July 18, 2025", "10:00", FERNANDO, "Clínica C", "earliest")


def test_a_pinned_language_wins_over_that_of_the_plan() -> None:
    reply = TemplateResponder().answer(plan_of(BOTH), BOTH, replace(SESSION, pinned_language=Language.EN), CLINICS)
    assert reply.language is Language.EN
    assert "I found 4 openings in Cardiology (Clínica A and Clínica C)." in reply.plain


def test_of_two_openings_at_one_moment_the_first_clinic_by_id_is_called_the_earliest() -> None:
    results = (openings("clinic_c", ON_21_AT_9), openings("clinic_a", ON_21_AT_9))
    assert [row[4:] for row in table(answer(results)).rows] == [("Clínica A", "mais cedo"), ("Clínica C", "")]


def test_the_offers_of_the_session_are_those_of_the_table() -> None:
    offers = offers_of(BOTH, ANYTHING) or ()
    assert [(str(offer.number), offer.doctor) for offer in offers] == [
        (row[0], row[3]) for row in table(answer(BOTH)).rows
    ]


def test_who_asks_for_the_earliest_is_told_it_in_a_sentence() -> None:
    assert f"O mais cedo: sexta-feira, 18/07/2025, 10:00, {FERNANDO}, Clínica C." in answer(BOTH, nearest=True).plain


def test_a_filter_is_told_and_so_is_how_much_it_hid() -> None:
    reply = answer(BOTH, wish=FRIDAY_18)
    assert "Filtro: na sexta-feira, 18/07/2025." in reply.plain
    assert "Há mais 3 horários fora do que você pediu" in reply.plain
    assert len(table(reply).rows) == len(offers_of(BOTH, FRIDAY_18) or ()) == 1


def test_the_days_of_a_filter_are_told_in_the_order_of_the_calendar() -> None:
    saturday = DateRange(date(2025, 7, 19), date(2025, 7, 19))
    reply = answer(BOTH, wish=Wish(when_in(dates=(saturday, *spans_of(FRIDAY_18.filter)))))
    assert "Filtro: na sexta-feira, 18/07/2025 ou no sábado, 19/07/2025." in reply.plain


def test_one_hidden_opening_is_told_in_the_singular() -> None:
    results = (openings("clinic_c", ON_18_AT_10, ON_19_AT_14),)
    assert "Há mais 1 horário fora do que você pediu" in answer(results, wish=AFTERNOON).plain


def test_when_nothing_fits_the_nearest_are_shown_instead() -> None:
    results = (openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30),)
    reply = answer(results, wish=FRIDAY_18)
    assert "Não há horário livre como você pediu (na sexta-feira, 18/07/2025). Os mais próximos:" in reply.plain
    assert len(table(reply).rows) == 2


def test_the_nearest_are_few_and_the_rest_is_counted() -> None:
    many = [(RICARDO, f"2025-08-{day:02}", "09:00") for day in range(1, NEAREST + 4)]
    reply = answer((openings("clinic_a", *many),), wish=FRIDAY_18)
    assert [row[1][-10:] for row in table(reply).rows] == [f"{day:02}/08/2025" for day in range(1, NEAREST + 1)]
    assert "Há mais 3 horários" in reply.plain


def test_an_empty_agenda_is_said_and_offers_nothing() -> None:
    reply = answer((openings("clinic_a"), openings("clinic_c")))
    assert reply.plain.startswith("Não há horário livre em Cardiologia")
    assert (reply.outcome, offers_of((openings("clinic_a"),), ANYTHING)) == (TurnOutcome.OK, ())


def test_two_specialties_are_told_apart_in_the_table() -> None:
    results = (openings("clinic_c", ON_18_AT_10), openings("clinic_b", (MARINA, "2025-07-17", "09:00")))
    reply = answer(results)
    assert [row[5] for row in table(reply).rows] == ["Dermatologia", "Cardiologia"]
    assert "em Cardiologia e Dermatologia" in reply.plain or "em Dermatologia e Cardiologia" in reply.plain


def test_a_clinic_that_did_not_answer_is_named_and_the_rest_is_shown() -> None:
    reply = answer((openings("clinic_a", ON_21_AT_9), failed("clinic_c", "list_available_slots")))
    assert "Clínica C não respondeu (2,0 s). Mostrando 1 de 2 clínicas." in reply.plain
    assert (reply.outcome, len(table(reply).rows)) == (TurnOutcome.PARTIAL, 1)


def test_a_clinic_that_did_not_answer_is_named_in_english() -> None:
    results = (openings("clinic_a", ON_21_AT_9), failed("clinic_c", "list_available_slots"))
    assert "Clínica C did not answer (2.0 s). Showing 1 of 2 clinics." in answer(results, language=Language.EN).plain


def test_all_clinics_down_is_said_with_what_to_do() -> None:
    reply = answer((failed("clinic_a", "list_available_slots"), failed("clinic_c", "list_available_slots")))
    assert reply.outcome is TurnOutcome.ALL_DOWN
    assert reply.plain == (
        "Clínica A não respondeu (2,0 s). Clínica C não respondeu (2,0 s). "
        "Nenhuma clínica consultada respondeu. Tente de novo em instantes."
    )


def test_an_empty_agenda_at_the_clinic_that_answered_says_nothing_about_the_one_that_did_not() -> None:
    reply = answer((openings("clinic_a"), failed("clinic_c", "list_available_slots")))
    assert reply.plain.startswith("Não há horário livre em Cardiologia")
    assert "Clínica C não respondeu (2,0 s). Mostrando 1 de 2 clínicas." in reply.plain
    assert reply.outcome is TurnOutcome.PARTIAL


def test_a_clinic_that_never_said_its_name_is_called_by_its_id() -> None:
    reply = TemplateResponder().answer(plan_of(BOTH), BOTH, SESSION, ())
    assert "clinic_c" in reply.plain


def test_an_answer_about_something_else_leaves_the_offers_as_they_were() -> None:
    assert offers_of((booked("clinic_c", ON_18_AT_10),), ANYTHING) is None
    assert offers_of((refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE"),), ANYTHING) is None


def test_an_opening_that_two_steps_returned_is_shown_once() -> None:
    assert len(table(answer((openings("clinic_a", ON_21_AT_9), openings("clinic_a", ON_21_AT_9)))).rows) == 1


def test_a_slot_of_no_date_is_an_error() -> None:
    broken = openings("clinic_a", ON_21_AT_9)
    assert isinstance(broken.response, pb.ListAvailableSlotsResponse)
    broken.response.available_slots[0].date = "21/07/2025"
    with pytest.raises(ValueError, match="Invalid isoformat"):
        offers_of((broken,), ANYTHING)


def test_a_long_list_is_short_where_the_session_says_so_and_the_rest_is_counted() -> None:
    many = [(RICARDO, f"2025-08-{day:02}", "09:00") for day in range(1, 15)]
    results = (openings("clinic_a", *many),)
    reply = TemplateResponder().answer(plan_of(results), results, replace(SESSION, page=4), CLINICS)
    assert [row[0] for row in table(reply).rows] == ["1", "2", "3", "4"]
    assert "Encontrei 14 horários" in reply.plain
    assert "Há mais 10 horários como você pediu." in reply.plain
    assert reply.plain.count("mais cedo") == 1


def test_what_comes_after_the_last_opening_is_told_with_how_far_the_agenda_goes() -> None:
    results = (openings("clinic_c", ON_18_AT_10, ON_19_AT_14),)
    christmas = DateRange(date(2025, 12, 24), date(2025, 12, 24))
    reply = answer(results, wish=Wish(when_in(dates=(christmas,))))
    assert "O último horário livre é sábado, 19/07/2025" in reply.plain
    assert [row[0] for row in table(reply).rows] == ["1", "2"]
    assert table(reply).rows[0][1] == "sábado, 19/07/2025"
