"""Keep memories in PostgreSQL with pgvector, which many hosts share (extra `memory-postgres`).

What is deleted is gone for every reader; its bytes leave the server with VACUUM and its archives.
"""

import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import psycopg

from orchestrator.memory.memory_store import DIMENSIONS, MemoryStore, Row, Run, Shelf, StoreError, Vector, statements_of

_SCHEMA_NAME = "clinic-mesh memories, schema 1"
_SCHEMA = statements_of("postgres_memories.sql", dimensions=DIMENSIONS, schema=_SCHEMA_NAME)
# From pg_class, not by to_regclass alone: reading a table is what tells a session of tables that others made meanwhile.
_FOUND_SCHEMA = "SELECT obj_description(oid, 'pg_class') FROM pg_class WHERE oid = to_regclass('doctor_context')"
# Held until the transaction ends: two processes that change one person's memories do so one after the other.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('doctor_context ' || :subject, 0))"
_PARAMETER = re.compile(r":(\w+)")
_TIMEOUT_S = 2
_PAUSE_S = 15.0  # for which a server that could not be reached is left alone


class _PostgresShelf(Shelf):
    def _packed(self, vector: Vector) -> object:
        return f"[{','.join(map(repr, vector))}]"

    def similarities(self, vector: Vector) -> Mapping[str, float]:
        rows = self._of_embedded("1 - (embedding <=> :vector)", vector=self._packed(vector))
        return {str(key): float(similarity) for key, similarity in rows}


class PostgresMemoryStore(MemoryStore):
    """Keep memories in a table of a server; threads take turns on one connection, and `url` is never repeated."""

    shelves = _PostgresShelf

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: psycopg.Connection | None = None
        self._down_until = 0.0

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    @contextmanager
    def _transaction(self, changing: str | None, /) -> Iterator[Run]:
        with self._lock:
            try:
                connection = self._connected()
                with connection.transaction():
                    run = _running(connection)
                    if changing is not None:
                        run(_LOCK, {"subject": changing})
                    yield run
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


def _running(connection: psycopg.Connection) -> Run:
    def run(statement: str, values: Mapping[str, object]) -> Iterable[Row]:
        # The driver's form of a parameter. Its type is that of the column: all values go there as text.
        cursor = connection.execute(_PARAMETER.sub(r"%(\1)s", statement).encode(), values)
        return cursor if cursor.description is not None else ()

    return run


def _bring_up_to_date(connection: psycopg.Connection) -> None:
    found = _found_schema(connection)
    if found is None:
        with connection.transaction():
            _running(connection)(_LOCK, {"subject": "schema"})
            if _found_schema(connection) is None:  # no other process was first
                for statement in _SCHEMA:
                    connection.execute(statement)
        found = _SCHEMA_NAME
    if found != _SCHEMA_NAME:
        raise StoreError("the server's table doctor_context is not of this program's version")


def _found_schema(connection: psycopg.Connection) -> str | None:
    row = connection.execute(_FOUND_SCHEMA).fetchone()
    return None if row is None else str(row[0])


def server_condition(url: str) -> str:
    """Return how memories can be kept on a server, where nothing is written, or raise StoreError with what to do."""
    try:
        psycopg.connect(url, connect_timeout=_TIMEOUT_S).close()
    except psycopg.Error:
        advice = "does not let us in; check address, name and password"
        raise StoreError(f"the server of CLINIC_MESH_MEMORY_URL {advice}") from None
    return "on; the server of CLINIC_MESH_MEMORY_URL answers"
