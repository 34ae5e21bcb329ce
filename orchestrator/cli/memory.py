"""What the commands that converse need of the memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.memory import open_memory
from orchestrator.settings import Settings
from orchestrator.stages import MemoryKeeper
from orchestrator.turn import Role


def remembers(settings: Settings) -> bool:
    """Return whether what is said may be remembered: staff speak of others, so with them nothing is."""
    return settings.memory and settings.role is Role.PATIENT


@contextmanager
def memory_of(settings: Settings) -> Iterator[MemoryKeeper | None]:
    """Yield the memory of a run; None where nothing is to be remembered."""
    if not remembers(settings):
        yield None
        return
    with open_memory(
        settings.data_dir,
        settings.keys_dir,
        settings.clock,
        url=settings.memory_url,
        voyage_key=settings.voyage_key,
    ) as memory:
        yield memory
