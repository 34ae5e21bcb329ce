"""What identifies anybody is taken out of what a person typed; scales, viruses and doctors' words stay."""

from __future__ import annotations

import pytest

from orchestrator.privacy import Redactor
from orchestrator.turn.identity import Identity
from tests.support.sentences import rows


@pytest.mark.parametrize(("typed", "kept"), rows("scrub.txt", "only what identifies somebody is replaced"))
def test_only_what_identifies_somebody_is_replaced(typed: str, kept: str) -> None:
    assert Redactor(patient_ids=True).redact(typed) == kept


def test_the_speakers_own_name_is_replaced_too() -> None:
    redactor = Redactor(Identity.of("Zuleica Prado", "123.456.789-09"), patient_ids=True)
    assert redactor.redact("sou zuleica prado") == "sou [NAME]"
