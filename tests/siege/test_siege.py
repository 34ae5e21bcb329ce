"""The short form of `make siege`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.siege.clinic_siege import ATTACKS, ClinicSiege
from tests.support.form import examples

pytestmark = pytest.mark.process

_SECONDS = examples(50) / 100
"""How long each attack goes on."""

SLOWEST_MS = 30_000.0
"""A machine that runs other tests promises nothing about time."""


def test_no_attack_on_a_clinic_gets_anything(tmp_path: Path) -> None:
    with ClinicSiege(tmp_path, SLOWEST_MS) as siege:
        got = {name: siege.endure(attack, _SECONDS) for name, attack in ATTACKS.items()}
        got["end"] = siege.end()
    assert {name: outcome.through for name, outcome in got.items() if outcome.through} == {}
    assert all(outcome.attempts for outcome in got.values())
