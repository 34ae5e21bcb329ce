"""Whole conversations: asides, several appointments, corrections, thanks; what was said before still counts."""

from __future__ import annotations

import pytest

from orchestrator.planner.understanding.cues import answer
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, Topic
from orchestrator.turn.wish import spans_of, weekdays_of
from tests.support.sentences import rows, sentences
from tests.unit.planner.desk import FERNANDO, GUSTAVO, MARINA_COUTO, MARINA_TELES, RICARDO, SILVIA, Call, Desk, calls

FERNANDO_18 = {"doctor": FERNANDO, "date": "2025-07-18", "time": "10:00"}
TELES_22 = {"doctor": MARINA_TELES, "date": "2025-07-22", "time": "10:00"}
CANCEL_FERNANDO: Call = ("clinic_c", "cancel_appointment", FERNANDO_18)
CANCEL_TELES: Call = ("clinic_b", "cancel_appointment", TELES_22)


def with_two() -> Desk:
    """A conversation in which Dr. Fernando is held on Friday the 18th and Dra. Marina Teles on Tuesday the 22nd."""
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", "sim")
    desk.say("marca com a Dra. Marina Teles dia 22 às 10h", "sim")
    return desk


def is_listed(plan: Plan) -> bool:
    """Whether a plan asks for openings and nothing else."""
    return bool(plan.steps) and {step.action for step in plan.steps} == {"list_available_slots"}


@pytest.mark.parametrize(
    ("text", "specialty"),
    rows("conversations.txt", "a part of the body is offered its specialty even after a greeting"),
)
def test_a_part_of_the_body_is_offered_its_specialty_even_after_a_greeting(text: str, specialty: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.topic, plan.facts) == (Topic.OFFER_SPECIALTY, {"specialty": specialty})


def test_an_offered_specialty_goes_on_with_a_yes_or_with_a_time() -> None:
    for reply in ("yes please", "anything on Friday morning?", "go on", "please"):
        desk = Desk.open(Language.EN)
        plan = desk.say("Hi, my ankle needs a doctor's eye", reply)
        assert [step.clinic for step in plan.steps] == ["clinic_d", "clinic_e"]


@pytest.mark.parametrize(
    ("text", "clinics"), [("heart", "ac"), ("a pele", "bf"), ("for my back", "de"), ("joelho", "de")]
)
def test_a_part_of_the_body_answers_which_specialty(text: str, clinics: str) -> None:
    plan = Desk.open().say("quero uma consulta", text)
    assert [(step.clinic, step.action) for step in plan.steps] == [
        (f"clinic_{letter}", "list_available_slots") for letter in clinics
    ]


@pytest.mark.parametrize("text", sentences("conversations.txt", "taking leave after a list lists nothing"))
def test_taking_leave_after_a_list_lists_nothing(text: str) -> None:
    plan = Desk.open().say("quero um dermatologista", text)
    assert plan.topic in {Topic.THANKS, Topic.FAREWELL}


@pytest.mark.parametrize("text", ["só isso, obrigado", "that's all, thanks", "valeu, até mais"])
def test_taking_leave_is_no_consent_and_keeps_the_proposal_open(text: str) -> None:
    desk = Desk.open(consent_given=False)
    plan = desk.say("marca com o Dr. Fernando dia 18 às 10h", text)
    assert plan.topic in {Topic.THANKS, Topic.FAREWELL}
    assert (plan.keeps_proposal, desk.session.appointments) == (True, ())
    assert answer("só isso, obrigado") is None
    assert answer("sim, só isso, obrigado") is True


