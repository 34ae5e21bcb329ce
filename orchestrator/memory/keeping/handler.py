"""Carry out the memory tools, kept apart by a keyed hash of the CPF; no log holds what was said or by whom."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from uuid import uuid4

from mesh import private_file
from mesh.clock import Clock
from mesh.strict_document import DocumentError
from orchestrator import turn
from orchestrator.memory.keeping import relevance
from orchestrator.memory.memory_store import MemoryStore, Shelf, StoreError, Vector
from orchestrator.memory.voyage import VoyageEmbeddings
from orchestrator.privacy import BUT_OTHER_NAMES, Redactor
from orchestrator.security import CredentialError, KeyFolder

MAX_MEMORIES = 200  # that one person may have: search looks at all of them
_LATE = 50  # memories that were saved without an embedding and get it with the next save
_THAT = frozenset({"", "isso", "isto", "that", "this", "it"})

_KEY_FILE, _KEY_BYTES = "memory.key", 32

_logger = logging.getLogger(__name__)


class MemoryHandler:
    """The `MemoryKeeper` over a store; thread-safe."""

    def __init__(self, store: MemoryStore, key: SubjectKey, embeddings: VoyageEmbeddings | None, clock: Clock) -> None:
        self._store = store
        self._key = key
        self._embeddings = embeddings
        self._clock = clock
        self._swept_on: date | None = None
        self._has_warned = False

    def recall(self, speaker: turn.Identity, utterance: str) -> tuple[turn.Memory, ...]:
        """Return the memories worth knowing for an utterance (`relevance.relevant`); nothing when the store fails."""
        if not speaker.cpf:
            return ()
        try:
            subject = self._key.subject_of(speaker)
            self._sweep()
            memories, meanings = self._search(subject, speaker, utterance)
        except (StoreError, CredentialError) as error:
            self._warn(error)
            return ()
        return relevance.relevant(memories, utterance, meanings)

    def execute(self, speaker: turn.Identity, call: turn.MemoryCall, conversation: str) -> turn.MemoryResult:
        """Do what a plan asks for in a conversation; never raise."""
        try:
            result = self._execute(speaker, call, conversation)
        except (StoreError, CredentialError) as error:
            self._warn(error)
            result = turn.MemoryResult(call, turn.MemoryStatus.FAILED)
        about = f" ({call.kind})" if isinstance(call, turn.SaveMemory) else ""
        _logger.info("memory: %s%s, %s, conversation %s", type(call).__name__, about, result.status, conversation)
        return result

    def _execute(self, speaker: turn.Identity, call: turn.MemoryCall, conversation: str) -> turn.MemoryResult:
        if not speaker.cpf:
            return turn.MemoryResult(call, turn.MemoryStatus.INVALID)
        subject = self._key.subject_of(speaker)
        match call:
            case turn.SaveMemory():
                return self._save(subject, speaker, call, conversation)
            case turn.RecallMemories():
                memories, meanings = self._search(subject, speaker, call.query)
                found = relevance.ranked(memories, call.query, meanings)[: relevance.MAX_RECALLED]
                return turn.MemoryResult(call, turn.MemoryStatus.FOUND, found)
            case turn.ListMemories():
                return turn.MemoryResult(call, turn.MemoryStatus.FOUND, self.memories(speaker))
            case turn.ForgetMemory():
                return self._forget(subject, speaker, call, conversation)
            case turn.ForgetAllMemories():
                forgotten: tuple[turn.Memory, ...] = ()
                with self._store.changing(subject, self._today()) as shelf:
                    # A damaged row reads as nothing, so that it can be forgotten all the same.
                    with suppress(StoreError):
                        forgotten = shelf.memories()
                    shelf.clear()
                return turn.MemoryResult(call, turn.MemoryStatus.FORGOTTEN, forgotten)

    def _save(
        self, subject: str, speaker: turn.Identity, call: turn.SaveMemory, conversation: str
    ) -> turn.MemoryResult:
        refusal = relevance.refusal_of(call, Redactor(speaker, kinds=BUT_OTHER_NAMES), self._today())
        if refusal is not None:
            return turn.MemoryResult(call, refusal)
        now, content = self._clock(), relevance.content_of(call)
        memory = turn.Memory(str(uuid4()), content, call.kind, call.source, conversation, now, now, call.expires_on)
        vector, late = self._embed(subject, content)
        with self._store.changing(subject, self._today()) as shelf:
            shelf.embed(late)
            return _add(shelf, call, memory, vector)

    def memories(self, speaker: turn.Identity) -> tuple[turn.Memory, ...]:
        """Return all that is remembered, what was said last first; raise CredentialError and StoreError."""
        with self._store.reading(self._key.subject_of(speaker), self._today()) as shelf:
            return shelf.memories()

    def take(self, speaker: turn.Identity, given: Mapping[int, turn.Memory]) -> int:
        """Keep those memories of a file, by line, that hold and are not known, all or none; return how many."""
        # Raises DocumentError for what may not be remembered, and StoreError; ids and dates stay.
        subject, today, added = self._key.subject_of(speaker), self._today(), 0
        redactor = Redactor(speaker, kinds=BUT_OTHER_NAMES)
        with self._store.changing(subject, today) as shelf:
            for line, memory in given.items():
                if memory.expires_on is not None and memory.expires_on < today:
                    continue
                call = relevance.call_of(memory)
                refusal = relevance.refusal_of(call, redactor, today)
                own = replace(memory, id=str(uuid4())) if shelf.is_taken(memory.id) else memory
                status = refusal or _add(shelf, call, own, None).status
                if status not in {turn.MemoryStatus.SAVED, turn.MemoryStatus.KNOWN}:
                    raise DocumentError(f"line {line}: it may not be remembered ({status})")
                added += status is turn.MemoryStatus.SAVED
        return added

    def _embed(self, subject: str, content: str) -> tuple[Vector | None, Mapping[str, Vector]]:
        if self._embeddings is None:
            return None, {}
        # One request for all, before the store is locked, since it may take time.
        with self._store.reading(subject, self._today()) as shelf:
            waiting = dict(list(shelf.without_vector().items())[:_LATE])
        texts = [Redactor().redact(text) for text in (content, *waiting.values())]
        first, *others = self._embeddings.embed(texts, "document")
        return first, {key: vector for key, vector in zip(waiting, others, strict=True) if vector is not None}

    def _forget(
        self, subject: str, speaker: turn.Identity, call: turn.ForgetMemory, conversation: str
    ) -> turn.MemoryResult:
        is_last = call.about.strip().casefold() in _THAT
        query = None if is_last else self._query_vector(speaker, call.about)
        with self._store.changing(subject, self._today()) as shelf:
            memories = shelf.memories()
            if is_last:
                chosen = tuple(memory for memory in memories if memory.conversation == conversation)[:1]
            else:
                chosen = relevance.meant(memories, call.about, {} if query is None else shelf.similarities(query))
            if len(chosen) == 1:
                shelf.remove([chosen[0].id])
        by_number = {0: turn.MemoryStatus.NOT_FOUND, 1: turn.MemoryStatus.FORGOTTEN}
        return turn.MemoryResult(call, by_number.get(len(chosen), turn.MemoryStatus.AMBIGUOUS), chosen)

    def _search(
        self, subject: str, speaker: turn.Identity, query: str
    ) -> tuple[tuple[turn.Memory, ...], Mapping[str, float]]:
        with self._store.reading(subject, self._today()) as shelf:
            memories = shelf.memories()
        vector = self._query_vector(speaker, query) if memories else None
        if vector is None:
            return memories, {}
        with self._store.reading(subject, self._today()) as shelf:
            return memories, shelf.similarities(vector)

    def _query_vector(self, speaker: turn.Identity, text: str) -> Vector | None:
        hidden = Redactor(speaker).redact
        return None if self._embeddings is None else self._embeddings.embed([hidden(text)], "query")[0]

    def _sweep(self) -> None:
        today = self._today()  # a failure harms nobody, since what has expired is not shown
        if self._swept_on != today:
            self._swept_on = today
            try:
                self._store.erase_expired(today)
            except StoreError as error:
                _logger.debug("memory: what has expired is still there: %s", error)

    def _warn(self, error: Exception) -> None:
        # Once: a terminal shows warnings, and recalling fails with every turn.
        _logger.log(logging.DEBUG if self._has_warned else logging.WARNING, "memory: %s", error)
        self._has_warned = True

    def _today(self) -> date:
        return self._clock().date()


def _add(shelf: Shelf, call: turn.SaveMemory, memory: turn.Memory, vector: Vector | None) -> turn.MemoryResult:
    memories = shelf.memories()
    known = relevance.known_as(memories, memory, {} if vector is None else shelf.similarities(vector))
    if known is not None:
        return turn.MemoryResult(call, turn.MemoryStatus.KNOWN, (known,))
    if len(memories) >= MAX_MEMORIES:
        return turn.MemoryResult(call, turn.MemoryStatus.FULL)
    shelf.add(memory, vector)
    return turn.MemoryResult(call, turn.MemoryStatus.SAVED, (memory,))


class SubjectKey:
    """The key of a folder; read, or made, when the first person is to be known. Staff and patients are kept apart."""

    def __init__(self, folder: Path, role: turn.Role = turn.Role.PATIENT) -> None:
        self._folder = folder
        self._before = "" if role is turn.Role.PATIENT else f"{role}:"

    def subject_of(self, identity: turn.Identity) -> str:
        """Return the HMAC-SHA256 of role and CPF in hexadecimal; raise CredentialError without key or CPF."""
        if not identity.digits:
            raise CredentialError("who speaks is not known")
        return hmac.new(self._key, f"{self._before}{identity.digits}".encode(), "sha256").hexdigest()

    @cached_property
    def _key(self) -> bytes:
        path = self._folder / _KEY_FILE
        try:
            if not path.exists():
                # The folder comes with the other keys or not at all: one that is there is taken to be complete.
                KeyFolder(self._folder).prepare()
                _make(path)
            if private_file.is_shared(path):
                raise CredentialError(f"{path}: other users can use this key; run chmod 600 on it")
            key = path.read_bytes()
        except OSError as error:
            raise CredentialError(f"{path}: cannot be made or read ({error.strerror})") from None
        if len(key) != _KEY_BYTES:
            raise CredentialError(f"{path}: not a key of {_KEY_BYTES} bytes")
        return key


def _make(path: Path) -> None:
    # In one step, so that two processes that start at once read the same whole key.
    beside = path.with_name(f".{_KEY_FILE}-{secrets.token_hex(8)}")
    private_file.create(beside, secrets.token_bytes(_KEY_BYTES))
    try:
        with suppress(FileExistsError):  # the other process was first
            path.hardlink_to(beside)
    finally:
        beside.unlink()
