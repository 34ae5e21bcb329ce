"""The port to embeddings: what texts mean, as vectors to compare; and what stands in where nobody makes them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

DIMENSIONS = 1024
"""Of a vector; those of Voyage AI's voyage-3.5-lite."""

MAX_CHARS = 16_000
"""Of a text; what is beyond is not looked at."""

Vector = tuple[float, ...]
"""`DIMENSIONS` numbers, of length 1: the product of two vectors is the cosine of their angle."""


class EmbeddingPurpose(StrEnum):
    """What a vector is made for; the values are those of Voyage AI's input_type."""

    DOCUMENT = "document"  # to be found
    QUERY = "query"  # to find


class Embeddings(Protocol):
    """Makes vectors of texts."""

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:
        """Return a vector for each text, in order; None where there is none. Never raises, nor keeps a turn waiting.

        Nothing that identifies a person may be in a text: it may leave this machine.
        """
        ...

    def close(self) -> None:
        """Make no more."""
        ...


class NoEmbeddings:
    """Makes none: search goes by words."""

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:  # noqa: ARG002 - of the port
        """Return None for each text."""
        return (None,) * len(texts)

    def close(self) -> None:
        """Nothing is open."""
