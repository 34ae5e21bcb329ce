"""The blueprint's three flows in one conversation of four turns (2.5), in Portuguese and in English (blueprint v2)."""

from __future__ import annotations

import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.reply import TurnOutcome
from orchestrator.turn.session import ReceiptKind
from tests.scenarios.expectations import (
    FERNANDO_18,
    FERNANDO_19,
    RICARDO_21,
    RICARDO_23,
    Booking,
    answered,
    appointment,
    holds,
    listed_both_cardiology_clinics,
)
from tests.support.clinics import Clinics
from tests.support.talk import Talk

PORTUGUESE = (
    "quero marcar uma consulta com cardiologista",
    "pode ser com o Dr. Fernando dia 18 as 10h",
    "preciso reagendar para o dia 19 as 14h",
    "preciso cancelar minha consulta",
)
ENGLISH = (
    "I want to book a cardiology appointment",
    "I'll take Dr. Ricardo on July 21 at 9 AM",
    "I need to reschedule to July 23 at 8 AM",
    "I need to cancel my appointment",
)


@pytest.mark.parametrize(
    ("language", "turns", "first", "second"),
    [(Language.PT, PORTUGUESE, FERNANDO_18, FERNANDO_19), (Language.EN, ENGLISH, RICARDO_21, RICARDO_23)],
    ids=["pt", "en"],
)
def test_listing_booking_moving_and_cancelling_in_four_turns(
    clinics: Clinics, talk: Talk, language: Language, turns: tuple[str, ...], first: Booking, second: Booking
) -> None:
    listing, booking, moving, cancelling = turns
    clinic, doctor, date, time = first
    _, _, new_date, new_time = second
    shown_at_first = {name: clinics.slots(name) for name in ("clinic_a", "clinic_c")}

    reply = talk.say(listing)
    assert (reply.outcome, reply.language) == (TurnOutcome.OK, language)
    listed_both_cardiology_clinics(talk, listing)
    assert holds(clinics)

    reply = talk.say(booking)
    assert (reply.outcome, reply.language) == (TurnOutcome.OK, language)
    assert talk.steps == [(clinic, "book_appointment", {"doctor": doctor, "date": date, "time": time})]
    answered(
        talk,
        clinic,
        "book_appointment",
        {"status": "confirmed", "appointment": appointment(first), "message": "Consulta agendada com sucesso."},
    )
    assert holds(clinics, first)

    reply = talk.say(moving)
    assert (reply.outcome, reply.language) == (TurnOutcome.OK, language)
    answered(
        talk,
        clinic,
        "reschedule_appointment",
        {
            "status": "rescheduled",
            "original_appointment": appointment(first),
            "new_appointment": appointment(second),
            "message": "Consulta reagendada com sucesso.",
        },
    )
    assert talk.steps == [
        (
            clinic,
            "reschedule_appointment",
            {
                "original_date": date,
                "original_time": time,
                "doctor": doctor,
                "new_date": new_date,
                "new_time": new_time,
            },
        )
    ]
    assert holds(clinics, second)

    reply = talk.say(cancelling)
    assert (reply.outcome, reply.language) == (TurnOutcome.OK, language)
    assert talk.steps == [(clinic, "cancel_appointment", {"doctor": doctor, "date": new_date, "time": new_time})]
    answered(
        talk,
        clinic,
        "cancel_appointment",
        {
            "status": "cancelled",
            "cancelled_appointment": appointment(second),
            "message": "Consulta cancelada com sucesso.",
        },
    )
    assert holds(clinics)
    assert {name: clinics.slots(name) for name in ("clinic_a", "clinic_c")} == shown_at_first
    assert [receipt.kind for receipt in talk.session.receipts] == list(ReceiptKind)
    assert talk.session.appointments == ()
