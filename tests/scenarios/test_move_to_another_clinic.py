"""Moving to a doctor of another clinic: the new slot is booked first, and only then is the old one given back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from orchestrator.agents import router
from orchestrator.turn.reply import Card, Reply, TurnOutcome
from orchestrator.turn.step_actions import Appointment
from tests.scenarios.expectations import FERNANDO_18, FERNANDO_19, RICARDO_21, RICARDO_23, Booking, holds
from tests.support.clinics import Clinics
from tests.support.talk import Talk, open_talk


@pytest.fixture
def asking(clinics: Clinics) -> Iterator[Talk]:
    """A conversation in which writes wait for a yes."""
    with open_talk(clinics.registry, consent_given=False) as conversation:
        yield conversation


def titles(reply: Reply) -> list[str]:
    return [block.title for block in reply.blocks if isinstance(block, Card)]


def held(talk: Talk) -> set[Booking]:
    return {_booking(appointment) for appointment in talk.session.appointments}


def _booking(appointment: Appointment) -> Booking:
    return appointment.clinic, appointment.doctor, appointment.date.isoformat(), f"{appointment.time:%H:%M}"


@pytest.mark.parametrize(
    ("booking", "moving", "proposed", "done"),
    [
        (
            "marca com o Dr. Fernando dia 18 às 10h",
            "quero trocar para o Dr. Ricardo, dia 21 às 9h",
            ["Marcar consulta", "Cancelar consulta"],
            ["Consulta marcada", "Consulta cancelada"],
        ),
        (
            "book Dr. Fernando on July 18 at 10 AM",
            "I need to reschedule: switch me to Dr. Ricardo on July 21 at 9 AM",
            ["Book an appointment", "Cancel an appointment"],
            ["Appointment booked", "Appointment cancelled"],
        ),
    ],
    ids=["pt", "en"],
)
def test_both_writes_are_proposed_together_and_made_in_order(
    clinics: Clinics, asking: Talk, booking: str, moving: str, proposed: list[str], done: list[str]
) -> None:
    asking.say(booking)
    asking.say("ok")
    assert holds(clinics, FERNANDO_18)

    reply = asking.say(moving)
    assert (reply.outcome, titles(reply)) == (TurnOutcome.CONFIRM, proposed)
    assert holds(clinics, FERNANDO_18)

    reply = asking.say("ok")
    assert (reply.outcome, titles(reply)) == (TurnOutcome.OK, done)
    assert holds(clinics, RICARDO_21)
    assert held(asking) == {RICARDO_21}


def test_the_new_slot_is_chosen_from_the_other_clinics_openings(clinics: Clinics, talk: Talk) -> None:
    talk.say("marca com o Dr. Fernando dia 18 às 10h")
    talk.say("quero remarcar para a clínica A")
    assert talk.steps == [("clinic_a", "list_available_slots", {})]
    talk.say("o do Dr. Ricardo dia 23 às 8h")
    assert holds(clinics, RICARDO_23)


def test_a_slot_that_is_taken_leaves_the_old_appointment_as_it_is(clinics: Clinics, talk: Talk) -> None:
    talk.say("marca com o Dr. Fernando dia 18 às 10h")
    reply = talk.say("muda para o Dr. Ricardo dia 21 às 11h")
    assert reply.outcome is TurnOutcome.REFUSED
    assert "A consulta antiga fica como está." in reply.plain
    assert holds(clinics, FERNANDO_18)

    talk.say("o primeiro")
    assert ("2025-07-21", "10:30") in {booking[2:] for booking in held(talk)}
    assert len(held(talk)) == 1


@pytest.mark.long
def test_a_clinic_that_is_down_when_the_old_appointment_is_given_back_is_told_plainly(
    clinics: Clinics, asking: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking.say("marca com o Dr. Fernando dia 18 às 10h")
    asking.say("sim")
    asking.say("muda para o Dr. Ricardo dia 21 às 9h")
    clinics.stop("clinic_c")
    monkeypatch.setattr(router, "CONNECT_TIMEOUT_S", 3.0)
    reply = asking.say("sim")
    monkeypatch.undo()
    assert reply.outcome is TurnOutcome.PARTIAL
    assert titles(reply) == ["Consulta marcada"]
    assert "A nova consulta está marcada, mas a antiga também continua" in reply.plain
    assert holds(clinics, FERNANDO_18, RICARDO_21)

    clinics.restart("clinic_c")
    asking.say("cancelar")
    assert asking.steps == [
        ("clinic_c", "cancel_appointment", dict(zip(("doctor", "date", "time"), FERNANDO_18[1:], strict=True)))
    ]
    asking.say("sim")
    assert holds(clinics, RICARDO_21)


def test_a_clinic_that_is_down_when_the_new_slot_is_booked_leaves_the_old_appointment(
    clinics: Clinics, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.say("marca com o Dr. Fernando dia 18 às 10h")
    clinics.stop("clinic_a")
    monkeypatch.setattr(router, "CONNECT_TIMEOUT_S", 0.2)
    reply = talk.say("muda para o Dr. Ricardo dia 21 às 9h")
    assert "A consulta antiga fica como está." in reply.plain
    assert holds(clinics, FERNANDO_18)
    assert held(talk) == {FERNANDO_18}


def test_a_move_with_the_same_doctor_stays_one_change(clinics: Clinics, talk: Talk) -> None:
    talk.say("marca com o Dr. Fernando dia 18 às 10h")
    talk.say("muda para sábado às 14h com o Dr. Fernando mesmo")
    assert [action for _, action, _ in talk.steps] == ["reschedule_appointment"]
    assert holds(clinics, FERNANDO_19)
