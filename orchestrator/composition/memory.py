"""Build the memory of a run: store, key and embeddings; nothing is loaded, opened or made before it is used."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from mesh.limits import DEFAULT, read_limits
from mesh.tls import read_server_tls
from orchestrator.agents import Registry
from orchestrator.security import KeyFolder
from orchestrator.settings import Settings
from orchestrator.texts import texts_in
from orchestrator.turn import Identity, Memory, MemoryCall, MemoryResult, Role

if TYPE_CHECKING:
    from orchestrator.memory import MemoryStore
    from orchestrator.memory.keeping import MemoryHandler

_SERVICE = "memory.v1.MemoryService"
_NO_PSYCOPG = "psycopg is not installed: run `make extra-memory-postgres` in the folder of clinic-mesh"


@contextmanager
def serving_memory(settings: Settings, registry: Registry) -> Iterator[None]:
    """Serve the memory in the block where the registry expects it, unless it is off or served; may raise UsageError."""
    agent = next((one for one in registry.with_services.values() if one.service == _SERVICE), None)
    if agent is None or not settings.memory:
        yield
        return
    from mesh.server import AddressInUseError, NodePolicies, open_node  # noqa: PLC0415 - no conversation serves anything
    from orchestrator.memory.memory_service import SERVICE, MemoryService  # noqa: PLC0415 - as above

    tls, folder = None, settings.tls_dir
    if folder is not None:
        authority = folder / "ca.pem" if settings.tls else None
        tls = read_server_tls(folder / f"{agent.id}.pem", folder / f"{agent.id}.key", authority)
    limits = DEFAULT if settings.rate is None else read_limits(settings.rate)
    policies = NodePolicies(KeyFolder(settings.keys_dir).public, limits, tls)
    service, reasons = SERVICE
    with ExitStack() as parts:
        keepers = {role: parts.enter_context(LazyMemory(settings, role)) for role in Role}
        served = {service: MemoryService(keepers, texts_in(settings.language))}
        with suppress(AddressInUseError):
            parts.enter_context(open_node(agent.id, agent.address, served, [reasons], policies))
        yield


@dataclass(frozen=True)
class LazyMemory(AbstractContextManager["LazyMemory"]):
    """A `MemoryKeeper` that is put together when it is first used; the end of its block closes what was opened."""

    settings: Settings
    role: Role  # staff have memories of their own work
    _opened: ExitStack = field(default_factory=ExitStack, init=False)

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        return self.handler.recall(speaker, utterance)

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        return self.handler.execute(speaker, call, conversation)

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @cached_property
    def handler(self) -> "MemoryHandler":
        """What does it, put together now."""
        from orchestrator.memory import VoyageEmbeddings  # noqa: PLC0415 - the first use pays, no start
        from orchestrator.memory.keeping import MemoryHandler, SubjectKey  # noqa: PLC0415 - as above

        store = self._store()
        self._opened.callback(store.close)
        voyage_key = self.settings.voyage_api_key
        embeddings = VoyageEmbeddings(voyage_key) if voyage_key else None  # without them it is searched by words
        if embeddings is not None:
            self._opened.callback(embeddings.close)
        return MemoryHandler(store, SubjectKey(self.settings.keys_dir, self.role), embeddings, self.settings.clock)

    def _store(self) -> "MemoryStore":
        from orchestrator.memory import MEMORY_FILE, MissingStore  # noqa: PLC0415 - the first use pays, no start

        if self.settings.memory_url is None:
            from orchestrator.memory.sqlite_store import SqliteMemoryStore  # noqa: PLC0415 - as above

            return SqliteMemoryStore(self.settings.data_dir / MEMORY_FILE)
        if find_spec("psycopg") is None:
            return MissingStore(_NO_PSYCOPG)
        from orchestrator.memory.postgres_store import PostgresMemoryStore  # noqa: PLC0415 - an extra

        return PostgresMemoryStore(self.settings.memory_url)


def memory_condition(settings: Settings) -> str:
    """Return how memories are kept and found as the settings say, nothing made or written; raise StoreError."""
    from orchestrator.memory import MEMORY_FILE, StoreError  # noqa: PLC0415 - as above

    if settings.memory_url is None:
        from orchestrator.memory.sqlite_store import file_condition  # noqa: PLC0415 - as above

        place = file_condition(settings.data_dir / MEMORY_FILE)
    elif find_spec("psycopg") is None:
        raise StoreError(_NO_PSYCOPG)
    else:
        from orchestrator.memory.postgres_store import server_condition  # noqa: PLC0415 - an extra

        place = server_condition(settings.memory_url)
    if settings.voyage_api_key is None:
        return place
    if find_spec("voyageai") is None:
        advice = "run `make extra-embeddings` in clinic-mesh's folder"
        raise StoreError(f"VOYAGE_API_KEY is set, but voyageai is not installed: {advice}")
    return f"{place}; searched by meaning, too"
