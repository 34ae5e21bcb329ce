"""Keep memories in PostgreSQL with pgvector, which many hosts share (extra `memory-postgres`).

What is deleted is gone for every reader; its bytes leave the server with VACUUM and its archives.
"""

import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from uuid import UUID

import psycopg

from orchestrator.memory.memory_store import DIMENSIONS, Condition, Shelf, StoreError, Vector, memory_of
from orchestrator.turn import Memory

_SCHEMA_NAME = "clinic-mesh memories, schema 1"
_SCHEMA = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    f"""CREATE TABLE doctor_context (
        position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id UUID NOT NULL UNIQUE,
        subject CHAR(64) NOT NULL,
        content TEXT NOT NULL,
        embedding vector({DIMENSIONS}),
        source VARCHAR(50) NOT NULL,
        tipo VARCHAR(50) NOT NULL,
        created_at TIMESTAMPTZ NOT NULL,
        updated_at TIMESTAMPTZ NOT NULL,
        conversation TEXT NOT NULL,
        expires_on DATE
    )""",
    "CREATE INDEX doctor_context_of_subject ON doctor_context (subject)",
    f"COMMENT ON TABLE doctor_context IS '{_SCHEMA_NAME}'",
)
# From pg_class, not by to_regclass alone: reading a table is what tells a session of tables that others made meanwhile.
_FOUND_SCHEMA = "SELECT obj_description(oid, 'pg_class') FROM pg_class WHERE oid = to_regclass('doctor_context')"
_MEMORIES = """SELECT id, content, tipo, source, conversation, created_at, updated_at, expires_on FROM doctor_context
    WHERE subject = %(subject)s AND (expires_on IS NULL OR expires_on >= %(today)s) ORDER BY position DESC"""
_WITHOUT_VECTOR = """SELECT id, content FROM doctor_context
    WHERE subject = %(subject)s AND (expires_on IS NULL OR expires_on >= %(today)s) AND embedding IS NULL"""
_SIMILARITIES = """SELECT id, 1 - (embedding <=> %(vector)s::vector) FROM doctor_context
    WHERE subject = %(subject)s AND (expires_on IS NULL OR expires_on >= %(today)s) AND embedding IS NOT NULL"""
_INSERT = """INSERT INTO doctor_context
    (id, subject, content, embedding, source, tipo, created_at, updated_at, conversation, expires_on) VALUES
    (%(id)s, %(subject)s, %(content)s, %(embedding)s::vector, %(source)s, %(kind)s, %(created_at)s, %(updated_at)s,
    %(conversation)s, %(expires_on)s)"""
_EMBED = "UPDATE doctor_context SET embedding = %(embedding)s::vector WHERE subject = %(subject)s AND id = %(id)s"
_DELETE = "DELETE FROM doctor_context WHERE subject = %(subject)s AND id = ANY(%(ids)s)"
_DELETE_ALL = "DELETE FROM doctor_context WHERE subject = %(subject)s"
_DELETE_EXPIRED = "DELETE FROM doctor_context WHERE expires_on < %(today)s"
# Held until the transaction ends: two processes that change one person's memories do so one after the other.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('doctor_context ' || %(subject)s, 0))"
_TIMEOUT_S = 2
_PAUSE_S = 15.0  # for which a server that could not be reached is left alone


