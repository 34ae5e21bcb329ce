"""The ports to where memories are kept, by subject and never by person, and to what compares their meanings."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NoReturn, Protocol
from uuid import UUID

from mesh.clock import ZONE
from orchestrator.turn import Memory, MemoryKind, Source

DIMENSIONS = 1024  # of a vector; those of Voyage AI's voyage-3.5-lite
MAX_CHARS = 16_000  # of a text; what is beyond is not looked at
Vector = tuple[float, ...]  # `DIMENSIONS` numbers, of length 1: the product of two vectors is the cosine of their angle


class EmbeddingPurpose(StrEnum):
    """What a vector is made for; the values are those of Voyage AI's input_type."""

    DOCUMENT = "document"  # to be found
    QUERY = "query"  # to find


class Embeddings(Protocol):
    """A source of vectors for texts."""

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:
        """Return a vector or None for each text, in time and without raising; no text may identify a person."""

    def close(self) -> None:
        """Make no more."""


class NoEmbeddings:
    """Embeddings that make none: search goes by words."""

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:  # noqa: ARG002 - of the port
        """Return None for each text."""
        return (None,) * len(texts)

    def close(self) -> None:
        """Do nothing."""


MEMORY_FILE = "memory.db"  # the file in the data folder that holds the memories unless a server is named


@dataclass(frozen=True, slots=True)
class Condition:
    """What an examination of a store found."""

    text: str  # what holds; where something is wrong, what to do. It holds no address and no key.
    is_well: bool = True  # whether memories can be kept and found


class StoreError(Exception):
    """The store cannot do it; the message says why and holds nothing of what is kept."""


Row = tuple[str | UUID, str, str, str, str, datetime, datetime, date | None]
"""A memory as it is stored: id, content, kind, source, conversation, created and updated, and its last day."""


def memory_of(row: Row) -> Memory:
    """Return a memory from its row; raise StoreError where it is none."""
    key, content, kind, source, conversation, created_at, updated_at, expires_on = row
    instants = created_at.astimezone(ZONE), updated_at.astimezone(ZONE)
    try:
        return Memory(str(key), content, MemoryKind(kind), Source(source), conversation, *instants, expires_on)
    except ValueError:
        raise StoreError("a memory cannot be read") from None


class Shelf(Protocol):
    """One person's memories during one transaction; all methods raise StoreError when the store fails."""

    def memories(self) -> tuple[Memory, ...]:
        """Return all that hold today, what was saved last first."""

    def similarities(self, vector: Vector) -> Mapping[str, float]:
        """Return the cosine similarity of those that have an embedding, -1 to 1, by id."""

    def without_vector(self) -> Mapping[str, str]:
        """Return the contents of those that have no embedding, by id."""

    def embed(self, vectors: Mapping[str, Vector]) -> None:
        """Give some their embedding, by id."""

    def add(self, memory: Memory, vector: Vector | None) -> None:
        """Keep one more; None where there is no embedding."""

    def remove(self, ids: Collection[str]) -> None:
        """Delete some for good."""

    def clear(self) -> None:
        """Delete all for good, those that have expired too."""


class MemoryStore(Protocol):
    """Where threads and processes keep memories; all methods but `close` raise StoreError when the store fails."""

    def reading(self, subject: str, today: date) -> AbstractContextManager[Shelf]:
        """Return a person's shelf for looking at; empty where nothing was ever kept."""

    def changing(self, subject: str, today: date) -> AbstractContextManager[Shelf]:
        """Return a person's shelf for one transaction; what has expired is deleted, whoever's it is."""

    def erase_expired(self, today: date) -> None:
        """Delete for good what held until yesterday or earlier, whoever's it is."""

    def close(self) -> None:
        """Let go of connections."""


class MissingStore:
    """A store that cannot be used: everything asked of it fails with `reason`, which says what to do."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def reading(self, *_: object, **__: object) -> NoReturn:
        """Raise StoreError."""
        raise StoreError(self._reason)

    changing = erase_expired = reading

    def close(self) -> None:
        """Do nothing."""
