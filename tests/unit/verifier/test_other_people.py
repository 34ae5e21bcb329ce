"""R2: names, documents and dates of birth of others, in what clinics answer and in what is replied."""

from __future__ import annotations

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.reply import Rule
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import NAME, SESSION, done, verdict_on

OF_OTHERS = (
    "Ligar para Maria Aparecida Souza antes.",
    "Paciente: Zoroastro Lima",
    "a filha dela, a juliana, vem buscar",
    "RG 12.345.678-9",
    "CNS 898 0012 3456 7890",
    "cartão do SUS 898001234567890",
    "passaporte FT123456",
    "carro de placa BRA2E19",
    "CNH 2345678901",
)


def answered(note: str) -> Answers:
    slot = pb.Slot(doctor="Dr. Ricardo Lopes", specialty="Cardiologia", date="2025-07-21", time="09:00", available=True)
    listing = pb.ListAvailableSlotsResponse(specialty="Cardiology", available_slots=[slot], note=note)
    return Answers.of("pergunta", (done("clinic_a", "list_available_slots", listing),))


@pytest.mark.parametrize("text", [*OF_OTHERS, "Nascida em 03/05/1961."])
def test_what_identifies_another_person_is_blocked_in_the_data(text: str) -> None:
    verdict = RuleVerifier().check_data(answered(text), SESSION)
    assert (verdict.safe, verdict.rule) == (False, Rule.R2)


@pytest.mark.parametrize("text", OF_OTHERS)
def test_what_identifies_another_person_is_blocked_in_a_reply(text: str) -> None:
    verdict = verdict_on(text)
    assert (verdict.safe, verdict.rule) == (False, Rule.R2)


@pytest.mark.parametrize(
    "note",
    [
        "O Dr. Ricardo Lopes atende na Clínica Santa Helena, Rua do Lago, 150.",
        f"Em nome de {NAME}.",
        "Ricardo Lopes volta na quinta; em março ele viaja.",
        "Aceitamos Unimed e Porto Seguro; venha pela Avenida Paulista.",
    ],
)
def test_doctors_places_and_the_speaker_pass_in_the_data(note: str) -> None:
    assert RuleVerifier().check_data(answered(note), SESSION).safe
