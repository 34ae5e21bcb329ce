from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator.gateway.mcp_http import HttpAddress
from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import Clinics, Guard, open_clinics
from tests.support.mcp_gateway import JOANA, TOLD, Gateway, open_gateway
from tests.support.talk import CARLOS
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


@pytest.fixture
def served(gateway: Gateway, caplog: pytest.LogCaptureFixture) -> Iterator[HttpAddress]:
    """A gateway over HTTP for Carlos and Joana; it logs no error, and nothing that names them."""
    with caplog.at_level(logging.DEBUG), gateway.over_http([CARLOS, JOANA]) as address:
        yield address
    # What the client itself logs is what it sends.
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    logged = [record for record in records if not record.name.startswith("mcp.client")]
    assert logged
    assert not [record for record in logged if record.levelno >= logging.ERROR]
    said = "\n".join(f"{record.getMessage()} {record.exc_info}" for record in logged)
    assert not [text for text in TOLD if text in said]
