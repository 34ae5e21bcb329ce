"""The blueprint's multi-clinic routing (1.5, Rules 9 and 10): the nearest slot over both cardiology clinics."""

from __future__ import annotations

import pytest

from orchestrator.turn.reply import Table, TurnOutcome
from tests.scenarios.expectations import (
    FERNANDO_18,
    FERNANDO_19,
    RICARDO_21,
    answered,
    appointment,
    holds,
    listed_both_cardiology_clinics,
)
from tests.support.clinics import Clinics
from tests.support.talk import Talk


@pytest.mark.parametrize(
    ("listing", "picking"),
    [
        ("quero o horário mais próximo com cardiologista", "pode ser o mais cedo"),
        ("I want the earliest appointment with a cardiologist", "I'll take the earliest"),
    ],
    ids=["pt", "en"],
)
def test_the_nearest_slot_of_both_clinics_is_marked_and_booked(
    clinics: Clinics, talk: Talk, listing: str, picking: str
) -> None:
    reply = talk.say(listing)
    listed_both_cardiology_clinics(talk, listing)
    assert holds(clinics)
    table = next(block for block in reply.blocks if isinstance(block, Table))
    assert table.marked == 0
    first = talk.session.offers[0]
    assert (first.clinic, first.doctor, first.date.isoformat(), f"{first.time:%H:%M}") == FERNANDO_18

    reply = talk.say(picking)
    assert reply.outcome is TurnOutcome.OK
    answered(
        talk,
        "clinic_c",
        "book_appointment",
        {"status": "confirmed", "appointment": appointment(FERNANDO_18), "message": "Consulta agendada com sucesso."},
    )
    assert holds(clinics, FERNANDO_18)


def test_all_slots_of_both_clinics_are_shown_with_their_clinic(talk: Talk) -> None:
    reply = talk.say("quero marcar uma consulta com cardiologista")
    for name, (_, doctor, date, time) in (
        ("Clínica C", FERNANDO_18),
        ("Clínica C", FERNANDO_19),
        ("Clínica A", RICARDO_21),
    ):
        year, month, day = date.split("-")
        assert any(
            name in line and doctor in line and f"{day}/{month}/{year}" in line and time in line
            for line in reply.plain.splitlines()
        )


def test_a_clinic_that_is_down_is_named_and_the_other_one_is_shown(clinics: Clinics, talk: Talk) -> None:
    talk.say("quero marcar uma consulta com cardiologista")
    clinics.stop("clinic_c")
    reply = talk.say("quero marcar uma consulta com cardiologista")
    assert reply.outcome is TurnOutcome.PARTIAL
    assert "Clínica C não respondeu" in reply.plain
    assert "Dr. Ricardo Lopes" in reply.plain

    clinics.restart("clinic_c")
    reply = talk.say("quero marcar uma consulta com cardiologista")
    assert reply.outcome is TurnOutcome.OK
    assert "Dr. Fernando Mendes" in reply.plain
