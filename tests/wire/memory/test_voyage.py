"""Voyage AI's client against a server that speaks its API: what is sent, what comes of it, and that nothing raises."""

from __future__ import annotations

import importlib.util
import logging
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from orchestrator.memory.keeping.handler import MemoryHandler, SubjectKey
from orchestrator.memory.memory_store import DIMENSIONS, MAX_CHARS
from orchestrator.memory.sqlite_store import SqliteMemoryStore
from orchestrator.memory.voyage import VoyageEmbeddings
from orchestrator.turn.memory_calls import MemoryKind, MemoryStatus, SaveMemory
from tests.support.memories import MARIA, NOW
from tests.support.voyage_server import (
    Answer,
    Hold,
    Script,
    VoyageServer,
    answer_of,
    good_answer,
    numbers_for,
    voyage_server,
)

needs_client = pytest.mark.skipif(
    importlib.util.find_spec("voyageai") is None, reason="voyageai is not installed (extra embeddings)"
)
DEADLINE_S = 30.0
"""Long: a test that waits for it has failed."""

Connect = Callable[..., tuple[VoyageServer, VoyageEmbeddings]]


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connect]:
    """Return what starts a server and embeddings that ask it."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:

        def opened(
            script: Script = good_answer, deadline_s: float = DEADLINE_S
        ) -> tuple[VoyageServer, VoyageEmbeddings]:
            server = stack.enter_context(voyage_server(script))
            embeddings = VoyageEmbeddings("pa-secret", base_url=server.base_url, deadline_s=deadline_s)
            stack.callback(embeddings.close)
            return server, embeddings

        yield opened


@needs_client
def test_a_text_becomes_a_vector_of_1024_dimensions_and_length_1(connect: Connect) -> None:
    server, embeddings = connect()
    (vector,) = embeddings.embed(["Prefere plantões noturnos"], "document")
    assert vector is not None
    assert len(vector) == DIMENSIONS == 1024
    assert math.hypot(*vector) == pytest.approx(1.0)
    assert vector[0] / vector[1] == pytest.approx(
        numbers_for("Prefere plantões noturnos")[0] / numbers_for("Prefere plantões noturnos")[1]
    )
    (body,) = server.bodies
    assert (body["model"], body["input_type"], body["input"]) == (
        "voyage-3.5-lite",
        "document",
        ["Prefere plantões noturnos"],
    )
    assert server.keys == ["Bearer pa-secret"]


@needs_client
def test_a_search_is_asked_for_as_a_query(connect: Connect) -> None:
    server, embeddings = connect()
    embeddings.embed(["tem vaga noturna?"], "query")
    assert [body["input_type"] for body in server.bodies] == ["query"]


@needs_client
def test_texts_are_stripped_and_cut_and_blank_ones_have_no_vector(connect: Connect) -> None:
    server, embeddings = connect()
    vectors = embeddings.embed(["", "  primeiro ", " \n", "a" * 20_000], "document")
    assert [vector is None for vector in vectors] == [True, False, True, False]
    assert [body["input"] for body in server.bodies] == [["primeiro", "a" * MAX_CHARS]]


@needs_client
def test_blank_texts_alone_are_not_sent(connect: Connect) -> None:
    server, embeddings = connect()
    assert embeddings.embed(["", " "], "document") == (None, None)
    assert embeddings.embed([], "document") == ()
    assert server.bodies == []


@needs_client
def test_many_texts_are_sent_in_one_request_and_come_back_in_order(connect: Connect) -> None:
    server, embeddings = connect()
    texts = [f"{'a' * (number % 7)}{'x' * (number % 101 + 1)}" for number in range(51)]
    vectors = embeddings.embed(texts, "document")
    assert [len(body["input"]) for body in server.bodies] == [51]
    for text, vector in zip(texts, vectors, strict=True):
        length, vowels, *_ = numbers_for(text)
        assert vector is not None
        assert vector[:2] == pytest.approx((length / math.hypot(length, vowels), vowels / math.hypot(length, vowels)))


def _wrong_number(body: dict[str, object]) -> Answer:
    return answer_of([], {**body})


def _wrong_dimensions(body: dict[str, object]) -> Answer:
    return answer_of([[1.0] * 512], {**body})


def _zeros(body: dict[str, object]) -> Answer:
    return answer_of([[0.0] * DIMENSIONS], {**body})


def _not_numbers(body: dict[str, object]) -> Answer:
    return answer_of([[math.nan] * DIMENSIONS], {**body})


FAULTS: dict[str, Script] = {
    "too many requests": lambda _: Answer(429, b'{"detail": "slow down"}'),
    "server error": lambda _: Answer(500, b'{"detail": "oops"}'),
    "unavailable": lambda _: Answer(503, b""),
    "wrong key": lambda _: Answer(401, b'{"detail": "no"}'),
    "rejected": lambda _: Answer(400, b'{"detail": "no"}'),
    "no JSON": lambda _: Answer(200, b"<html>"),
    "other JSON": lambda _: Answer(200, b"[1, 2]"),
    "no data": lambda _: Answer(200, b"{}"),
    "data of another kind": lambda _: Answer(200, b'{"data": [{"embedding": "a"}], "usage": {"total_tokens": 1}}'),
    "texts for numbers": lambda _: Answer(200, b'{"data": [{"embedding": {"a": 1}}], "usage": {"total_tokens": 1}}'),
    "no vector": _wrong_number,
    "wrong dimensions": _wrong_dimensions,
    "a vector without direction": _zeros,
    "not numbers": _not_numbers,
}


@needs_client
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_leaves_out_the_vector_and_the_server_is_left_alone(
    connect: Connect, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    server, embeddings = connect(FAULTS[fault])
    assert embeddings.embed(["moro em Santo André"], "document") == (None,)
    assert embeddings.embed(["moro em Santo André"], "document") == (None,)
    assert len(server.bodies) == 1
    assert "no embeddings" in caplog.text
    assert "Santo" not in caplog.text
    assert "pa-secret" not in caplog.text


@needs_client
def test_a_server_that_says_nothing_costs_a_turn_no_more_than_the_deadline(connect: Connect) -> None:
    _, embeddings = connect(lambda _: Hold(), deadline_s=0.3)
    assert embeddings.embed(["prefiro de manhã"], "document") == (None,)


@needs_client
def test_a_server_that_is_not_there_leaves_out_the_vector() -> None:
    embeddings = VoyageEmbeddings("pa-secret", base_url="http://127.0.0.1:9/v1", deadline_s=DEADLINE_S)
    assert embeddings.embed(["prefiro de manhã"], "document") == (None,)
    embeddings.close()


def test_without_the_vendors_client_there_are_no_vectors_and_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "voyageai.client", None)
    monkeypatch.setitem(sys.modules, "voyageai", None)
    embeddings = VoyageEmbeddings("pa-secret", deadline_s=DEADLINE_S)
    assert embeddings.embed(["prefiro de manhã"], "document") == (None,)
    assert "make extra-embeddings" in caplog.text
    embeddings.close()


@needs_client
@pytest.mark.parametrize("script", [good_answer, lambda _: Answer(500, b"")], ids=["works", "fails"])
def test_memories_are_saved_and_recalled_with_the_server_or_without(
    connect: Connect, script: Script, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    server, embeddings = connect(script)
    store = SqliteMemoryStore(tmp_path / "memory.db")
    handler = MemoryHandler(store, SubjectKey(tmp_path / "keys"), embeddings, lambda: NOW)
    call = SaveMemory(MemoryKind.PERSONAL, "moro em Santo André")
    assert handler.execute(MARIA, call, "one").status is MemoryStatus.SAVED
    recalled = handler.recall(MARIA, "sou a Maria Souza e moro em Santo André")
    assert [memory.content for memory in recalled] == ["moro em Santo André"]
    sent = [text for body in server.bodies for text in body["input"]]
    assert sent[0] == "moro em Santo André"
    assert all("Maria" not in text for text in sent)
