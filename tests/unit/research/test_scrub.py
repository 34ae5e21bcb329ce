"""What identifies anybody is taken out of what a person typed; scales, viruses and doctors' words stay."""

from __future__ import annotations

import pytest

from orchestrator.privacy import Redactor
from orchestrator.research.graph.scrub import scrubbed
from orchestrator.turn.identity import Identity


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("a paciente Maria Souza Lima faltou", "a paciente [NAME] faltou"),
        ("Paciente: Zuleica Prado faltou", "Paciente: [NAME] faltou"),
        ("CPF 529.982.247-25", "CPF [CPF]"),
        ("CARD-001 e orth-d001", "[PATIENT] e [PATIENT]"),
        ("escreva para maria@example.com ou (11) 98765-4321", "escreva para [EMAIL] ou [TEL]"),
        (
            "questionário SF-36 após COVID-19 em adultos 18-40 anos",
            "questionário SF-36 após COVID-19 em adultos 18-40 anos",
        ),
        ("de 2020 a 2024", "de 2020 a 2024"),
    ],
)
def test_only_what_identifies_somebody_is_replaced(typed: str, kept: str) -> None:
    assert scrubbed(typed, Redactor()) == kept


def test_the_speakers_own_name_is_replaced_too() -> None:
    redactor = Redactor(Identity.of("Zuleica Prado", "123.456.789-09"))
    assert scrubbed("sou zuleica prado", redactor) == "sou [NAME]"
