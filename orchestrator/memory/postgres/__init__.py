"""The memories' PostgreSQL server; loads psycopg (extra `memory-postgres`)."""

from orchestrator.memory.postgres.postgres_store import PostgresMemoryStore, server_condition
