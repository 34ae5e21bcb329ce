"""Puts a memory together: store, key and embeddings; nothing is loaded, opened or made before it is used."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mesh.clock import Clock
from orchestrator.turn import Identity, Memory, MemoryCall, MemoryResult

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
        self._opened: tuple[MemoryHandler, MemoryStore, Embeddings] | None = None

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        """See `MemoryKeeper.recall`."""
        return self._handler().recall(speaker, utterance)

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        """See `MemoryKeeper.execute`."""
        return self._handler().execute(speaker, call, conversation)

    def close(self) -> None:
        """Let go of what was opened."""
        if self._opened is not None:
            _, store, embeddings = self._opened
            store.close()
            embeddings.close()

    def _handler(self) -> MemoryHandler:
        from orchestrator.memory.handler import MemoryHandler  # noqa: PLC0415 - the first use pays, no start
        from orchestrator.memory.subject import SubjectKey  # noqa: PLC0415 - as above

        with self._lock:
            if self._opened is None:
                store, embeddings = self._store(), self._embeddings()
                handler = MemoryHandler(store, SubjectKey(self._keys_dir), embeddings, self._clock)
                self._opened = handler, store, embeddings
            return self._opened[0]

    def _store(self) -> MemoryStore:
        if self._url is None:
            from orchestrator.memory.sqlite_store import SqliteMemoryStore  # noqa: PLC0415 - the first use pays

            return SqliteMemoryStore(self._data_dir / FILE)
        try:
            from orchestrator.memory.postgres_store import PostgresMemoryStore  # noqa: PLC0415 - an extra
        except ImportError:
            from orchestrator.memory.store import MissingStore  # noqa: PLC0415 - as above

            return MissingStore("psycopg is not installed: pip install clinic-mesh[memory-postgres]")
        return PostgresMemoryStore(self._url)

    def _embeddings(self) -> Embeddings:
        from orchestrator.memory.embeddings import NoEmbeddings  # noqa: PLC0415 - the first use pays, no start

        if not self._voyage_key:
            return NoEmbeddings()
        from orchestrator.memory.voyage import VoyageEmbeddings  # noqa: PLC0415 - only with a key

        return VoyageEmbeddings(self._voyage_key)
