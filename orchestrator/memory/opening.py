"""Puts a memory together: store, key and embeddings; nothing is loaded, opened or made before it is used."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mesh.clock import Clock
from orchestrator.identity import Identity
from orchestrator.memory.calls import MemoryCall, MemoryResult
from orchestrator.memory.memory import Memory

if TYPE_CHECKING:
    from orchestrator.memory.embeddings import Embeddings
    from orchestrator.memory.handler import MemoryHandler
    from orchestrator.memory.store import MemoryStore

FILE = "memory.db"
"""The file in the data folder that memories are in unless a server is named."""


@contextmanager
def open_memory(
    data_dir: Path, keys_dir: Path, clock: Clock, *, url: str | None, voyage_key: str | None
) -> Iterator[LazyMemory]:
    """Yield a `MemoryKeeper`; closes what it opened.

    Args:
        data_dir: The folder of the file.
        keys_dir: The folder of the key that people are known by.
        clock: The appointments' time.
        url: A PostgreSQL server, as postgresql://...; None for the file.
        voyage_key: A key of Voyage AI; None for search by words.
    """
    memory = LazyMemory(data_dir, keys_dir, clock, url, voyage_key)
    try:
        yield memory
    finally:
        memory.close()


class LazyMemory:
    """A `MemoryKeeper` that is put together when it is first used; made by `open_memory`."""

    def __init__(self, data_dir: Path, keys_dir: Path, clock: Clock, url: str | None, voyage_key: str | None) -> None:
        self._data_dir = data_dir
        self._keys_dir = keys_dir
        self._clock = clock
        self._url = url
        self._voyage_key = voyage_key
        self._lock = threading.Lock()
        self._opened: tuple[MemoryHandler, MemoryStore] | None = None

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        """See `MemoryKeeper.recall`."""
        return self._handler().recall(speaker, utterance)

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        """See `MemoryKeeper.execute`."""
        return self._handler().execute(speaker, call, conversation)

    def close(self) -> None:
        """Let go of what was opened."""
        if self._opened is not None:
            self._opened[1].close()

    def _handler(self) -> MemoryHandler:
        from orchestrator.memory.handler import MemoryHandler  # noqa: PLC0415 - the first use pays, no start
        from orchestrator.memory.subject import SubjectKey  # noqa: PLC0415 - as above

        with self._lock:
            if self._opened is None:
                store = self._store()
                key = SubjectKey(self._keys_dir)
                self._opened = MemoryHandler(store, key, self._embeddings(), self._clock), store
            return self._opened[0]

    def _store(self) -> MemoryStore:
        from orchestrator.memory.sqlite_store import SqliteMemoryStore  # noqa: PLC0415 - the first use pays, no start

        return SqliteMemoryStore(self._data_dir / FILE)

    def _embeddings(self) -> Embeddings:
        from orchestrator.memory.embeddings import NoEmbeddings  # noqa: PLC0415 - as above

        return NoEmbeddings()
