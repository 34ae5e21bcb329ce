"""What every store of memories holds to: one person's shelf, whole changes, expiry, several processes at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from orchestrator.memory.memory_store import MemoryStore, Shelf
from orchestrator.turn.memory_calls import Memory, MemoryKind
from tests.support.memories import TODAY, a_memory, a_vector
from tests.wire.memory.conftest import a_store

MARIA, CARLOS = "a" * 64, "b" * 64
DEADLINE_S = 30


def keep(store: MemoryStore, subject: str, *memories: Memory) -> None:
    with store.changing(subject, TODAY) as shelf:
        for memory in memories:
            shelf.add(memory, None)


def kept(store: MemoryStore, subject: str) -> tuple[Memory, ...]:
    with store.reading(subject, TODAY) as shelf:
        return shelf.memories()


def test_a_shelf_that_nobody_used_is_empty(store: MemoryStore) -> None:
    assert kept(store, MARIA) == ()


def test_a_memory_comes_back_as_it_was_the_last_first(store: MemoryStore) -> None:
    first = a_memory("não posso às sextas — nem “à noite” 🙂", MemoryKind.RESTRICTION)
    second = a_memory("de férias até dia 20", MemoryKind.AVAILABILITY, expires_on=TODAY + timedelta(days=5))
    keep(store, MARIA, first, second)
    assert kept(store, MARIA) == (second, first)


def test_text_that_looks_like_a_statement_is_text(store: MemoryStore) -> None:
    hostile = a_memory("'); DROP TABLE doctor_context; -- %s :subject $1 \"\\")
    keep(store, MARIA, hostile)
    assert kept(store, MARIA) == (hostile,)


def test_nobody_reaches_what_is_anothers(store: MemoryStore) -> None:
    hers = a_memory("moro em Santo André")
    keep(store, MARIA, hers)
    with store.changing(CARLOS, TODAY) as shelf:
        assert shelf.memories() == ()
        assert shelf.similarities(a_vector(x=1)) == {}
        assert shelf.without_vector() == {}
        shelf.embed({hers.id: a_vector(x=1)})
        shelf.remove([hers.id])
        shelf.clear()
    assert kept(store, MARIA) == (hers,)
    with store.reading(MARIA, TODAY) as shelf:
        assert shelf.without_vector() == {hers.id: hers.content}


def test_a_change_that_breaks_off_leaves_nothing(store: MemoryStore) -> None:
    before = a_memory("prefiro de manhã")
    keep(store, MARIA, before)

    def change(shelf: Shelf) -> None:
        shelf.add(a_memory("moro no centro"), None)
        shelf.remove([before.id])
        raise LookupError

    with pytest.raises(LookupError), store.changing(MARIA, TODAY) as shelf:
        change(shelf)
    assert kept(store, MARIA) == (before,)


def test_similarity_is_the_cosine_of_those_that_have_an_embedding(store: MemoryStore) -> None:
    near, far, none = a_memory("perto dela"), a_memory("longe dela"), a_memory("sem vetor")
    with store.changing(MARIA, TODAY) as shelf:
        shelf.add(near, a_vector(x=3, y=4))
        shelf.add(far, a_vector(x=-1))
        shelf.add(none, None)
    with store.reading(MARIA, TODAY) as shelf:
        similarities = shelf.similarities(a_vector(x=1))
    assert similarities == {near.id: pytest.approx(0.6), far.id: pytest.approx(-1.0)}


def test_a_memory_is_given_its_embedding_later(store: MemoryStore) -> None:
    memory = a_memory("prefiro de manhã")
    keep(store, MARIA, memory)
    with store.changing(MARIA, TODAY) as shelf:
        shelf.embed({memory.id: a_vector(y=1)})
    with store.reading(MARIA, TODAY) as shelf:
        assert shelf.similarities(a_vector(y=1)) == {memory.id: pytest.approx(1.0)}
        assert shelf.without_vector() == {}


def test_what_has_expired_is_not_seen_and_goes_with_anybodys_next_change(store: MemoryStore) -> None:
    ending = a_memory("de férias até hoje", MemoryKind.AVAILABILITY, expires_on=TODAY)
    keep(store, MARIA, ending)
    tomorrow = TODAY + timedelta(days=1)
    assert kept(store, MARIA) == (ending,), "its last day counts"
    with store.reading(MARIA, tomorrow) as shelf:
        assert shelf.memories() == ()
    assert kept(store, MARIA) == (ending,), "looking deletes nothing"
    with store.changing(CARLOS, tomorrow):
        pass
    assert kept(store, MARIA) == ()


def test_what_has_expired_is_erased(store: MemoryStore) -> None:
    store.erase_expired(TODAY)
    lasting = a_memory("de férias até amanhã", expires_on=TODAY + timedelta(days=1))
    keep(store, MARIA, a_memory("de férias até hoje", expires_on=TODAY), lasting)
    store.erase_expired(TODAY + timedelta(days=1))
    assert kept(store, MARIA) == (lasting,)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_that_change_one_shelf_do_so_one_after_the_other(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    hosts = 4
    stores = [a_store(kind, tmp_path, request) for _ in range(hosts)]
    barrier = threading.Barrier(hosts)

    def add_if_empty(store: MemoryStore) -> bool:
        barrier.wait(DEADLINE_S)
        with store.changing(MARIA, TODAY) as shelf:
            if shelf.memories():
                return False
            shelf.add(a_memory("prefiro de manhã"), None)
            return True

    with ThreadPoolExecutor(hosts) as pool:
        added = list(pool.map(add_if_empty, stores, timeout=DEADLINE_S))
    assert sorted(added) == [False, False, False, True]
    assert len(kept(stores[0], MARIA)) == 1
    for store in stores:
        store.close()


def test_threads_share_a_store(store: MemoryStore) -> None:
    threads = 8
    barrier = threading.Barrier(threads)

    def work(number: int) -> int:
        subject = f"{number:064}"
        barrier.wait(DEADLINE_S)
        keep(store, subject, a_memory(f"memória de {number}"))
        return len(kept(store, subject))

    with ThreadPoolExecutor(threads) as pool:
        assert list(pool.map(work, range(threads), timeout=DEADLINE_S)) == [1] * threads
