"""Postal addresses: a clinic may name its own, a reply tells nobody's but those that the speaker may see."""

from __future__ import annotations

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.reply import Rule
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import CPF, NAME, SESSION, done, patient, record, verdict_on


def test_an_address_in_a_clinics_note_is_no_foreign_number() -> None:
    listing = pb.ListAvailableSlotsResponse(specialty="Cardiology", note="Estamos na Rua do Lago, 150.")
    answers = Answers.of("pergunta", (done("clinic_a", "list_available_slots", listing),))
    assert RuleVerifier().check_data(answers, SESSION).safe


@pytest.mark.parametrize("address", ["Rua do Lago, 150", "avenida beira-mar 1500", "12 Old Oak Street", "01310-100"])
def test_an_address_that_is_in_no_record_is_not_shown(address: str) -> None:
    verdict = verdict_on(f"O endereço é {address}.")
    assert (verdict.safe, verdict.rule) == (False, Rule.R2)


def test_the_speakers_own_address_is_shown() -> None:
    own = record("clinic_a", patient(name=NAME, cpf=CPF))
    assert verdict_on("O endereço é Rua das Acácias, 120, São Paulo.", (own,)).safe
