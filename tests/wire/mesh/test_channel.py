"""A channel repeats what may be repeated, comes back to a node that comes back, and lets a caller leave."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from mesh.caller import Caller
from mesh.errors import DomainError
from tests.support.doors import DEADLINE_S, Client, lent, loan, open_client, open_library
from tests.support.library import Answer, Library, lend, message, shred

Connect = Callable[[Library], Client]


class Busy:
    """A method that is unavailable the first times, and keeps every request it saw.

    Args:
        answer: What it does afterwards.
        times: How often it is unavailable.
    """

    def __init__(self, answer: Answer, times: int) -> None:
        self._answer = answer
        self._times = times
        self.requests: list[Any] = []

    def __call__(self, request: Any, caller: Caller) -> Message:
        self.requests.append(request)
        if len(self.requests) <= self._times:
            raise DomainError("CATALOGUE_BUSY", "the catalogue cannot be written now")
        return self._answer(request, caller)


def test_a_write_always_goes_out_with_a_request_id(connect: Connect) -> None:
    lending = Busy(lend, times=0)
    client = connect(Library(lending=lending))
    client.call("lend_book", loan()).result()
    client.call("lend_book", loan()).result()
    first, second = (uuid.UUID(request.request_id) for request in lending.requests)
    assert first != second


def test_a_request_id_that_is_there_is_kept(connect: Connect) -> None:
    lending = Busy(lend, times=0)
    given = "550e8400-e29b-41d4-a716-446655440000"
    connect(Library(lending=lending)).call("lend_book", loan(request_id=given)).result()
    assert [request.request_id for request in lending.requests] == [given]


def test_a_repeatable_write_is_repeated_under_one_request_id_until_it_is_served(connect: Connect) -> None:
    lending = Busy(lend, times=2)
    assert connect(Library(lending=lending)).call("lend_book", loan()).result() == lent()
    assert len(lending.requests) == 3
    assert len({request.request_id for request in lending.requests}) == 1


def test_a_call_that_an_ending_node_turns_away_is_repeated() -> None:
    called: list[bytes] = []

    def turn_away_once(request: bytes, context: grpc.ServicerContext) -> bytes:
        called.append(request)
        if len(called) == 1:
            # What gRPC itself answers at a server's end to a call that it has not handed over yet.
            context.abort(grpc.StatusCode.CANCELLED, "")
        return lent().SerializeToString()

    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(turn_away_once)
    server = grpc.server(ThreadPoolExecutor(1))
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("library.v1.LibraryService", {"LendBook": method}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with open_client(f"127.0.0.1:{port}") as client:
            assert client.call("lend_book", loan()).result() == lent()
    finally:
        server.stop(0).wait()
    assert len(set(called)) == 1
    assert len(called) == 2


def test_a_write_that_may_not_be_repeated_is_sent_once(connect: Connect) -> None:
    shredding = Busy(shred, times=1)
    client = connect(Library(shredding=shredding))
    assert client.refusal("shred_book", message("ShredBookRequest", title="Água Viva")).reason == "CATALOGUE_BUSY"
    assert len(shredding.requests) == 1


def test_an_rpc_that_is_no_tool_and_says_nothing_of_itself_is_sent_once(connect: Connect) -> None:
    counting = Busy(lambda request, caller: message("CountVisitorResponse"), times=1)
    client = connect(Library(counting=counting))
    with pytest.raises(grpc.RpcError) as refused:
        client.rpc("CountVisitor")(message("CountVisitorRequest"), timeout=DEADLINE_S)
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
    assert len(counting.requests) == 1


def test_repeating_has_an_end(connect: Connect) -> None:
    lending = Busy(lend, times=100)
    refused = connect(Library(lending=lending)).refusal("lend_book", loan())
    assert refused.reason == "CATALOGUE_BUSY"
    assert refused.message == "the catalogue cannot be written now"
    assert len(lending.requests) == 4


@pytest.mark.parametrize("reason", ["RATE_LIMITED", "UNAUTHENTICATED", "OVERLOADED", "TIMED_OUT"])
def test_a_refusal_of_the_mesh_after_an_attempt_that_was_lost_does_not_pass_for_the_last_word(
    connect: Connect, reason: str
) -> None:
    def refuse(request: Any, caller: Caller) -> Message:
        raise DomainError(reason, "nothing was done", metadata={"outcome": "unchanged", "tool": "lend_book"})

    refused = connect(Library(lending=Busy(refuse, times=1))).refusal("lend_book", loan())
    assert (refused.reason, refused.metadata) == (reason, {"outcome": "unknown", "tool": "lend_book"})
    refused = connect(Library(lending=refuse)).refusal("lend_book", loan())
    assert refused.metadata == {"outcome": "unchanged", "tool": "lend_book"}


def test_an_agents_own_no_is_the_last_word_at_any_attempt(connect: Connect) -> None:
    def refuse(request: Any, caller: Caller) -> Message:
        raise DomainError("BOOK_LENT", "somebody has it")

    assert connect(Library(lending=Busy(refuse, times=1))).refusal("lend_book", loan()).metadata == {}


def test_a_refusal_that_repeating_does_not_help_is_not_repeated(connect: Connect) -> None:
    calls: list[Any] = []

    def refuse(request: Any, caller: Caller) -> Message:
        calls.append(request)
        raise DomainError("BOOK_LENT", "somebody has it")

    assert connect(Library(lending=refuse)).refusal("lend_book", loan()).reason == "BOOK_LENT"
    assert len(calls) == 1


def test_a_node_that_is_not_there_is_unreachable() -> None:
    with open_library() as server:
        address = server.address
    with open_client(address) as client:
        assert client.refusal("shred_book", message("ShredBookRequest", title="a")).reason == "UNREACHABLE"


def test_a_node_that_comes_back_is_reached_again_through_the_same_channel() -> None:
    with open_library() as server, open_client(server.address) as client:
        assert client.call("lend_book", loan()).result() == lent()
        server.stop()
        assert client.refusal("shred_book", message("ShredBookRequest", title="a")).reason == "UNREACHABLE"
        with open_library(listen=server.address):
            grpc.channel_ready_future(client.channel).result(DEADLINE_S)
            assert client.call("lend_book", loan()).result() == lent()


def test_a_proxy_of_the_environment_does_not_come_between_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_library() as gone:
        nowhere = f"http://{gone.address}"
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, nowhere)
    for name in ("no_proxy", "no_grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    with open_library() as server, open_client(server.address) as client:
        assert client.call("lend_book", loan()).result() == lent()


def test_a_call_that_takes_too_long_times_out(connect: Connect) -> None:
    ended = threading.Event()

    def wait(request: Any, caller: Caller) -> Message:
        assert ended.wait(DEADLINE_S)
        return lend(request, caller)

    lend_book = connect(Library(lending=wait)).rpc("LendBook")
    with pytest.raises(grpc.RpcError) as failed:
        lend_book(loan(), timeout=0.05)
    ended.set()
    assert failed.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_a_call_whose_channel_is_closed_ends_at_once_and_none_is_begun_there(connect: Connect) -> None:
    begun, ended = threading.Event(), threading.Event()

    def wait(request: Any, caller: Caller) -> Message:
        begun.set()
        assert ended.wait(DEADLINE_S)
        return lend(request, caller)

    client = connect(Library(lending=wait))
    call = client.call("lend_book", loan())
    assert begun.wait(DEADLINE_S)

    client.channel.close()

    # The agent is still at it: neither of these waits for it.
    with pytest.raises(DomainError, match="cancelled") as ended_early:
        call.result(DEADLINE_S)
    not_sent = client.refusal("lend_book", loan())
    ended.set()
    assert ended_early.value.reason == not_sent.reason == "TIMED_OUT"
    assert not_sent.metadata == {"outcome": "unchanged"}
