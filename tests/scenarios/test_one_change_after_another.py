"""Of two changes in one message the second is proposed once the first is made or refused, and none is forgotten."""

from __future__ import annotations

import pytest

from orchestrator.turn.step_actions import Appointment
from tests.support.talk import Talk

BOOKED = (
    "marca com o Dr. Fernando Mendes dia 18/07/2025 às 10h",
    "sim",
    "marca com o Dr. Ricardo Lopes dia 21/07/2025 às 9h",
    "sim",
)
LEAVE = ("não", "no")
TWO = {
    "two moves": ("muda a do Fernando pra sábado às 14h e a do Ricardo pro dia 23 às 8h", {"19 14:00", "23 08:00"}),
    "a cancellation and a move": ("cancela a do Fernando e passa a do Ricardo pro dia 23 às 8h", {"23 08:00"}),
    "a move and a cancellation": (
        "move the Friday one to July 19 at 14:00 and cancel the one with Dr. Lopes",
        {"19 14:00"},
    ),
    "two moves in English": (
        "move the Friday one to July 19 at 14:00 and the Monday one to July 23 at 8am",
        {"19 14:00", "23 08:00"},
    ),
}


def held(talk: Talk) -> set[str]:
    return {f"{one.date.day} {one.time:%H:%M}" for one in talk.session.appointments}


def given_back(talk: Talk) -> list[Appointment | None]:
    return [] if talk.session.proposal is None else [one.given_back for one in talk.session.proposal.plan.steps]


@pytest.mark.parametrize("two", TWO)
def test_the_second_change_waits_for_its_own_yes_behind_the_first(own_talk: Talk, two: str) -> None:
    said, left = TWO[two]
    for utterance in BOOKED:
        own_talk.say(utterance)
    own_talk.say(said)
    (first,) = given_back(own_talk)
    assert held(own_talk) == {"18 10:00", "21 09:00"}
    own_talk.say("sim")
    assert len(own_talk.session.receipts) == len(BOOKED) // 2 + 1
    (second,) = given_back(own_talk)
    assert second != first
    own_talk.say("sim")
    assert held(own_talk) == left
    assert own_talk.session.then == ""


@pytest.mark.parametrize("no", LEAVE)
def test_the_second_change_is_proposed_where_the_first_is_refused(own_talk: Talk, no: str) -> None:
    for utterance in (*BOOKED, TWO["two moves"][0], no, "sim"):
        own_talk.say(utterance)
    assert held(own_talk) == {"18 10:00", "23 08:00"}


def test_a_change_left_for_something_else_takes_the_second_with_it(own_talk: Talk) -> None:
    for utterance in (*BOOKED, TWO["two moves"][0], "quero um dermatologista", "o 1", "sim"):
        own_talk.say(utterance)
    assert {"18 10:00", "21 09:00"} < held(own_talk)
    assert own_talk.session.proposal is None
    assert own_talk.session.then == ""


def test_an_aside_beside_the_first_card_keeps_the_second(own_talk: Talk) -> None:
    for utterance in (*BOOKED, TWO["two moves"][0], "onde fica?", "sim", "sim"):
        own_talk.say(utterance)
    assert held(own_talk) == {"19 14:00", "23 08:00"}
