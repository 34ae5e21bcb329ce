"""Taking an opening: always a slot that is certain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind, Topic
from tests.support.sentences import sentences
from tests.unit.planner.desk import FERNANDO, MARINA_COUTO, MARINA_TELES, RICARDO, Call, Desk, calls

PT, EN = Language.PT, Language.EN


def booked(clinic: str, doctor: str, day: str, at: str) -> list[Call]:
    return [(clinic, "book_appointment", {"doctor": doctor, "date": day, "time": at})]


FERNANDO_18 = booked("clinic_c", FERNANDO, "2025-07-18", "10:00")
RICARDO_21 = booked("clinic_a", RICARDO, "2025-07-21", "09:00")
RICARDO_21_LATER = booked("clinic_a", RICARDO, "2025-07-21", "10:30")


def lists_or_says(plan: Plan, topic: Topic | None) -> None:
    """Assert that a plan lists openings and does nothing else, or calls nobody and is about a topic."""
    assert plan.topic is topic
    assert plan.kind is (PlanKind.STEPS if topic is None else PlanKind.CLARIFY)
    assert {action for _, action, _ in calls(plan)} == ({"list_available_slots"} if topic is None else set())


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("pode ser com o Dr. Fernando dia 18 as 10h", FERNANDO_18),
        ("o primeiro", FERNANDO_18),
        ("1", FERNANDO_18),
        ("quero o mais cedo", FERNANDO_18),
        ("o 18", FERNANDO_18),
        ("pode ser na segunda, nove da manhã?", RICARDO_21),
        ("aquele do Ricardo, dez e meia", RICARDO_21_LATER),
        ("21/07 9h", RICARDO_21),
        ("fico com o das 10:30", RICARDO_21_LATER),
        ("opção 4", RICARDO_21_LATER),
        ("o último", booked("clinic_c", FERNANDO, "2025-07-25", "08:30")),
        ("pode ser no sábado", booked("clinic_c", FERNANDO, "2025-07-19", "14:00")),
    ],
)
def test_an_opening_that_was_shown_is_picked(text: str, steps: list[Call]) -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista")
    assert calls(desk.say(text)) == steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("I'll take Dr. Ricardo on July 21 at 9 AM", RICARDO_21),
        ("the first one", FERNANDO_18),
        ("the earliest, please", FERNANDO_18),
        ("Let it be on Monday at half past ten", RICARDO_21_LATER),
    ],
)
def test_an_opening_is_picked_in_english(text: str, steps: list[Call]) -> None:
    desk = Desk.open(EN)
    desk.say("I need a cardiologist")
    assert calls(desk.say(text)) == steps


@pytest.mark.parametrize(
    ("text", "language", "steps"),
    [
        ("marca com o Dr. Fernando Mendes dia 18/07 as 10h", PT, FERNANDO_18),
        ("dr fernando sexta 10h", PT, FERNANDO_18),
        ("Book Dr. Ricardo Lopes on July 21 at 9 AM", EN, RICARDO_21),
        ("agenda com Ricardo Lopes na segunda que vem, nove da manhã", PT, RICARDO_21),
    ],
)
def test_a_slot_named_in_full_is_booked_without_a_list(text: str, language: Language, steps: list[Call]) -> None:
    assert calls(Desk.open(language).say(text)) == steps


@pytest.mark.parametrize("text", sentences("booking.txt", "a question or an uncertain slot books nothing"))
def test_a_question_or_an_uncertain_slot_books_nothing(text: str) -> None:
    plan = Desk.open().say(text)
    assert [action for _, action, _ in calls(plan)] == ["list_available_slots"]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("já marquei com o Dr. Ricardo dia 21 às 9h", Topic.NO_APPOINTMENTS),
        ("minha consulta é com o Dr. Ricardo dia 21 às 9h", None),
        ("a consulta com o Dr. Ricardo dia 21 às 9h foi cancelada?", Topic.NO_APPOINTMENTS),
        ("não quero o Dr. Ricardo dia 21 às 9h", None),
        ("esqueci da consulta com o Dr. Ricardo dia 21 às 9h", None),
        ("quanto custa com o Dr. Ricardo dia 21 às 9h?", Topic.CLINIC_FACTS),
        ("descombina o Dr. Ricardo dia 21 às 9h", None),
        ("I can't make my appointment with Dr. Ricardo on July 21 at 9", Topic.ASK_CHANGE),
        ("did I book Dr. Ricardo for July 21 at 9?", Topic.NO_APPOINTMENTS),
        ("is Dr. Ricardo on July 21 at 9 confirmed?", None),
    ],
)
def test_naming_a_slot_without_wanting_it_writes_nothing(text: str, topic: Topic | None) -> None:
    desk = Desk.open()
    for _ in range(2):
        lists_or_says(desk.say(text), topic)
        desk.say("quero um cardiologista")


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("tem de manhã?", None),
        ("na segunda", None),
        ("prefiro de manhã", None),
        ("o 15", Topic.ALL_SHOWN),
        ("quero o 1 ou o 2", Topic.ASK_WHICH_OFFER),
        ("sim", Topic.ASK_WHICH_OFFER),
    ],
)
def test_a_reference_that_fits_several_or_none_books_nothing(text: str, topic: Topic | None) -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista")
    lists_or_says(desk.say(text), topic)


def test_an_open_time_is_settled_by_what_was_shown() -> None:
    desk = Desk.open()
    desk.say("horários do Dr. Ricardo")
    assert calls(desk.say("quarta-feira, dia 23, às 8")) == booked("clinic_a", RICARDO, "2025-07-23", "08:00")


def test_a_weekday_that_may_be_a_number_is_no_guess() -> None:
    desk = Desk.open()
    desk.say("dermatologista")
    assert calls(desk.say("quero a segunda")) == [
        ("clinic_b", "list_available_slots", {}),
        ("clinic_f", "list_available_slots", {}),
    ]


def test_the_marked_earliest_is_taken_by_saying_that_one() -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista", "qual o mais cedo?")
    assert calls(desk.say("quero esse")) == FERNANDO_18


def test_a_slot_in_the_past_is_not_booked() -> None:
    plan = Desk.open().say("marca com o Dr. Fernando hoje às 7 da manhã")
    assert (plan.kind, plan.topic) == (PlanKind.CLARIFY, Topic.MOMENT_IN_PAST)


def test_the_choice_of_a_doctor_goes_on_with_the_slot_that_was_named() -> None:
    desk = Desk.open()
    assert desk.say("marca com a dra. Marina dia 17 às 9h").topic is Topic.ASK_WHICH_DOCTOR
    assert calls(desk.say("a primeira")) == booked("clinic_b", MARINA_TELES, "2025-07-17", "09:00")


def test_an_ambiguous_name_is_settled_by_what_was_shown() -> None:
    desk = Desk.open()
    desk.say("openings at clinic F")
    assert calls(desk.say("com a Marina, quinta às 11h")) == booked("clinic_f", MARINA_COUTO, "2025-07-17", "11:00")


def test_a_correction_replaces_the_open_proposal() -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero um cardiologista", "o de segunda às 9h")
    assert calls(desk.say("não, melhor 10:30")) == RICARDO_21_LATER
    assert calls(desk.say("na verdade prefiro com o Dr. Fernando dia 18 às 10")) == FERNANDO_18
    assert not desk.session.appointments
    desk.say("sim")
    (held,) = desk.session.appointments
    assert held.doctor == FERNANDO


def test_an_offer_that_was_taken_is_not_offered_again() -> None:
    desk = Desk.open()
    desk.say("horários do Dr. Fernando", "o primeiro")
    assert desk.say("o primeiro").topic is Topic.ASK_WHICH_OFFER


def test_no_rule_needs_an_offer_to_be_in_the_directory() -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista")
    (first, *_) = desk.session.offers
    desk.session = replace(desk.session, offers=(replace(first, clinic="clinic_x", doctor="Dra. Nova"),))
    assert calls(desk.say("o primeiro")) == booked("clinic_x", "Dra. Nova", "2025-07-18", "10:00")


@pytest.mark.parametrize("text", ["esse mesmo", "essa", "that one"])
def test_the_only_opening_shown_is_taken_by_pointing_at_it(text: str) -> None:
    desk = Desk.open()
    desk.say("tem cardiologista no sábado?")
    assert calls(desk.say(text)) == booked("clinic_c", FERNANDO, "2025-07-19", "14:00")
    desk = Desk.open()
    desk.say("tem cardiologista?")
    assert calls(desk.say(text)) == []


def test_the_last_of_the_list_is_taken() -> None:
    desk = Desk.open()
    desk.say("quero ver cardiologista")
    assert calls(desk.say("o último da lista")) == booked("clinic_c", FERNANDO, "2025-07-25", "08:30")
