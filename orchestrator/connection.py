"""The clinics of a registry as they can be reached: channels, and who answers at their ends.

Half of the composition root, apart from the other half because a terminal needs it before its first prompt and the
stages of a turn take as long to load as all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from orchestrator.channels import Channels
from orchestrator.directory import Directory
from orchestrator.mesh_directory import MeshDirectory
from orchestrator.registry import Registry


@dataclass(frozen=True, slots=True)
class Connection:
    """What the parts of one run share of the mesh.

    Attributes:
        registry: Where the clinics are.
        channels: How they are reached.
        directory: Who they are.
    """

    registry: Registry
    channels: Channels
    directory: Directory


@contextmanager
def connect(registry: Registry) -> Iterator[Connection]:
    """Yield a connection to the clinics of `registry`, which need not be up yet, and close it."""
    with Channels() as channels:
        yield Connection(registry, channels, MeshDirectory(registry, channels))
