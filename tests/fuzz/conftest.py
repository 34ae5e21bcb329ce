"""A clinic that anybody may call and one that asks for tokens, and all that they write into the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from clinics.database import load
from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.server import NodePolicies
from orchestrator.security.token_keys import KeyFolder
from tests.fuzz.strangers import DEADLINE_S, MARKS
from tests.support.clinics import NOW
from tests.support.tokens import make_keys, token_for


class _Ears(logging.Handler):
    """Everything that is logged, with tracebacks."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(logging.Formatter("%(levelname)s %(name)s %(message)s").format(record))


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFolder:
    return make_keys(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def open_clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[grpc.Channel]:
    """A channel to a clinic that asks for no token."""
    with _clinic(tmp_path_factory.mktemp("silo"), None) as channel:
        yield channel


@pytest.fixture(scope="module")
def guarded_clinic(tmp_path_factory: pytest.TempPathFactory, keys: KeyFolder) -> Iterator[grpc.Channel]:
    """A channel to a clinic that asks for tokens."""
    with _clinic(tmp_path_factory.mktemp("silo"), keys) as channel:
        yield channel


@contextmanager
def _clinic(silo: Path, keys: KeyFolder | None) -> Iterator[grpc.Channel]:
    """Yield a clinic's channel, and hold the clinic to what it must still be when all strangers have gone."""
    ears = _Ears()
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(ears)
    root.setLevel(logging.DEBUG)
    public = None if keys is None else keys.public
    try:
        with (
            serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW, NodePolicies(public)) as clinic,
            grpc.insecure_channel(clinic.address) as channel,
        ):
            yield channel
            metadata = () if keys is None else (("authorization", f"Bearer {token_for(keys)}"),)
            stub = ClinicServiceStub(channel)
            stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S, metadata=metadata)
        load(silo / "db.json")
    finally:
        root.removeHandler(ears)
        root.setLevel(level)
    assert not [line for line in ears.heard if line.startswith(("ERROR", "CRITICAL"))]
    assert not [line for line in ears.heard if any(mark in line for mark in MARKS)]
