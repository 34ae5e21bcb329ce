"""Memories, vectors and people for tests of memory; and embeddings that know what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from uuid import uuid4

from mesh.clock import ZONE
from orchestrator.memory.memory_store import DIMENSIONS, EmbeddingPurpose, Vector
from orchestrator.memory.voyage import VoyageEmbeddings
from orchestrator.settings import Settings
from orchestrator.turn.identity import Identity
from orchestrator.turn.memory_calls import Memory, MemoryKind, Source

NOW = datetime(2025, 7, 15, 8, tzinfo=ZONE)
TODAY = NOW.date()
MARIA = Identity.of("Maria Souza", "529.982.247-25")
CARLOS = Identity.of("Carlos Teste", "123.456.789-00")


def memory_settings(data: Path, keys: Path, *, now: str = NOW.isoformat(), url: str | None = None) -> Settings:
    """Return settings of a memory in these folders, or on a server."""
    return Settings(data_dir=data, log_dir=data / "logs", keys_dir=keys, now=now, memory_url=url)


def a_memory(
    content: str, kind: MemoryKind = MemoryKind.PREFERENCE, *, expires_on: date | None = None, conversation: str = "one"
) -> Memory:
    """Return a memory of today."""
    return Memory(str(uuid4()), content, kind, Source.CONVERSATION, conversation, NOW, NOW, expires_on)


def a_vector(**parts: float) -> Vector:
    """Return a vector of length 1 that has these parts in the first places, as x, y and z."""
    numbers = [parts.get(axis, 0.0) for axis in "xyz"]
    length = sum(number * number for number in numbers) ** 0.5
    return (*(number / length for number in numbers), *[0.0] * (DIMENSIONS - 3))


class KnownEmbeddings(VoyageEmbeddings):
    """Embeddings by a table; None for a text that is not in it.

    Attributes:
        known: Vectors by text.
        asked: What was asked for, in order.
    """

    def __init__(self, known: Mapping[str, Vector] | None = None) -> None:
        self.known = dict(known or {})
        self.asked: list[tuple[Sequence[str], EmbeddingPurpose]] = []

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:
        self.asked.append((tuple(texts), purpose))
        return tuple(self.known.get(text) for text in texts)

    def close(self) -> None:
        """Nothing is open."""
