"""Embeddings by Voyage AI's voyage-3.5-lite, through the vendor's client (extra `embeddings`).

One thread loads the slow client and asks within its time limit. Only texts leave this machine; a failure costs vectors.
"""

import logging
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from orchestrator.memory.memory_store import DIMENSIONS, MAX_CHARS, EmbeddingPurpose, Vector

if TYPE_CHECKING:
    from voyageai.client import Client

MODEL = "voyage-3.5-lite"
DEADLINE_S = 1.5  # that a turn waits for its vectors
PAUSE_S = 30.0  # for which the server is left alone after a failure

_logger = logging.getLogger(__name__)


class VoyageEmbeddings:
    """Vectors of a server (Voyage AI's where `base_url` is None); a caller waits `deadline_s` at most."""

    def __init__(self, key: str, *, base_url: str | None = None, deadline_s: float = DEADLINE_S) -> None:
        self._key = key
        self._base_url = base_url
        self._deadline_s = deadline_s
        self._paused_until = 0.0
        self._has_warned = False
        self._worker = ThreadPoolExecutor(1, "voyage")
        self._client = self._worker.submit(self._load)

    def embed(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> tuple[Vector | None, ...]:
        """Return a vector for each text, in time, or None; without raising. No text may identify a person."""
        cleaned = [text.strip()[:MAX_CHARS] for text in texts]
        wanted = [text for text in cleaned if text]
        if not wanted or time.monotonic() < self._paused_until:
            return (None,) * len(texts)
        answer = self._worker.submit(self._vectors, wanted, purpose)
        try:
            vectors = iter(answer.result(self._deadline_s))
        except TimeoutError:
            if not answer.cancel():  # it was sent; else the client is still loading, and may be ready soon
                self._pause("no answer in time")
            return (None,) * len(texts)
        return tuple(next(vectors) if text else None for text in cleaned)

    def close(self) -> None:
        """Ask nothing more and wait for what is under way; ending while a thread loads may crash."""
        self._worker.shutdown(cancel_futures=True)

    def _load(self) -> "Client | None":
        try:
            from voyageai.client import Client  # noqa: PLC0415 - an extra, and seconds to load: only with a key
        except ImportError:
            advice = "run `make extra-embeddings` in the folder of clinic-mesh"
            _logger.warning("a key of Voyage AI is set, but voyageai is not installed: %s", advice)
            return None
        return Client(api_key=self._key, max_retries=0, timeout=self._deadline_s, base_url=self._base_url)

    def _vectors(self, texts: Sequence[str], purpose: EmbeddingPurpose) -> Sequence[Vector | None]:
        client = self._client.result()
        if client is None:
            return (None,) * len(texts)
        try:  # one request: no caller has nearly as many texts as it may hold
            return _checked(client.embed([*texts], model=MODEL, input_type=purpose).embeddings, len(texts))
        except Exception as error:  # noqa: BLE001 - the vendor's client meets a strange answer with any exception
            self._pause(type(error).__name__)
            return (None,) * len(texts)

    def _pause(self, why: str) -> None:
        self._paused_until = time.monotonic() + PAUSE_S
        _logger.log(logging.DEBUG if self._has_warned else logging.WARNING, "no embeddings: %s", why)
        self._has_warned = True


def _checked(embeddings: Sequence[Sequence[float]], count: int) -> Sequence[Vector]:
    if len(embeddings) != count:
        raise ValueError("another number of vectors than of texts")
    lengths = [math.hypot(*embedding) for embedding in embeddings]
    if any(len(one) != DIMENSIONS for one in embeddings) or not all(0.0 < length < math.inf for length in lengths):
        raise ValueError(f"not a vector of {DIMENSIONS} dimensions")
    return [tuple(number / length for number in one) for one, length in zip(embeddings, lengths, strict=True)]
