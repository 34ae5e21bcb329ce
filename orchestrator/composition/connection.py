"""The clinics of a registry as they can be reached: channels, and who answers at their ends.

Half of the composition root, apart from the other half because a terminal needs it before its first prompt and the
stages of a turn take as long to load as all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from mesh.telemetry import Telemetry
from orchestrator.agents import NOBODY, Channels, MeshDirectory, Registry
from orchestrator.security import UNPROTECTED, Credentials, Protection
from orchestrator.turn import Directory, Introduction


@dataclass(frozen=True, slots=True)
class Connection:
    """What the parts of one run share of the mesh.

    Attributes:
        registry: Where the clinics are.
        channels: How they are reached.
        calls: The same for the steps of turns, apart because a turn that is stopped hangs up.
        directory: Who they are.
        credentials: Signs who is calling; None where the clinics ask for no token.
    """

    registry: Registry
    channels: Channels
    calls: Channels
    directory: Directory
    credentials: Credentials | None = None


@contextmanager
def connect(
    registry: Registry,
    protection: Protection = UNPROTECTED,
    telemetry: Telemetry | None = None,
    met: Mapping[str, Introduction] = NOBODY,
) -> Iterator[Connection]:
    """Yield a connection to the clinics of `registry`, which need not be up yet, and close it.

    Args:
        registry: Where the clinics are.
        protection: How calls are protected.
        telemetry: Where traces of calls go; it stays open. None makes none.
        met: What clinics have just said of themselves, by id; the others are asked.
    """
    credentials = Credentials(protection.keys) if protection.keys is not None else None
    tls = protection.client_tls
    with Channels(tls, telemetry) as channels, Channels(tls, telemetry) as calls:
        yield Connection(registry, channels, calls, MeshDirectory(registry, channels, met), credentials)
