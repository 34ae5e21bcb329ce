"""Keep memories in an SQLite file of this user, which several terminals may share.

What is deleted leaves no byte in the file (secure_delete, VACUUM, no write-ahead log). Similarity is computed here.
"""

import logging
import operator
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

from mesh import private_file
from orchestrator.memory.memory_store import DIMENSIONS, MemoryStore, Row, Run, Shelf, StoreError, Vector, statements_of

_SCHEMA_VERSION = 1
_SCHEMA = statements_of("sqlite_memories.sql", version=_SCHEMA_VERSION)
_BUSY_TIMEOUT_S = 2.0

_logger = logging.getLogger(__name__)


class _SqliteShelf(Shelf):
    def _packed(self, vector: Vector) -> object:
        return array("f", vector).tobytes()

    def similarities(self, vector: Vector) -> Mapping[str, float]:
        rows = self._of_embedded("embedding")
        return {key: sum(map(operator.mul, vector, _unpacked(packed))) for key, packed in rows}


class SqliteMemoryStore(MemoryStore):
    """Keep memories in a file, made for this user alone with the first one; each transaction opens a connection."""

    shelves = _SqliteShelf

    def __init__(self, path: Path) -> None:
        self._path = path

    def erase_expired(self, today: date) -> None:
        if self._path.exists():
            super().erase_expired(today)

    @contextmanager
    def _transaction(self, changing: str | None, /) -> Iterator[Run]:
        deletions: list[int] = []
        try:
            if changing is not None:
                private_file.make_folder(self._path.parent)
                private_file.ensure(self._path)
            with self._connected(is_made=changing is not None or self._path.exists()) as connection:

                def run(statement: str, values: Mapping[str, object]) -> Iterable[Row]:
                    cursor = connection.execute(statement, values)
                    if statement.startswith("DELETE"):
                        deletions.append(cursor.rowcount)
                    return cursor

                with connection:
                    if changing is not None:
                        connection.execute("BEGIN IMMEDIATE")
                    yield run
                if any(deletions):  # a page may hold copies that SQLite made when it moved rows, and did not overwrite
                    try:
                        connection.execute("VACUUM")
                    except sqlite3.Error as error:
                        text = "the file of memories was not written anew after a deletion: %s"
                        _logger.warning(text, _name_of(error))
        except OSError as error:
            raise StoreError(f"the file of memories: {error.strerror}") from None
        except sqlite3.Error as error:
            raise StoreError(f"the file of memories: {_name_of(error)}") from None

    @contextmanager
    def _connected(self, *, is_made: bool) -> Iterator[sqlite3.Connection]:
        if is_made and private_file.is_shared(self._path):
            self._path.chmod(private_file.FILE_MODE)
        # An address of the file that never makes it: a new file has its mode from the start.
        place = f"{self._path.absolute().as_uri()}?mode=rw" if is_made else ":memory:"
        with closing(sqlite3.connect(place, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA temp_store = MEMORY")  # VACUUM copies everything: nothing of it to other files
            _bring_up_to_date(connection)
            yield connection


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    if _version(connection) == 0:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) == 0:  # no other process was first
                for statement in _SCHEMA:
                    connection.execute(statement)
    if _version(connection) != _SCHEMA_VERSION:
        raise StoreError("the file of memories was made by a newer version of this program")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _name_of(error: sqlite3.Error) -> str:
    return str(getattr(error, "sqlite_errorname", type(error).__name__))  # SQLite's text may repeat what a column holds


def _unpacked(packed: bytes) -> "memoryview[float]":
    if len(packed) != DIMENSIONS * 4:
        raise StoreError("the file of memories: an embedding cannot be read")
    return memoryview(packed).cast("f")


def file_condition(path: Path) -> str:
    """Return how memories can be kept in a file, which is not made, or raise StoreError with what to do."""
    if not path.exists():
        return f"on; {path.name} will be made when there is something to remember"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error:
        raise StoreError(f"{path} cannot be read as a database; move it away, and a new one will be made") from None
    return f"on; {path.name} can be read"
