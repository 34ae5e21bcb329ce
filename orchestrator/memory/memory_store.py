"""Where memories are kept, by subject and never by person, and what compares their meanings.

The databases share one table and its statements; what they do differently is in their modules.
"""

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from datetime import UTC, date, datetime
from importlib.resources import files
from typing import Any, ClassVar, Literal, NoReturn

from mesh.clock import ZONE
from orchestrator.turn import Memory, MemoryKind, Source

DIMENSIONS = 1024  # of a vector; those of Voyage AI's voyage-3.5-lite
MAX_CHARS = 16_000  # of a text; what is beyond is not looked at
Vector = tuple[float, ...]  # `DIMENSIONS` numbers, of length 1: the product of two vectors is the cosine of their angle

EmbeddingPurpose = Literal["document", "query"]
"""What a vector is made for: to be found, or to find; the values are those of Voyage AI's input_type."""

MEMORY_FILE = "memory.db"  # the file in the data folder that holds the memories unless a server is named

_SQL = tomllib.loads(files(__package__).joinpath("memory_statements.toml").read_text("utf-8"))

Row = tuple[Any, ...]
Run = Callable[[str, Mapping[str, object]], Iterable[Row]]  # run SQL, its parameters as `:name`; return its rows


def statements_of(name: str, **values: object) -> Sequence[str]:
    """Return the statements of a file of SQL, its placeholders filled in."""
    return files(__package__).joinpath(name).read_text("utf-8").format(**values).split(";\n")[:-1]


def _held(name: str, **values: str) -> str:
    return str(_SQL[name].format(held=_SQL["held"], **values))


class StoreError(Exception):
    """The store cannot do it; the message says why and holds nothing of what is kept."""


class Shelf(ABC):
    """One person's memories in a transaction; raises StoreError. A database adds how it holds and compares vectors."""

    def __init__(self, run: Run, subject: str, today: date) -> None:
        self._run = run
        self._bound = {"subject": subject, "today": today.isoformat()}

    @abstractmethod
    def _packed(self, vector: Vector) -> object:
        """Return a vector as the database holds it."""

    @abstractmethod
    def similarities(self, vector: Vector) -> Mapping[str, float]:
        """Return the cosine similarity of those that have an embedding, -1 to 1, by id."""

    def _of_embedded(self, expression: str, **values: object) -> Iterable[Row]:
        """Return the id and an expression of SQL for those that have an embedding."""
        return self._run(_held("embedded", expression=expression), self._bound | values)

    def memories(self) -> tuple[Memory, ...]:
        """Return all that hold today, what was saved last first."""
        return tuple(map(_memory, self._run(_held("memories"), self._bound)))

    def without_vector(self) -> Mapping[str, str]:
        """Return the contents of those that have no embedding, by id."""
        return {str(key): content for key, content in self._run(_held("without_vector"), self._bound)}

    def embed(self, vectors: Mapping[str, Vector]) -> None:
        """Give some their embedding, by id."""
        for key, vector in vectors.items():
            self._run(_SQL["embed"], self._bound | {"id": key, "embedding": self._packed(vector)})

    def add(self, memory: Memory, vector: Vector | None) -> None:
        """Keep one more; None where there is no embedding."""
        values = {
            "source": memory.source.value,
            "kind": memory.kind.value,
            "embedding": None if vector is None else self._packed(vector),
            "created_at": memory.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "updated_at": memory.updated_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "expires_on": None if memory.expires_on is None else memory.expires_on.isoformat(),
        }
        self._run(_SQL["insert"], self._bound | asdict(memory) | values)

    def is_taken(self, key: str) -> bool:
        """Return whether a memory of anybody has an id."""
        return any(self._run(_SQL["taken"], {"id": key}))

    def remove(self, ids: Collection[str]) -> None:
        """Delete some for good."""
        for key in ids:
            self._run(_SQL["delete"], self._bound | {"id": key})

    def clear(self) -> None:
        """Delete all for good, those that have expired too."""
        self._run(_SQL["delete_all"], self._bound)


def _memory(row: Row) -> Memory:
    key, content, kind, source, conversation, *instants, expires_on = row
    try:
        created_at, updated_at = (datetime.fromisoformat(str(instant)).astimezone(ZONE) for instant in instants)
        last_day = None if expires_on is None else date.fromisoformat(str(expires_on))
        about = MemoryKind(kind), Source(source)
        return Memory(str(key), content, *about, conversation, created_at, updated_at, last_day)
    except ValueError:
        raise StoreError("a memory cannot be read") from None


class MemoryStore(ABC):
    """Where threads and processes keep memories; raises StoreError. A database adds its transactions and shelves."""

    shelves: ClassVar[type[Shelf]]

    @abstractmethod
    def _transaction(self, changing: str | None, /) -> AbstractContextManager[Run]:
        """Return what runs statements in one transaction, which changes the memories of a subject; None: no change."""

    @contextmanager
    def reading(self, subject: str, today: date) -> Iterator[Shelf]:
        """Yield a person's shelf for looking at; empty where nothing was ever kept."""
        with self._transaction(None) as run:
            yield self.shelves(run, subject, today)

    @contextmanager
    def changing(self, subject: str, today: date) -> Iterator[Shelf]:
        """Yield a person's shelf for one transaction; what has expired is deleted, whoever's it is."""
        with self._transaction(subject) as run:
            run(_SQL["delete_expired"], {"today": today.isoformat()})
            yield self.shelves(run, subject, today)

    def erase_expired(self, today: date) -> None:
        """Delete for good what held until yesterday or earlier, whoever's it is."""
        with self.changing("", today):
            pass  # what has expired goes with any change

    def close(self) -> None:  # noqa: B027 (most keep none open)
        """Let go of connections."""


class MissingStore(MemoryStore):
    """A store that cannot be used: everything asked of it fails with `reason`, which says what to do."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def _transaction(self, _: str | None, /) -> NoReturn:
        raise StoreError(self._reason)
