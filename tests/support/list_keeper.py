"""A memory keeper that keeps in a list what it is told."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.turn.identity import Identity
from orchestrator.turn.memory_calls import ForgetAllMemories, Memory, MemoryCall, MemoryResult, MemoryStatus, SaveMemory
from tests.support.memories import a_memory


@dataclass
class ListKeeper:
    """Remembers in memory, and counts what it was asked."""

    kept: dict[str, list[Memory]] = field(default_factory=dict)
    recalls: list[str] = field(default_factory=list)
    calls: list[tuple[MemoryCall, str]] = field(default_factory=list)

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        self.recalls.append(utterance)
        return tuple(self.kept.get(speaker.cpf, ()))

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        self.calls.append((call, conversation))
        kept = self.kept.setdefault(speaker.cpf, [])
        match call:
            case SaveMemory():
                saved = a_memory(call.content, call.kind, expires_on=call.expires_on)
                kept.append(saved)
                return MemoryResult(call, MemoryStatus.SAVED, (saved,))
            case ForgetAllMemories():
                forgotten = tuple(kept)
                kept.clear()
                return MemoryResult(call, MemoryStatus.FORGOTTEN, forgotten)
            case _:
                return MemoryResult(call, MemoryStatus.FOUND, tuple(kept))
