"""Stores of memories: an SQLite file, and a PostgreSQL that runs for these tests."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from mesh.clock import ZONE
from orchestrator.memory.memory_store import MemoryStore
from orchestrator.memory.sqlite_store import SqliteMemoryStore

NOW = datetime(2025, 7, 15, 8, tzinfo=ZONE)


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """Return the URL of a database without memories."""
    import psycopg  # noqa: PLC0415 - an extra: without it these tests are skipped

    with psycopg.connect(postgres_server, autocommit=True, connect_timeout=60) as connection:
        connection.execute("DROP TABLE IF EXISTS doctor_context")
    return postgres_server


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore]:
    """Yield an empty store of each kind."""
    opened = a_store(str(request.param), tmp_path, request)
    yield opened
    opened.close()


def a_store(kind: str, folder: Path, request: pytest.FixtureRequest) -> MemoryStore:
    if kind == "sqlite":
        return SqliteMemoryStore(folder / "memory.db")
    url: str = request.getfixturevalue("postgres_url")
    from orchestrator.memory.postgres_store import PostgresMemoryStore  # noqa: PLC0415 - as above

    return PostgresMemoryStore(url)
