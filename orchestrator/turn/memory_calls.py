"""Memories, and what a plan asks of them: save, recall, list, forget."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar

MIN_CONTENT, MAX_CONTENT = 10, 500  # characters of what is to be remembered: less is not specific, more is no one thing


class MemoryKind(StrEnum):
    """What a memory is about; the values are those of the tool `salvar_memoria`."""

    PREFERENCE = "preferencia"
    RESTRICTION = "restricao"
    PERSONAL = "info_pessoal"
    AVAILABILITY = "disponibilidade"


class Source(StrEnum):
    """Where a memory came from, as stores hold it."""

    CONVERSATION = "conversation"
    MANUAL = "manual"  # the command /memory add
    IMPORT = "import"  # the command `memory import`


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing to remember of the person who is speaking."""

    id: str  # a random UUID
    content: str = field(repr=False)  # what was said, in the person's language; with its context where one was given
    kind: MemoryKind  # what it is about
    source: Source  # where it came from
    conversation: str  # the session_id of the conversation that it was said in; empty where it came from elsewhere
    created_at: datetime  # when it was saved, aware
    updated_at: datetime  # when it was changed last, aware
    expires_on: date | None = None  # the last day on which it holds, in America/Sao_Paulo; None for no end


@dataclass(frozen=True, slots=True)
class SaveMemory:
    """Remember something."""

    tool: ClassVar[str] = "salvar_memoria"
    kind: MemoryKind  # what it is about
    content: str = field(repr=False)  # what was said: a sentence of 10 to 500 characters, in the person's language
    context: str = field(default="", repr=False)  # the reason for it; may be empty
    expires_on: date | None = None  # the last day on which it holds; None for no end
    source: Source = Source.CONVERSATION


@dataclass(frozen=True, slots=True)
class RecallMemories:
    """Find what is remembered about something."""

    tool: ClassVar[str] = "buscar_memorias"
    query: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ListMemories:
    """Show all that is remembered."""

    tool: ClassVar[str] = "listar_memorias"


@dataclass(frozen=True, slots=True)
class ForgetMemory:
    """Forget one thing."""

    tool: ClassVar[str] = "esquecer_memoria"
    # words of what is to be forgotten; empty for what was saved last in this conversation
    about: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ForgetAllMemories:
    """Forget all that is remembered (LGPD art. 18, VI)."""

    tool: ClassVar[str] = "esquecer_tudo"


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
    """The outcome of a call; a failure is a result, too, and never an exception."""

    call: MemoryCall
    status: MemoryStatus  # how it ended
    memories: tuple[Memory, ...] = ()  # what was saved, found or forgotten
