"""A call ends when the person stops the turn, when its time is up, and when the adapter is closed."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from orchestrator.journal.events import ModelFailure
from orchestrator.llm.language_model import ModelError
from orchestrator.llm.openai.openai_model import OpenAIModel
from tests.support.chat_server import Answer, Drip, Fault, Reply, Silence, chat_server
from tests.wire.llm.asking import TEXT, failure_of, openai_at

DEADLINE_S = 20.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as executor:
        yield executor


@pytest.mark.parametrize("reply", [Silence(), Answer("um dois três", held_until=threading.Event())])
def test_stopping_the_turn_ends_the_call_and_closes_the_connection(reply: Reply, pool: ThreadPoolExecutor) -> None:
    cancel = threading.Event()
    with chat_server([reply]) as server, OpenAIModel(openai_at(server)) as model:
        call = pool.submit(model.complete, TEXT, cancel)
        server.await_requests(1)
        cancel.set()
        error = call.exception(DEADLINE_S)
        assert server.hung_up.wait(DEADLINE_S)
    assert isinstance(error, ModelError)
    assert error.failure is ModelFailure.CANCELLED


def test_a_wait_before_a_repeat_is_stopped_too(pool: ThreadPoolExecutor) -> None:
    cancel = threading.Event()
    with chat_server([Fault(429, headers={"Retry-After": "15"})]) as server, OpenAIModel(openai_at(server)) as model:
        call = pool.submit(model.complete, TEXT, cancel)
        server.await_requests(1)
        cancel.set()
        error = call.exception(DEADLINE_S / 2)
    assert isinstance(error, ModelError)
    assert error.failure is ModelFailure.CANCELLED


def test_a_turn_that_was_stopped_asks_nothing() -> None:
    cancel = threading.Event()
    cancel.set()
    with chat_server([]) as server, OpenAIModel(openai_at(server)) as model:
        with pytest.raises(ModelError) as refusal:
            model.complete(TEXT, cancel)
        assert server.requests == []
    assert refusal.value.failure is ModelFailure.CANCELLED


@pytest.mark.parametrize("reply", [Silence(), Drip(), Answer("um dois três", held_until=threading.Event())])
def test_the_time_limit_is_for_the_whole_call(reply: Reply) -> None:
    with chat_server([reply]) as server:
        error = failure_of(replace(openai_at(server), timeout_s=0.3))
    assert error.failure is ModelFailure.TIMED_OUT
    assert "CLINIC_MESH_LLM_TIMEOUT_S" in str(error)


def test_calls_of_several_threads_run_at_once(pool: ThreadPoolExecutor) -> None:
    both = threading.Barrier(2)

    def script(body: object) -> Reply:
        both.wait(DEADLINE_S)
        return "ok"

    with chat_server(script) as server, OpenAIModel(openai_at(server)) as model:
        calls = [pool.submit(model.complete, TEXT, threading.Event()) for _ in range(2)]
        assert [call.result(DEADLINE_S).text for call in calls] == ["ok", "ok"]


def test_closing_the_adapter_ends_the_calls_that_still_wait(pool: ThreadPoolExecutor) -> None:
    with chat_server([Silence()]) as server:
        with OpenAIModel(openai_at(server)) as model:
            call = pool.submit(model.complete, TEXT, threading.Event())
            server.await_requests(1)
        error = call.exception(DEADLINE_S)
    assert isinstance(error, ModelError)


def test_an_adapter_that_is_never_asked_closes_without_loading_a_connection() -> None:
    with chat_server([]) as server, OpenAIModel(openai_at(server)) as model:
        assert model.name == "gpt-x"
    assert server.received == b""


def test_connections_are_used_again() -> None:
    with chat_server(["ok", "ok"]) as server, OpenAIModel(openai_at(server)) as model:
        for _ in range(2):
            model.complete(TEXT, threading.Event())
        assert server.connections == 1
