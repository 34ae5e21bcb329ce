from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clinics import Clinics, open_clinics
from tests.support.talk import Talk, open_talk


@pytest.fixture
def clinics(tmp_path: Path) -> Iterator[Clinics]:
    with open_clinics(tmp_path) as running:
        yield running


@pytest.fixture
def talk(clinics: Clinics) -> Iterator[Talk]:
    with open_talk(clinics.registry) as conversation:
        yield conversation
