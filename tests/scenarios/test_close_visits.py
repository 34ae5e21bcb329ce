"""Before a booking or a move is proposed, what the person holds in all clinics is looked at."""

from __future__ import annotations

from pathlib import Path

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.conftest import OpenTalk
from tests.support.clinics import Clinics, open_clinics
from tests.support.talk import Talk, open_talk

RICARDO = "marca com o Dr. Ricardo dia 21 às 9h"  # in clinic A
AT_THE_SAME_TIME = "marca com a Dra. Marina Couto dia 21 às 9h"  # in clinic F
AN_HOUR_LATER = "marca com o Dr. Gustavo dia 21 às 10h"  # in clinic D


def booked(talk: Talk, utterance: str = RICARDO) -> None:
    talk.say(utterance)
    assert talk.say("sim").outcome is TurnOutcome.OK


def test_an_overlap_with_a_visit_booked_in_another_conversation_is_said(opened: OpenTalk) -> None:
    booked(opened())
    proposed = opened().say(AT_THE_SAME_TIME)
    assert proposed.outcome is TurnOutcome.CONFIRM
    assert (
        "essa hora coincide com outra consulta sua: segunda-feira, 21/07/2025, 09:00, Dr. Ricardo Lopes"
        in proposed.plain
    )


def test_the_booking_is_made_all_the_same_after_a_yes(guarded_clinics: Clinics, opened: OpenTalk) -> None:
    booked(opened())
    booked(opened(), AT_THE_SAME_TIME)
    assert len(guarded_clinics.taken()) == 2


def test_too_little_time_on_the_way_is_said_in_english(opened: OpenTalk) -> None:
    booked(opened(), "marca com a Dra. Marina Teles dia 22 às 10h")
    proposed = opened().say("book Dr. Fernando Mendes on July 22 at 9:30").plain
    assert "there are 0 min between this and another appointment of yours, at another address: Tuesday" in proposed


def test_enough_time_on_the_way_is_not_mentioned(opened: OpenTalk) -> None:
    booked(opened())
    assert "Atenção" not in opened().say(AN_HOUR_LATER).plain


def test_the_visit_that_is_moved_is_not_in_the_way_of_itself(opened: OpenTalk) -> None:
    booked(opened())
    proposed = opened().say("remarca minha consulta para 10:30")
    assert proposed.outcome is TurnOutcome.CONFIRM
    assert "Atenção" not in proposed.plain


def test_a_clinic_that_does_not_answer_holds_nothing_up_and_is_named(
    guarded_clinics: Clinics, opened: OpenTalk
) -> None:
    talk = opened()
    talk.say("oi")
    guarded_clinics.stop("clinic_b")
    proposed = talk.say(AT_THE_SAME_TIME)
    assert proposed.outcome is TurnOutcome.CONFIRM
    assert "Não pude ver se você tem outra consulta perto dessa hora em Clínica B." in proposed.plain
    assert talk.say("sim").outcome is TurnOutcome.OK


def test_clinics_that_know_no_callers_are_not_asked(tmp_path: Path) -> None:
    with open_clinics(tmp_path) as clinics, open_talk(clinics.registry, consent_given=False) as talk:
        proposed = talk.say(RICARDO)
        assert proposed.outcome is TurnOutcome.CONFIRM
        assert "Não pude ver" not in proposed.plain
        assert "Não foi possível ver" not in talk.say("quais são minhas consultas?").plain
