"""The calls of the memory tools, as a plan holds them, and what comes of them; no clinic is asked: none is a step."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from orchestrator.turn.memories import Memory, MemoryKind

MIN_CONTENT, MAX_CONTENT = 10, 500
"""Characters of what is to be remembered: less is not specific, more is no one thing."""


@dataclass(frozen=True, slots=True)
class SaveMemory:
    """Remember something (`salvar_memoria`).

    Attributes:
        kind: What it is about.
        content: What was said: a sentence of 10 to 500 characters, in the person's language.
        context: Why it matters; may be empty.
        expires_on: The last day on which it holds; None for no end.
    """

    kind: MemoryKind
    content: str = field(repr=False)
    context: str = field(default="", repr=False)
    expires_on: date | None = None


@dataclass(frozen=True, slots=True)
class RecallMemories:
    """Find what is remembered about something (`buscar_memorias`)."""

    query: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ListMemories:
    """Show all that is remembered (`listar_memorias`)."""


@dataclass(frozen=True, slots=True)
class ForgetMemory:
    """Forget one thing (`esquecer_memoria`).

    Attributes:
        about: Words of what is to be forgotten; empty for what was saved last in this conversation.
    """

    about: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ForgetAllMemories:
    """Forget all that is remembered (`esquecer_tudo`; LGPD art. 18, VI)."""


MemoryCall = SaveMemory | RecallMemories | ListMemories | ForgetMemory | ForgetAllMemories


class MemoryStatus(StrEnum):
    """How a call ended."""

    SAVED = "saved"
    KNOWN = "known"  # the same is remembered already
    FOUND = "found"  # `memories` are what was asked for; none when there is nothing
    FORGOTTEN = "forgotten"  # `memories` are what was forgotten
    AMBIGUOUS = "ambiguous"  # several fit; `memories` are those, and nothing was forgotten
    NOT_FOUND = "not_found"  # nothing fits; nothing was forgotten
    INVALID = "invalid"  # an argument is missing, too short, too long or of no known kind
    HEALTH = "health"  # a detail of health is no memory
    PERSONAL_DATA = "personal_data"  # a number, name or address that identifies somebody is no memory
    FULL = "full"  # as much is remembered as one person may have
    FAILED = "failed"  # the store could not do it


@dataclass(frozen=True, slots=True)
class MemoryResult:
    """What came of a call; a failure is a result, too, and never an exception.

    Attributes:
        call: The call.
        status: How it ended.
        message: The same in a Portuguese sentence, for a model.
        memories: What was saved, found or forgotten.
    """

    call: MemoryCall
    status: MemoryStatus
    message: str
    memories: tuple[Memory, ...] = ()

    @property
    def success(self) -> bool:
        """Whether what was asked for holds now."""
        return self.status in _SUCCESSES


_SUCCESSES = frozenset({MemoryStatus.SAVED, MemoryStatus.KNOWN, MemoryStatus.FOUND, MemoryStatus.FORGOTTEN})
