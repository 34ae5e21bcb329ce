"""Whatever a person calls, they see and change what is theirs alone."""

from __future__ import annotations

import random

from orchestrator.turn.identity import Identity
from orchestrator.turn.memory_calls import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryCall,
    MemoryKind,
    MemoryStatus,
    RecallMemories,
    SaveMemory,
)
from tests.support.form import examples
from tests.support.memories import KnownEmbeddings, a_vector
from tests.unit.memory.conftest import OpenDesk

PEOPLE = [Identity.of(f"Pessoa Número{number}", f"{number:03}.456.789-00") for number in range(30)]
SHARED = "moro em Santo André, perto do parque"
TRIES = examples(300)
CALLS: tuple[MemoryCall, ...] = (
    SaveMemory(MemoryKind.PERSONAL, SHARED),
    RecallMemories("Santo André"),
    ListMemories(),
    ForgetMemory(),
    ForgetMemory("Santo André"),
    ForgetAllMemories(),
)


def test_in_many_tries_nobody_sees_or_changes_what_is_anothers(open_desk: OpenDesk) -> None:
    vectors = {SHARED: a_vector(x=1), "Santo André": a_vector(x=1)}
    desk = open_desk(KnownEmbeddings(vectors))
    chance = random.Random(7)
    own: dict[Identity, set[str]] = {person: set() for person in PEOPLE}
    for person in PEOPLE[: len(PEOPLE) // 2]:
        own[person] = {memory.id for memory in desk.save(SHARED, MemoryKind.PERSONAL, person).memories}
    for _ in range(TRIES):
        person = chance.choice(PEOPLE)
        call = chance.choice(CALLS)
        # One conversation for all: "forget that" must not reach what somebody else said in it.
        result = desk.do(call, person, "one")
        seen = {memory.id for memory in result.memories}
        match call:
            case SaveMemory():
                expected = MemoryStatus.KNOWN if own[person] else MemoryStatus.SAVED
                assert result.status is expected, "what others said is not known of this person"
                own[person] |= seen
            case RecallMemories() | ListMemories():
                assert seen == own[person]
            case ForgetMemory() | ForgetAllMemories():
                assert seen == own[person]
                own[person] = set()
        assert {memory.id for memory in desk.handler.recall(person, "Santo André")} == own[person]
    for person in PEOPLE:
        assert {memory.id for memory in desk.do(ListMemories(), person).memories} == own[person]
