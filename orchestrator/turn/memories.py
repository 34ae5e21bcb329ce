"""A memory: one thing that a person said about themselves, as it is kept and shown; it does not say who that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum


class MemoryKind(StrEnum):
    """What a memory is about; the values are those of the tool `salvar_memoria`."""

    PREFERENCE = "preferencia"
    RESTRICTION = "restricao"
    PERSONAL = "info_pessoal"
    AVAILABILITY = "disponibilidade"


class Source(StrEnum):
    """Where a memory came from."""

    CONVERSATION = "conversation"
    MANUAL = "manual"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing to remember of the person who is speaking.

    Attributes:
        id: A random UUID.
        content: What was said, in the person's language; with its context where one was given.
        kind: What it is about.
        source: Where it came from.
        conversation: The session_id of the conversation that it was said in; empty where it came from elsewhere.
        created_at: When it was saved, aware.
        updated_at: When it was changed last, aware.
        expires_on: The last day on which it holds, in America/Sao_Paulo; None for no end.
    """

    id: str
    content: str = field(repr=False)
    kind: MemoryKind
    source: Source
    conversation: str
    created_at: datetime
    updated_at: datetime
    expires_on: date | None = None
