"""Going on with a list that was printed in part: more of it, all of it, or an opening that was not printed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time

import pytest

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn.identity import Identity
from orchestrator.turn.plan import Plan, PlanKind, Question, Topic, booking_step
from orchestrator.turn.session import Offer, Session
from orchestrator.turn.wish import Wish, when_in
from tests.unit.planner.desk import CLINICS, FERNANDO, NOW, RICARDO, Desk

MORNINGS = Wish(when_in(weekdays=(0, 1)))
OFFERS = (
    Offer(1, "clinic_c", FERNANDO, "Cardiologia", date(2025, 7, 21), time(9)),
    Offer(0, "clinic_a", RICARDO, "Cardiologia", date(2025, 7, 21), time(10, 30)),
    Offer(2, "clinic_a", RICARDO, "Cardiologia", date(2025, 7, 22), time(8)),
    Offer(0, "clinic_a", RICARDO, "Cardiologia", date(2025, 7, 22), time(14)),
)
SHORT = Session(
    Identity.of("Maria Souza", "529.982.247-25"),
    offers=OFFERS,
    page=2,
    question=Question(Topic.ASK_WHICH_OFFER, "book_appointment", {"specialty": "Cardiology"}, MORNINGS),
)


def plan(text: str, session: Session = SHORT) -> Plan:
    return OfflinePlanner().plan(text, session, CLINICS, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "mais",
        "ver mais",
        "mostra mais",
        "quero ver mais horários",
        "tem mais?",
        "outros",
        "mais opções, por favor",
        "more",
        "show me more",
        "next",
        "any more?",
        "the next ones",
        "more options please",
    ],
)
def test_more_lists_what_was_not_printed_with_the_same_wish(text: str) -> None:
    more = plan(text)
    assert (more.kind, more.wish, more.printed, more.whole) == (PlanKind.STEPS, MORNINGS, 2, False)
    assert {step.clinic for step in more.steps} == {"clinic_a", "clinic_c"}


@pytest.mark.parametrize("text", ["todos", "ver todos", "mostra tudo", "o resto", "all", "show all", "the whole list"])
def test_all_lists_the_whole_with_the_same_wish(text: str) -> None:
    whole = plan(text)
    assert (whole.kind, whole.wish, whole.printed, whole.whole) == (PlanKind.STEPS, MORNINGS, 0, True)


@pytest.mark.parametrize("text", ["mais cedo", "mais tarde", "more expensive", "next week"])
def test_other_words_with_more_are_no_more(text: str) -> None:
    assert plan(text).printed == 0


def test_it_is_said_that_all_was_printed_where_more_is_wanted() -> None:
    printed = tuple(replace(offer, number=number) for number, offer in enumerate(OFFERS, 1))
    assert plan("mais", replace(SHORT, offers=printed)).topic is Topic.ALL_SHOWN


def test_more_after_all_that_was_printed_is_booked_begins_anew() -> None:
    assert plan("mais", replace(SHORT, offers=OFFERS[1:2])).printed == 0


def test_a_number_means_a_row_and_words_mean_what_was_not_printed_too() -> None:
    assert [step.call for step in plan("2").steps] == [booking_step(OFFERS[2]).call]
    assert plan("3").kind is PlanKind.CLARIFY
    named = plan("quero o Dr. Ricardo dia 22 às 14h")
    assert [step.call for step in named.steps] == [booking_step(OFFERS[3]).call]


@pytest.mark.parametrize("text", ["oi, tudo bem?", "tudo bom?", "opa, tudo certo?"])
def test_a_greeting_beside_a_list_is_no_wish_for_all_of_it(text: str) -> None:
    desk = Desk.open()
    desk.say("quero um cardiologista na sexta")
    assert not desk.say(text).steps
    assert desk.say("quero ver tudo").whole