class PostgresMemoryStore:
    """Keep memories in a table of a server; threads take turns on one connection, and `url` is never repeated."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: psycopg.Connection | None = None
        self._down_until = 0.0

    @contextmanager
    def reading(self, subject: str, today: date) -> Iterator[Shelf]:
        """See `MemoryStore.reading`."""
        with self._transaction() as connection:
            yield _PostgresShelf(connection, subject, today)

    @contextmanager
    def changing(self, subject: str, today: date) -> Iterator[Shelf]:
        """See `MemoryStore.changing`."""
        with self._transaction() as connection:
            connection.execute(_LOCK, {"subject": subject})
            connection.execute(_DELETE_EXPIRED, {"today": today})
            yield _PostgresShelf(connection, subject, today)

    def erase_expired(self, today: date) -> None:
        """See `MemoryStore.erase_expired`."""
        with self._transaction() as connection:
            connection.execute(_DELETE_EXPIRED, {"today": today})

    def close(self) -> None:
        """See `MemoryStore.close`."""
        with self._lock:
            self._disconnect()

    @contextmanager
    def _transaction(self) -> Iterator[psycopg.Connection]:
        with self._lock:
            try:
                connection = self._connected()
                with connection.transaction():
                    yield connection
            except psycopg.Error as error:
                self._disconnect()
                # The driver's texts may tell host, user or a row: the class of the fault is all that leaves.
                raise StoreError(f"the server of memories: {type(error).__name__}") from None

    def _connected(self) -> psycopg.Connection:
        if self._connection is not None:
            try:
                self._connection.execute("SELECT 1")
            except psycopg.Error:
                self._disconnect()
        if self._connection is None:
            if time.monotonic() < self._down_until:
                raise StoreError("the server of memories: cannot be reached")
            self._down_until = time.monotonic() + _PAUSE_S  # no turn after this one waits for it, if it is down
            self._connection = psycopg.connect(self._url, autocommit=True, connect_timeout=_TIMEOUT_S)
            self._down_until = 0.0
            self._connection.execute(f"SET statement_timeout = '{_TIMEOUT_S}s'")
            _bring_up_to_date(self._connection)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _PostgresShelf:
    """A person's memories over a connection."""

    def __init__(self, connection: psycopg.Connection, subject: str, today: date) -> None:
        self._connection = connection
        self._bound = {"subject": subject, "today": today}

    def memories(self) -> tuple[Memory, ...]:
        return tuple(map(memory_of, self._connection.execute(_MEMORIES, self._bound)))

    def without_vector(self) -> Mapping[str, str]:
        rows = self._connection.execute(_WITHOUT_VECTOR, self._bound)
        return {str(key): content for key, content in rows}

    def similarities(self, vector: Vector) -> Mapping[str, float]:
        rows = self._connection.execute(_SIMILARITIES, self._bound | {"vector": _vector(vector)})
        return {str(key): float(similarity) for key, similarity in rows}

    def add(self, memory: Memory, vector: Vector | None) -> None:
        embedding = None if vector is None else _vector(vector)
        # The driver would write the name of an enum's member.
        values = {"source": memory.source.value, "kind": memory.kind.value, "embedding": embedding}
        self._connection.execute(_INSERT, self._bound | asdict(memory) | values)

    def embed(self, vectors: Mapping[str, Vector]) -> None:
        for key, vector in vectors.items():
            self._connection.execute(_EMBED, self._bound | {"id": key, "embedding": _vector(vector)})

    def remove(self, ids: Collection[str]) -> None:
        self._connection.execute(_DELETE, self._bound | {"ids": [UUID(each) for each in ids]})

    def clear(self) -> None:
        self._connection.execute(_DELETE_ALL, self._bound)


def _bring_up_to_date(connection: psycopg.Connection) -> None:
    found = _found_schema(connection)
    if found is None:
        with connection.transaction():
            connection.execute(_LOCK, {"subject": "schema"})
            if _found_schema(connection) is None:  # no other process was first
                for statement in _SCHEMA:
                    connection.execute(statement)
        found = _SCHEMA_NAME
    if found != _SCHEMA_NAME:
        raise StoreError("the server's table doctor_context is not of this program's version")


def _found_schema(connection: psycopg.Connection) -> str | None:
    row = connection.execute(_FOUND_SCHEMA).fetchone()
    return None if row is None else str(row[0])


def _vector(vector: Sequence[float]) -> str:
    return f"[{','.join(map(repr, vector))}]"


def server_condition(url: str) -> Condition:
    """Return whether memories can be kept on a server; nothing is written there."""
    try:
        psycopg.connect(url, connect_timeout=_TIMEOUT_S).close()
    except psycopg.Error:
        return Condition(
            "the server of CLINIC_MESH_MEMORY_URL does not let us in; check address, name and password", is_well=False
        )
    return Condition("on; the server of CLINIC_MESH_MEMORY_URL answers")