@pytest.mark.parametrize("text", ["ok", "tá bom, obrigada", "perfeito"])
def test_a_yes_to_a_receipt_books_nothing_more(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero dermatologista dia 17", "a de 9h", "sim")
    assert desk.say(text).topic is Topic.THANKS
    named = Desk.open(consent_given=False)
    named.say("tem cardiologista?", "marca com o Dr. Fernando dia 18 às 10h", "sim")
    assert named.say(text).topic is Topic.THANKS


@pytest.mark.parametrize(
    "text", ["cancela a do cardiologista", "cancel the one with Dr. Fernando", "desmarca a do dia 18"]
)
def test_a_cancellation_that_names_an_appointment_is_not_about_the_open_proposal(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", "sim", "marca com a Dra. Marina Teles dia 22 às 10h")
    assert calls(desk.say(text)) == [CANCEL_FERNANDO]


@pytest.mark.parametrize(
    "text", ["cancela", "desisto disso, cancela", "cancela a da dermatologista", "cancela a do dia 22"]
)
def test_a_cancellation_of_nothing_else_drops_the_open_proposal(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", "sim", "marca com a Dra. Marina Teles dia 22 às 10h")
    assert desk.say(text).topic is Topic.NOTHING_DONE
    assert desk.session.proposal is None


@pytest.mark.parametrize(
    "said", [("cancela tudo",), ("cancela as duas",), ("quero cancelar", "as duas"), ("cancel them", "both")]
)
def test_both_of_two_appointments_are_given_back_in_one_proposal(said: tuple[str, ...]) -> None:
    desk = with_two()
    assert calls(desk.say(*said)) == [CANCEL_FERNANDO, CANCEL_TELES]
    desk.say("as duas")
    assert desk.session.appointments == ()


def test_all_of_one_appointment_is_that_one_even_with_a_proposal_open() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", "sim", "marca com a Dra. Marina Teles dia 22 às 10h")
    assert calls(desk.say("cancela tudo")) == [CANCEL_FERNANDO]


def test_both_is_asked_about_when_one_of_them_is_at_two_o_clock() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 19 às 14h", "sim", "marca com a Dra. Marina Teles dia 22 às 10h", "sim")
    assert desk.say("cancela as duas").topic is Topic.ASK_WHICH_APPOINTMENT


@pytest.mark.parametrize("text", ["o de sábado", "I'll take the Saturday one", "Saturday works", "sábado fica ótimo"])
def test_the_only_row_of_a_day_is_taken_by_its_day(text: str) -> None:
    plan = Desk.open().say("quero um cardiologista", text)
    assert calls(plan) == [
        ("clinic_c", "book_appointment", {"doctor": FERNANDO, "date": "2025-07-19", "time": "14:00"})
    ]


def test_a_day_with_several_rows_in_the_list_is_only_listed() -> None:
    for text in ("o de sexta", "the Friday one", "Friday works", "tem a de sábado?"):
        assert is_listed(Desk.open().say("quero um cardiologista", text))


def test_a_row_that_does_not_exist_is_asked_about() -> None:
    desk = Desk.open()
    assert desk.say("cardiologista no sábado", "2").topic is Topic.ALL_SHOWN
    assert Desk.open().say("quero um cardiologista", "sim").topic is Topic.ASK_WHICH_OFFER


def test_the_other_one_of_two_takes_the_place_of_the_proposed_one() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("dermatologista dia 17", "a das 9h")
    assert calls(desk.say("não, a outra")) == [
        ("clinic_f", "book_appointment", {"doctor": MARINA_COUTO, "date": "2025-07-17", "time": "11:00"})
    ]


def test_a_weekday_after_a_week_is_that_weeks() -> None:
    desk = Desk.open(consent_given=False)
    plan = desk.say("quero o Dr. Ricardo na semana que vem", "quarta às 8h")
    assert calls(plan) == [("clinic_a", "book_appointment", {"doctor": RICARDO, "date": "2025-07-23", "time": "08:00"})]


@pytest.mark.parametrize("text", ["sexta não posso", "sexta eu trabalho", "Friday does not work", "Friday I can't do"])
def test_a_day_that_is_ruled_out_after_its_name_is_excluded(text: str) -> None:
    plan = Desk.open().say("quero um ortopedista", text)
    assert is_listed(plan)
    assert (weekdays_of(plan.wish.filter), spans_of(plan.wish.chain[0])) == (frozenset({4}), ())


def test_a_part_of_the_day_that_is_ruled_out_leaves_the_rest() -> None:
    desk = Desk.open()
    desk.say("quero um ortopedista", "de manhã não dá")
    assert {(one.doctor, one.time.hour) for one in desk.session.offers} == {(GUSTAVO, 15), (SILVIA, 15), (SILVIA, 16)}


def test_a_day_that_no_longer_suits_an_appointment_asks_what_to_do() -> None:
    assert with_two().say("sexta não consigo mais").topic is Topic.ASK_CHANGE
    assert with_two().say("mudei de ideia").topic is Topic.ASK_CHANGE
    assert with_two().say("wrong day, sorry").topic is Topic.ASK_CHANGE


@pytest.mark.parametrize("text", ["quero mudar", "I need to change it", "tem como trocar?"])
def test_wanting_a_change_after_a_receipt_shows_where_it_can_go(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista", "o primeiro", "sim")
    plan = desk.say(text)
    assert calls(plan) == [("clinic_c", "list_available_slots", {"doctor": FERNANDO})]
    assert plan.question is not None
    assert plan.question.topic is Topic.ASK_NEW_TIME


@pytest.mark.parametrize(
    "text",
    [
        "na verdade prefiro dia 25 às 8h30",
        "na verdade quero a do dia 25 às 8h30",
        "actually the 25th at 8:30 would be better",
    ],
)
def test_another_slot_that_is_preferred_after_a_receipt_is_a_move(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista", "o primeiro", "sim")
    assert [step.action for step in desk.say(text).steps] == ["reschedule_appointment"]


def test_either_of_two_doctors_lists_both() -> None:
    for text in ("tanto faz", "qualquer uma", "both"):
        plan = Desk.open().say("quero a Dra. Marina", text)
        assert calls(plan) == [
            ("clinic_b", "list_available_slots", {"doctor": MARINA_TELES}),
            ("clinic_f", "list_available_slots", {"doctor": MARINA_COUTO}),
        ]


def test_what_was_booked_is_told_again() -> None:
    for text in ("que horas é mesmo?", "can you remind me when it is?"):
        assert with_two().say(text).topic is Topic.MY_APPOINTMENTS
    assert with_two().say("tenho consulta amanhã?").topic is Topic.NO_APPOINTMENT_THEN


def test_an_appointment_is_known_by_its_weekday_in_any_week() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com o Dr. Fernando dia 25 às 8h30", "sim", "marca com a Dra. Marina Teles dia 22 às 10h", "sim")
    assert [step.parameters["date"] for step in desk.say("cancela a de sexta").steps] == ["2025-07-25"]


def test_with_nothing_held_all_is_what_is_proposed() -> None:
    desk = Desk.open(consent_given=False)
    assert desk.say("marca com o Dr. Fernando dia 18 às 10h", "cancela tudo").topic is Topic.NOTHING_DONE


@pytest.mark.parametrize("text", ["quero outra com ela na segunda", "I want the same doctor on Monday"])
def test_the_doctor_of_the_last_appointment_is_meant_again(text: str) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("marca com a Dra. Sílvia dia 18 às 15h", "sim")
    assert calls(desk.say(text)) == [("clinic_e", "list_available_slots", {"doctor": SILVIA})]


def test_a_day_that_is_ruled_out_while_openings_are_looked_for_says_nothing_of_what_is_held() -> None:
    for said in (("quero um ortopedista, mas sexta não posso",), ("quero um ortopedista", "sexta não posso")):
        assert is_listed(with_two().say(*said))
