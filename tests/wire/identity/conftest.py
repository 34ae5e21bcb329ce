"""Two real clinics that ask for tokens, and their doors as a caller with any token finds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from clinics.program import serve
from mesh.server import NodePolicies, Server
from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import NOW
from tests.support.tokens import make_keys
from tests.wire.parity.doors import TRACE, Door, EnvelopeDoor, Metadata, TypedDoor

DOORS = (TypedDoor, EnvelopeDoor)

OpenDoor = Callable[..., Door]
"""Opens a door with a token or with any metadata."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """Running clinics, and what is on their disks."""

    folder: Path
    clinics: dict[str, Server]
    channels: dict[str, grpc.Channel]

    def door(
        self,
        kind: type[TypedDoor | EnvelopeDoor],
        token: str | None,
        clinic: str = "clinic_a",
        metadata: Metadata | None = None,
    ) -> Door:
        """Return a door of a clinic, for a caller who sends a token or just this metadata."""
        if metadata is None:
            metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        return kind(self.channels[clinic], (*TRACE, *metadata))

    def database(self, clinic: str) -> bytes:
        """Return a clinic's db.json as it is on disk."""
        return (self.folder / clinic / "db.json").read_bytes()


@pytest.fixture(scope="package")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFolder:
    return make_keys(tmp_path_factory.mktemp("home"))


@pytest.fixture
def guarded(tmp_path: Path, keys: KeyFolder) -> Iterator[Guarded]:
    with ExitStack() as parts:
        running = {
            clinic: parts.enter_context(
                serve(clinic, "127.0.0.1:0", tmp_path / clinic, "blueprint", NOW, NodePolicies(keys.public))
            )
            for clinic in ("clinic_a", "clinic_b")
        }
        channels = {
            clinic: parts.enter_context(grpc.insecure_channel(process.address)) for clinic, process in running.items()
        }
        yield Guarded(tmp_path, running, channels)


@pytest.fixture(params=DOORS, ids=["typed", "envelope"])
def kind(request: pytest.FixtureRequest) -> type[TypedDoor | EnvelopeDoor]:
    door: type[TypedDoor | EnvelopeDoor] = request.param
    return door
