"""The memories' SQLite file."""

from orchestrator.memory.sqlite.sqlite_store import SqliteMemoryStore, file_condition
