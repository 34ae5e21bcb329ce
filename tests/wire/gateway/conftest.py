from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import Clinics, Guard, open_clinics
from tests.support.mcp_gateway import Gateway, open_gateway
from tests.support.tokens import make_keys


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFolder:
    return make_keys(tmp_path_factory.mktemp("home"))


@pytest.fixture
def clinics(tmp_path: Path, keys: KeyFolder) -> Iterator[Clinics]:
    with open_clinics(tmp_path, guard=Guard(keys.public)) as running:
        yield running


@pytest.fixture
def gateway(clinics: Clinics, keys: KeyFolder, tmp_path: Path) -> Iterator[Gateway]:
    with open_gateway(clinics, keys, tmp_path) as opened:
        yield opened
