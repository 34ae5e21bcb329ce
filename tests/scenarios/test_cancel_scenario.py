"""The blueprint's cancelling flow (2.5): list, book, cancel."""

from __future__ import annotations

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.expectations import FERNANDO_18, answered, appointment, holds, listed_both_cardiology_clinics
from tests.support.clinics import Clinics
from tests.support.talk import CARLOS, Talk


def test_a_booked_appointment_is_cancelled_in_the_third_turn(clinics: Clinics, talk: Talk) -> None:
    listing = "quero marcar uma consulta com cardiologista"
    talk.say(listing)
    listed_both_cardiology_clinics(talk, listing)
    assert holds(clinics)

    talk.say("pode ser com o Dr. Fernando dia 18 as 10h")
    assert holds(clinics, FERNANDO_18)

    reply = talk.say("preciso cancelar minha consulta")
    assert reply.outcome is TurnOutcome.OK
    assert "18/07/2025" in reply.plain
    assert "Dr. Fernando Mendes" in reply.plain
    answered(
        talk,
        "clinic_c",
        "cancel_appointment",
        {
            "status": "cancelled",
            "cancelled_appointment": appointment(FERNANDO_18),
            "message": "Consulta cancelada com sucesso.",
        },
    )
    assert holds(clinics)


def test_cancelling_erases_name_and_cpf_from_the_disk(clinics: Clinics, talk: Talk) -> None:
    talk.say("quero marcar uma consulta com cardiologista")
    talk.say("pode ser com o Dr. Fernando dia 18 as 10h")
    held = [(slot["patient_name"], slot["cpf"]) for slot in clinics.slots("clinic_c") if slot["cpf"]]
    assert held == [(CARLOS.name, CARLOS.cpf)]
    talk.say("preciso cancelar minha consulta")
    assert not any(slot["patient_name"] or slot["cpf"] for slot in clinics.slots("clinic_c"))


def test_the_reply_never_shows_the_whole_cpf(clinics: Clinics, talk: Talk) -> None:
    talk.say("quero marcar uma consulta com cardiologista")
    said = [talk.say("pode ser com o Dr. Fernando dia 18 as 10h")]
    assert holds(clinics, FERNANDO_18)
    said.append(talk.say("preciso cancelar minha consulta"))
    assert all(reply.outcome is TurnOutcome.OK and CARLOS.masked_cpf in reply.plain for reply in said)
    assert all(CARLOS.cpf not in reply.plain for reply in said)
