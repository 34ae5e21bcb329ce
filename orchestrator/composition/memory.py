"""Build the memory of a run: store, key and embeddings; nothing is loaded, opened or made before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mesh.clock import Clock
from orchestrator.settings import Settings
from orchestrator.stages import MemoryKeeper
from orchestrator.turn import Identity, Memory, MemoryCall, MemoryResult, Role

if TYPE_CHECKING:
    from orchestrator.memory import Condition, MemoryStore
    from orchestrator.memory.keeping import MemoryHandler


def remembers(settings: Settings) -> bool:
    """Return whether what is said may be remembered: staff speak of others, so nothing of them is."""
    return settings.memory and settings.role is Role.PATIENT


@contextmanager
def memory_of(settings: Settings) -> Iterator[MemoryKeeper | None]:
    """Yield the memory of a run; None where nothing is to be remembered."""
    if not remembers(settings):
        yield None
        return
    folders = settings.data_dir, settings.keys_dir
    with LazyMemory(*folders, settings.clock, url=settings.memory_url, voyage_key=settings.voyage_api_key) as memory:
        yield memory


@dataclass(frozen=True)
class LazyMemory(AbstractContextManager["LazyMemory"]):
    """A `MemoryKeeper` that is put together when it is first used; the end of its block closes what was opened."""

    data_dir: Path
    keys_dir: Path
    clock: Clock
    url: str | None = field(repr=False)  # of a PostgreSQL server; None: a file in the data folder
    voyage_key: str | None = field(repr=False)  # of Voyage AI; None: searched by words
    _opened: ExitStack = field(default_factory=ExitStack, init=False)

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        """See `MemoryKeeper.recall`."""
        return self._handler.recall(speaker, utterance)

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        """See `MemoryKeeper.execute`."""
        return self._handler.execute(speaker, call, conversation)

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @cached_property
    def _handler(self) -> MemoryHandler:
        from orchestrator.memory import NoEmbeddings, VoyageEmbeddings  # noqa: PLC0415 - the first use pays, no start
        from orchestrator.memory.keeping import MemoryHandler, SubjectKey  # noqa: PLC0415 - as above

        store = self._store()
        self._opened.callback(store.close)
        embeddings = VoyageEmbeddings(self.voyage_key) if self.voyage_key else NoEmbeddings()
        self._opened.callback(embeddings.close)
        return MemoryHandler(store, SubjectKey(self.keys_dir), embeddings, self.clock)

    def _store(self) -> MemoryStore:
        from orchestrator.memory import MEMORY_FILE, MissingStore  # noqa: PLC0415 - the first use pays, no start

        if self.url is None:
            from orchestrator.memory.sqlite import SqliteMemoryStore  # noqa: PLC0415 - as above

            return SqliteMemoryStore(self.data_dir / MEMORY_FILE)
        if find_spec("psycopg") is None:
            return MissingStore(_NO_PSYCOPG)
        from orchestrator.memory.postgres import PostgresMemoryStore  # noqa: PLC0415 - an extra

        return PostgresMemoryStore(self.url)


_NO_PSYCOPG = "psycopg is not installed: run `make extra-memory-postgres` in the folder of clinic-mesh"


def memory_condition(settings: Settings) -> Condition:
    """Return whether memories can be kept and found as the settings say; nothing is made or written."""
    from orchestrator.memory import MEMORY_FILE, Condition  # noqa: PLC0415 - as above

    if settings.memory_url is None:
        from orchestrator.memory.sqlite import file_condition  # noqa: PLC0415 - as above

        place = file_condition(settings.data_dir / MEMORY_FILE)
    elif find_spec("psycopg") is None:
        place = Condition(_NO_PSYCOPG, is_well=False)
    else:
        from orchestrator.memory.postgres import server_condition  # noqa: PLC0415 - an extra

        place = server_condition(settings.memory_url)
    if not place.is_well or settings.voyage_api_key is None:
        return place
    if find_spec("voyageai") is None:
        return Condition(
            "VOYAGE_API_KEY is set, but voyageai is not installed: run `make extra-embeddings` in clinic-mesh's folder",
            is_well=False,
        )
    return Condition(f"{place.text}; searched by meaning, too")
