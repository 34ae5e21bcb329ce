"""Recall memories before a plan and carry out the plan's calls after it.

What staff say while they serve somebody is not of themselves, and what they say of their work suits no opening.
"""

import time
from dataclasses import replace
from typing import Protocol

from orchestrator.journal import EventChannel, MemoryDone, MemoryRecalled
from orchestrator.turn import Identity, Memory, MemoryCall, MemoryResult, MemoryStatus, Plan, Role, SaveMemory, Session


class MemoryKeeper(Protocol):
    """The memory: keep what people say about themselves, each for themselves alone."""

    def recall(self, speaker: Identity, utterance: str) -> tuple[Memory, ...]:
        """Return the memories worth knowing for an utterance, the most telling first; none when the store fails."""

    def execute(self, speaker: Identity, call: MemoryCall, conversation: str) -> MemoryResult:
        """Do what a plan asks for in a conversation; without raising."""


def recalled(session: Session, utterance: str, keeper: MemoryKeeper | None, events: EventChannel) -> Session:
    """Return the session with what is worth knowing for an utterance; without a keeper nothing is remembered."""
    if keeper is None or session.operator is not None:
        return replace(session, remembers=False, recalled=())
    started = time.monotonic()
    found = () if session.role is Role.OPERATOR else keeper.recall(session.identity, utterance)
    events.publish(MemoryRecalled(len(found), time.monotonic() - started))
    return replace(session, remembers=True, recalled=found)


def executed(
    plan: Plan, session: Session, keeper: MemoryKeeper | None, events: EventChannel
) -> tuple[MemoryResult, ...]:
    """Do what a plan asks of the memory and return a result for each call."""
    results: list[MemoryResult] = []
    if keeper is None or session.operator is not None:
        return ()
    for call in plan.memory:
        started = time.monotonic()
        results.append(result := keeper.execute(session.identity, call, session.session_id))
        kind = call.kind if isinstance(call, SaveMemory) else None
        events.publish(MemoryDone(call.tool, kind, result.status, time.monotonic() - started))
    return tuple(results)


def with_listed_memories(session: Session, results: tuple[MemoryResult, ...]) -> Session:
    """Return the session with the memories that a turn listed; forgetting anything ends what was listed before."""
    for result in results:
        if result.status in {MemoryStatus.FOUND, MemoryStatus.AMBIGUOUS}:
            session = replace(session, memories=result.memories)
        elif result.status is MemoryStatus.FORGOTTEN:
            session = replace(session, memories=())
    return session
