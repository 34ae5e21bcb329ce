"""What a person booked is seen, moved and cancelled in any conversation: the clinics know it."""

from __future__ import annotations

import pytest

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.conftest import OpenTalk
from tests.support.clinics import Clinics
from tests.support.talk import Talk


def book(talk: Talk, *bookings: str) -> None:
    for booking in bookings:
        talk.say(booking)
        assert talk.say("sim").outcome is TurnOutcome.OK


FERNANDO, RICARDO = "marca com o Dr. Fernando dia 18 às 10h", "marca com o Dr. Ricardo dia 21 às 9h"


@pytest.mark.parametrize(
    "asked", ["quais são minhas consultas?", "que consultas eu tenho marcadas?", "what appointments do I have?"]
)
def test_what_was_booked_in_another_conversation_is_listed(opened: OpenTalk, asked: str) -> None:
    book(opened(), FERNANDO, RICARDO)
    reply = opened().say(asked)
    assert reply.outcome is TurnOutcome.OK
    assert reply.plain.index("Fernando Mendes") < reply.plain.index("Ricardo Lopes")


@pytest.mark.parametrize(
    ("asked", "then"),
    [
        ("preciso remarcar meu ortopedista", "não tenho? então marca uma"),
        ("quero remarcar o ortopedista", "marca um novo então"),
        ("need to reschedule my ortho thing", "I don't have one? ok then let's make one"),
    ],
)
def test_where_there_is_nothing_to_move_one_of_the_same_can_be_booked(opened: OpenTalk, asked: str, then: str) -> None:
    talk = opened()
    talk.say(asked)
    talk.say(then)
    assert {offer.clinic for offer in talk.session.offers} == {"clinic_d", "clinic_e"}


@pytest.mark.parametrize(
    ("asked", "doubts"),
    [
        (
            "quais são as minhas consultas?",
            (
                "tem certeza?",
                "mas eu marquei semana passada",
                "nenhuma?",
                "ué, achei que tinha",
                "olha de novo por favor",
            ),
        ),
        (
            "what appointments do I have?",
            ("are you sure?", "but I booked one last week", "none?", "huh, I thought I had one", "check again please"),
        ),
    ],
)
def test_who_doubts_that_nothing_is_held_is_told_it_again(
    opened: OpenTalk, asked: str, doubts: tuple[str, ...]
) -> None:
    talk = opened()
    told = talk.say(asked).plain
    assert [talk.say(doubt).plain for doubt in doubts] == [told] * len(doubts)


@pytest.mark.long(but=3)
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("quando é minha próxima consulta?", {"Fernando"}),
        ("when is my next appointment?", {"Fernando"}),
        ("tenho algo na sexta?", {"Fernando"}),
        ("o que eu tenho na semana que vem?", {"Ricardo"}),
        ("what do I have next week?", {"Ricardo"}),
        ("am I free at 10 on Friday?", {"Fernando"}),
        ("do I have anything with Dr. Ricardo?", {"Ricardo"}),
        ("tenho algo na sexta ou na segunda?", {"Fernando", "Ricardo"}),
        ("quais são minhas consultas de segunda?", {"Ricardo"}),
    ],
)
def test_only_what_is_asked_about_is_told(opened: OpenTalk, asked: str, told: set[str]) -> None:
    book(opened(), FERNANDO, RICARDO)
    reply = opened().say(asked).plain
    assert {name for name in ("Fernando", "Ricardo") if name in reply} == told
    assert "Não encontrei" not in reply
    assert "no appointment" not in reply


def test_where_nothing_is_as_was_asked_all_is_told_with_what_was_asked(opened: OpenTalk) -> None:
    book(opened(), FERNANDO, RICARDO)
    talk = opened()
    reply = talk.say("tenho algo na quarta?").plain
    assert "Não encontrei consulta em seu nome na quarta-feira" in reply
    assert "Fernando" in reply
    assert "Ricardo" in reply
    assert "Ricardo" in (monday := talk.say("e na segunda?").plain)
    assert "Fernando" not in monday
    assert "Ricardo" in talk.say("cancela a 1").plain


@pytest.mark.parametrize("asked", ["o que eu tenho?", "do I have cancer?", "do I have an infection since Monday?"])
def test_what_one_has_is_an_illness_where_nothing_else_is_said(opened: OpenTalk, asked: str) -> None:
    assert opened().say(asked).outcome is TurnOutcome.REFUSED


