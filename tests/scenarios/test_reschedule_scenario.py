"""The blueprint's rescheduling flow (2.5): list, book, move."""

from __future__ import annotations

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.expectations import (
    FERNANDO_18,
    FERNANDO_19,
    answered,
    appointment,
    holds,
    listed_both_cardiology_clinics,
)
from tests.support.clinics import Clinics
from tests.support.talk import Talk


def test_a_booked_appointment_is_moved_in_the_third_turn(clinics: Clinics, talk: Talk) -> None:
    listing = "quero marcar uma consulta com cardiologista"
    talk.say(listing)
    listed_both_cardiology_clinics(talk, listing)
    assert holds(clinics)

    talk.say("pode ser com o Dr. Fernando dia 18 as 10h")
    assert holds(clinics, FERNANDO_18)

    reply = talk.say("preciso reagendar para o dia 19 as 14h")
    assert reply.outcome is TurnOutcome.OK
    assert "sábado, 19/07/2025" in reply.plain
    answered(
        talk,
        "clinic_c",
        "reschedule_appointment",
        {
            "status": "rescheduled",
            "original_appointment": appointment(FERNANDO_18),
            "new_appointment": appointment(FERNANDO_19),
            "message": "Consulta reagendada com sucesso.",
        },
    )
    assert holds(clinics, FERNANDO_19)


def test_moving_to_a_time_that_is_not_open_keeps_the_appointment_and_offers_others(
    clinics: Clinics, talk: Talk
) -> None:
    talk.say("quero marcar uma consulta com cardiologista")
    talk.say("pode ser com o Dr. Fernando dia 18 as 10h")
    reply = talk.say("preciso reagendar para o dia 19 as 15h")
    assert reply.outcome is TurnOutcome.REFUSED
    assert holds(clinics, FERNANDO_18)
    assert FERNANDO_19[2:] in [(offer.date.isoformat(), f"{offer.time:%H:%M}") for offer in talk.session.offers]
