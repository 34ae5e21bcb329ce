"""Writes come out in batches: all who are about together, somebody alone at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from clinics.ledger import WriteOutcome
from clinics.slots import Change
from clinics.store import MOST_AWAITED, Write, WriteQueue
from mesh.errors import DomainError

PATIENCE_S = 30.0


def write() -> Write:
    return Write(lambda _: Change())


def put(queue: WriteQueue, count: int) -> list[Write]:
    """Return writes that were put into a queue."""
    writes = [write() for _ in range(count)]
    for each in writes:
        queue.put(each)
    return writes


def take(queue: WriteQueue) -> list[Write]:
    """Return what the writer takes, answered."""
    batch = list(queue.take())
    queue.answered()
    return batch


@pytest.fixture
def writer() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_writes_come_in_order() -> None:
    queue = WriteQueue(64)
    writes = put(queue, 5)
    assert take(queue) == writes


def test_a_writer_who_sleeps_is_woken_by_the_first_write(writer: ThreadPoolExecutor) -> None:
    queue = WriteQueue(64)
    for _ in range(200):  # before, while and after the writer goes to sleep
        batch = writer.submit(take, queue)
        assert put(queue, 1) == batch.result(PATIENCE_S)


def test_who_was_answered_is_waited_for(writer: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clinics.store.GAP_S", PATIENCE_S)
    queue = WriteQueue(64)
    put(queue, 3)
    take(queue)
    first, second = put(queue, 2)
    batch = writer.submit(take, queue)
    (third,) = put(queue, 1)
    assert batch.result(PATIENCE_S) == [first, second, third]


def test_two_halves_that_take_turns_become_one_whole() -> None:
    queue = WriteQueue(64)
    put(queue, 4)
    queue.take()
    others = put(queue, 4)  # come while the first four are made
    queue.answered()
    back = put(queue, 4)
    assert take(queue) == [*others, *back]


def test_who_does_not_come_back_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = WriteQueue(64)
    put(queue, 8)
    take(queue)
    alone = put(queue, 1)
    assert take(queue) == alone
    monkeypatch.setattr("clinics.store.GAP_S", None)  # from here on a wait would last for ever
    again = put(queue, 1)
    assert take(queue) == again


def test_a_crowd_is_not_waited_for_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clinics.store.GAP_S", None)
    queue = WriteQueue(1000)
    put(queue, 100)
    take(queue)
    some = put(queue, MOST_AWAITED)
    assert take(queue) == some


def test_more_than_may_be_under_way_are_refused_and_who_was_answered_may_be_back_before_the_rest_of_a_batch() -> None:
    queue = WriteQueue(2)
    first, _ = put(queue, 2)
    queue.take()
    with pytest.raises(DomainError) as refused:
        queue.put(write())
    assert refused.value.reason == "OVERLOADED"
    first.set_result(WriteOutcome())
    back = put(queue, 1)
    with pytest.raises(DomainError):
        queue.put(write())
    queue.answered()
    back += put(queue, 1)
    assert take(queue) == back


def test_who_comes_while_a_batch_waits_for_its_storage_goes_along_and_is_counted_with_it() -> None:
    queue = WriteQueue(3)
    put(queue, 1)
    queue.take()
    assert queue.more() == []
    late = put(queue, 2)
    assert queue.more() == late
    with pytest.raises(DomainError):
        queue.put(write())
    queue.answered()
    writes = put(queue, 3)
    assert take(queue) == writes


def test_a_closed_queue_gives_what_waits_and_takes_no_more() -> None:
    queue = WriteQueue(64)
    writes = put(queue, 2)
    queue.close()
    assert not queue.put(write())
    assert take(queue) == writes
    assert take(queue) == []


def test_closing_wakes_a_writer_who_sleeps(writer: ThreadPoolExecutor) -> None:
    queue = WriteQueue(64)
    batch = writer.submit(take, queue)
    queue.close()
    assert batch.result(PATIENCE_S) == []
