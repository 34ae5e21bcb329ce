"""A handler over a file in the test's folder, at a moment that stands still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from orchestrator.memory.keeping.handler import MemoryHandler, SubjectKey
from orchestrator.memory.memory_store import MemoryStore
from orchestrator.memory.sqlite_store import SqliteMemoryStore
from orchestrator.memory.voyage import VoyageEmbeddings
from orchestrator.turn.identity import Identity
from orchestrator.turn.memory_calls import MemoryCall, MemoryKind, MemoryResult, SaveMemory
from tests.support.memories import MARIA, NOW

KEY = bytes(range(32))


class Desk:
    """People and what is done for them; `now` may be moved.

    Args:
        folder: Where the file and the key are.
        embeddings: What compares meanings.
        store: The store; None for a file.
    """

    def __init__(
        self, folder: Path, embeddings: VoyageEmbeddings | None = None, store: MemoryStore | None = None
    ) -> None:
        self.path = folder / "data" / "memory.db"
        self.now: datetime = NOW
        keys = folder / "keys"
        if not keys.exists():
            keys.mkdir(mode=0o700)
            (keys / "memory.key").touch(0o600)
            (keys / "memory.key").write_bytes(KEY)
        self.handler = MemoryHandler(
            store or SqliteMemoryStore(self.path), SubjectKey(keys), embeddings, lambda: self.now
        )

    def do(self, call: MemoryCall, who: Identity = MARIA, conversation: str = "one") -> MemoryResult:
        return self.handler.execute(who, call, conversation)

    def save(self, content: str, kind: MemoryKind = MemoryKind.PREFERENCE, who: Identity = MARIA) -> MemoryResult:
        return self.do(SaveMemory(kind, content), who)

    def recall(self, utterance: str = "quero marcar uma consulta", who: Identity = MARIA) -> list[str]:
        return [memory.content for memory in self.handler.recall(who, utterance)]


OpenDesk = Callable[..., Desk]


@pytest.fixture
def open_desk(tmp_path: Path) -> OpenDesk:
    """Return what opens a desk in this test's folder; two of them share it."""
    return lambda embeddings=None, store=None: Desk(tmp_path, embeddings, store)


@pytest.fixture
def desk(open_desk: OpenDesk) -> Desk:
    """Return a desk that finds by words."""
    return open_desk()