def test_having_something_on_a_day_is_no_question_about_it(opened: OpenTalk) -> None:
    book(opened(), FERNANDO)
    assert "remarcar para outro dia" in opened().say("na sexta tenho algo, não vou poder ir").plain


def test_who_holds_nothing_is_told_so(opened: OpenTalk) -> None:
    assert "Não encontrei consulta marcada em seu nome." in opened().say("quais são minhas consultas?").plain


@pytest.mark.parametrize(
    "asked", ["cancela a de sexta", "desmarca a consulta com o Dr. Fernando", "cancel the one on Friday"]
)
def test_one_that_fits_is_proposed_and_cancelled(guarded_clinics: Clinics, opened: OpenTalk, asked: str) -> None:
    book(opened(), FERNANDO, RICARDO)
    talk = opened()
    assert talk.say(asked).outcome is TurnOutcome.CONFIRM
    talk.say("sim")
    assert {taken[1] for taken in guarded_clinics.taken()} == {"Dr. Ricardo Lopes"}


def test_one_that_fits_is_moved(guarded_clinics: Clinics, opened: OpenTalk) -> None:
    book(opened(), RICARDO)
    talk = opened()
    assert talk.say("remarca minha consulta para o dia 23 às 8h").outcome is TurnOutcome.CONFIRM
    talk.say("sim")
    assert {taken[2:4] for taken in guarded_clinics.taken()} == {("2025-07-23", "08:00")}


def test_of_several_that_fit_it_is_asked_which_and_the_number_is_understood(
    guarded_clinics: Clinics, opened: OpenTalk
) -> None:
    book(opened(), FERNANDO, RICARDO)
    talk = opened()
    shown = talk.say("quero cancelar minha consulta")
    assert shown.plain.index("Fernando Mendes") < shown.plain.index("Ricardo Lopes")
    assert talk.session.proposal is None
    assert talk.say("a 2").outcome is TurnOutcome.CONFIRM
    talk.say("sim")
    assert {taken[1] for taken in guarded_clinics.taken()} == {"Dr. Fernando Mendes"}


def test_all_are_cancelled_in_one_proposal_with_a_receipt_each(guarded_clinics: Clinics, opened: OpenTalk) -> None:
    book(opened(), FERNANDO, RICARDO)
    talk = opened()
    proposed = talk.say("desmarca tudo")
    assert proposed.outcome is TurnOutcome.CONFIRM
    assert "Fernando Mendes" in proposed.plain
    assert "Ricardo Lopes" in proposed.plain
    talk.say("sim")
    assert guarded_clinics.taken() == set()
    assert len(talk.session.receipts) == 2


def test_what_another_conversation_changed_meanwhile_is_seen(opened: OpenTalk) -> None:
    here, there = opened(), opened()
    book(here, FERNANDO)
    assert "Fernando Mendes" in there.say("quais são minhas consultas?").plain
    there.say("cancela a de sexta")
    there.say("sim")
    assert "Não encontrei consulta" in here.say("quais são minhas consultas?").plain


def test_a_clinic_that_does_not_answer_is_named_and_something_may_be_missing(
    guarded_clinics: Clinics, opened: OpenTalk
) -> None:
    book(opened(), FERNANDO, RICARDO)
    talk = opened()
    assert "Fernando Mendes" in talk.say("quais são minhas consultas?").plain
    guarded_clinics.stop("clinic_c")
    reply = talk.say("quais são minhas consultas?")
    assert reply.outcome is TurnOutcome.PARTIAL
    assert "Clínica C: pode faltar alguma" in reply.plain
    assert "Fernando Mendes" in reply.plain, "what is known of it stays"
    fresh = opened().say("quais são minhas consultas?").plain
    assert "clinic_c: pode faltar alguma" in fresh, "this conversation never met it"
    assert "Fernando Mendes" not in fresh
    for clinic in guarded_clinics.registry.keys() - {"clinic_c"}:
        guarded_clinics.stop(clinic)
    assert opened().say("quais são minhas consultas?").outcome is TurnOutcome.ALL_DOWN


def test_nobody_in_danger_waits_for_the_clinics(guarded_clinics: Clinics, opened: OpenTalk) -> None:
    talk = opened()
    reply = talk.say("não vou poder ir na consulta, estou com uma dor forte no peito e falta de ar")
    assert "192" in reply.plain
    assert not talk.session.silent
