"""A node's edge: size, faults, trace ids, deadlines, an orderly end, an address of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, cast
from unittest.mock import patch

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc

from mesh.caller import TRACE_KEY, Caller
from mesh.errors import DomainError
from mesh.reasons import from_call
from mesh.server import LARGEST_REQUEST, AddressInUseError, Server
from mesh.transport import LONGEST_CALL_S
from tests.support.doors import DEADLINE_S, TRACE_ID, Client, lent, loan, open_client, open_library, stop
from tests.support.library import Library, lend, message

Connect = Callable[[Library], Client]

SECRET = "Ana Souza 123.456.789-00"


class Gate:
    """A lending that lets a test know when it has begun, and ends when the test says so."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()

    def lend(self, request: Any, caller: Caller) -> Message:
        self.begun.set()
        assert self.open.wait(DEADLINE_S)
        return lend(request, caller)


class Register:
    """A lending that keeps who called."""

    def __init__(self) -> None:
        self.callers: list[Caller] = []

    def lend(self, request: Any, caller: Caller) -> Message:
        self.callers.append(caller)
        return lend(request, caller)


def fail(request: Any, caller: Caller) -> Message:
    raise ValueError(SECRET)


def refuse(request: Any, caller: Caller) -> Message:
    raise DomainError("BOOK_LENT", "somebody has it")


def trace_id_in(metadata: Any) -> str:
    """Return the one trace id in a call's metadata, whose type depends on how the call ended."""
    (trace_id,) = [value for key, value in metadata if key == TRACE_KEY]
    return str(trace_id)


def test_a_request_larger_than_any_tool_needs_is_refused_by_both_doors(client: Client) -> None:
    title = "x" * (LARGEST_REQUEST + 1)
    assert client.refusal("shred_book", message("ShredBookRequest", title=title)).reason == "OVERLOADED"
    with pytest.raises(grpc.RpcError) as refused:
        client.call_tool("shred_book", {"title": title})
    assert refused.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_a_response_that_is_given_again_arrives_again_and_another_one_as_itself(connect: Connect) -> None:
    given = [lent("Água Viva"), lent("A Hora da Estrela")]
    order = [0, 0, 1, 0]
    responses = iter(order)
    client = connect(Library(lending=lambda _request, _caller: given[next(responses)]))
    assert [client.call("lend_book", loan()).result(DEADLINE_S) for _ in order] == [given[number] for number in order]


def test_many_calls_are_served_at_once_and_do_not_wait_for_each_other(connect: Connect) -> None:
    callers = 4
    together = threading.Barrier(callers, timeout=DEADLINE_S)

    def meet(request: Any, caller: Caller) -> Message:
        together.wait()
        return lend(request, caller)

    client = connect(Library(lending=meet))
    calls = [client.call("lend_book", loan()) for _ in range(callers)]
    assert [call.result(DEADLINE_S) for call in calls] == [lent()] * callers


@contextmanager
def for_one_call(implementation: Library) -> Iterator[Server]:
    with patch("mesh.call_admission.MOST_CALLS", 1), open_library(implementation) as server:
        yield server


def test_a_call_beyond_those_served_at_once_is_refused() -> None:
    gate = Gate()
    with for_one_call(Library(lending=gate.lend)) as node, open_client(node.address) as client:
        first = client.call("lend_book", loan())
        assert gate.begun.wait(DEADLINE_S)
        assert client.refusal("shred_book", message("ShredBookRequest", title="Água Viva")).reason == "OVERLOADED"
        gate.open.set()
        assert first.result() == lent()


@pytest.mark.parametrize(("attempts", "outcome"), [((), {}), (("1",), {"outcome": "unknown"})])
def test_a_repeat_that_finds_no_place_does_not_say_that_nothing_was_done(
    attempts: tuple[str, ...], outcome: Mapping[str, str]
) -> None:
    gate = Gate()
    metadata = tuple(("grpc-previous-rpc-attempts", count) for count in attempts)
    with (
        for_one_call(Library(lending=gate.lend)) as node,
        open_client(node.address) as client,
        # With retries gRPC would take the count of the caller's attempts out of what is sent.
        grpc.insecure_channel(node.address, (("grpc.enable_retries", 0),)) as repeating,
        ThreadPoolExecutor() as threads,
    ):
        first = client.call("lend_book", loan())
        assert gate.begun.wait(DEADLINE_S)
        with pytest.raises(grpc.RpcError) as failed:
            Client(repeating, threads).rpc("LendBook")(loan(), timeout=DEADLINE_S, metadata=metadata)
        gate.open.set()
        assert first.result() == lent()
    refused = from_call(cast("grpc.Call", failed.value))
    assert (refused.reason, refused.metadata) == ("OVERLOADED", outcome)


def test_an_unexpected_exception_tells_nothing_but_its_trace_id(
    connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    client = connect(Library(shredding=fail))
    with caplog.at_level(logging.DEBUG):
        refused = client.refusal("shred_book", message("ShredBookRequest", title="Água Viva"))
        answer = client.call_tool("shred_book", {"title": "Água Viva"})

    assert refused.reason == answer["error"]["data"]["reason"] == "INTERNAL"
    assert refused.metadata == answer["error"]["data"]["metadata"] == {"trace_id": TRACE_ID}
    assert answer["error"]["code"] == -32603
    assert SECRET not in str(refused)
    assert SECRET not in str(answer)
    assert SECRET not in caplog.text
    assert f"/library.v1.LibraryService/ShredBook failed: ValueError trace_id={TRACE_ID}" in caplog.text
    assert f"shred_book failed: ValueError trace_id={TRACE_ID}" in caplog.text


def test_a_refusal_is_not_logged_as_a_fault(connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    connect(Library(shredding=refuse)).refusal("shred_book", message("ShredBookRequest", title="Água Viva"))
    assert caplog.text == ""


@pytest.mark.parametrize("sent", [TRACE_ID, TRACE_ID.replace("-", ""), TRACE_ID.upper()], ids=["uuid", "bare", "upper"])
def test_the_trace_id_comes_back_with_an_answer_and_reaches_the_handler(connect: Connect, sent: str) -> None:
    register = Register()
    client = connect(Library(lending=register.lend))
    _, call = client.rpc("LendBook").with_call(loan(), timeout=DEADLINE_S, metadata=((TRACE_KEY, sent),))
    assert trace_id_in(call.trailing_metadata()) == sent
    assert [caller.trace_id for caller in register.callers] == [sent]


@pytest.mark.parametrize("shredding", [refuse, fail])
def test_the_trace_id_comes_back_with_a_refusal_and_with_a_failure(
    connect: Connect, shredding: Callable[[Any, Caller], Message]
) -> None:
    shred = connect(Library(shredding=shredding)).rpc("ShredBook")
    with pytest.raises(grpc.RpcError) as failed:
        shred(message("ShredBookRequest", title="a"), timeout=DEADLINE_S, metadata=((TRACE_KEY, TRACE_ID),))
    assert trace_id_in(failed.value.trailing_metadata()) == TRACE_ID


@pytest.mark.parametrize(
    "sent",
    [
        (),
        *(
            ((TRACE_KEY, text),)
            for text in ("", TRACE_ID * 2, "123.456.789-00", "12345678900", "123456789-00", "Ana-Reis")
        ),
    ],
    ids=["none", "empty", "long", "cpf", "digits", "hyphen", "name"],
)
def test_a_call_without_a_trace_id_that_can_be_logged_gets_a_new_one(
    client: Client, sent: tuple[tuple[str, str], ...]
) -> None:
    shred = client.rpc("ShredBook")
    request = message("ShredBookRequest", title="a")
    answers = [shred.with_call(request, timeout=DEADLINE_S, metadata=sent) for _ in range(2)]
    first, second = (trace_id_in(call.trailing_metadata()) for _, call in answers)
    assert len(first) == len(second) == 36
    assert first != second


def test_a_handler_knows_how_long_its_caller_waits(connect: Connect) -> None:
    register = Register()
    connect(Library(lending=register.lend)).rpc("LendBook")(loan(), timeout=DEADLINE_S)
    # gRPC rounds a deadline up on its way, so it is not the very same.
    assert 0 < register.callers[0].remaining_s < (DEADLINE_S + LONGEST_CALL_S) / 2


@pytest.mark.parametrize("timeout_s", [None, 1e6])
def test_a_call_without_a_deadline_or_with_a_far_one_gets_the_longest(
    connect: Connect, timeout_s: float | None
) -> None:
    register = Register()
    client = connect(Library(lending=register.lend))
    # No deadline is what is tested: the waiting ends all the same.
    assert client.rpc("LendBook").future(loan(), timeout=timeout_s).result(DEADLINE_S) == lent()
    assert DEADLINE_S < register.callers[0].remaining_s <= LONGEST_CALL_S


def test_stopping_lets_a_call_in_flight_end_and_takes_no_new_one() -> None:
    gate = Gate()
    with (
        open_library(Library(lending=gate.lend)) as server,
        open_client(server.address) as client,
        open_client(server.address) as late,
        ThreadPoolExecutor() as threads,
    ):
        in_flight = client.call("lend_book", loan("Água Viva"))
        assert gate.begun.wait(DEADLINE_S)
        leaving = departure(client.channel)
        stopping = threads.submit(stop, server, DEADLINE_S)
        assert leaving.wait(DEADLINE_S)

        refused = late.refusal("shred_book", message("ShredBookRequest", title="Água Viva"))
        assert refused.reason == "UNREACHABLE"
        assert not stopping.done()

        gate.open.set()
        assert in_flight.result() == lent()
        stopping.result(DEADLINE_S)


def departure(channel: grpc.Channel) -> threading.Event:
    """Return what is set when the other side says that it takes no more calls."""
    left = threading.Event()
    was_ready = False

    def note(state: grpc.ChannelConnectivity) -> None:
        nonlocal was_ready
        if state is grpc.ChannelConnectivity.READY:
            was_ready = True
        elif was_ready:
            left.set()

    channel.subscribe(note)
    return left


def test_health_says_that_a_node_drains_to_whoever_watches() -> None:
    gate = Gate()
    with (
        open_library(Library(lending=gate.lend)) as server,
        open_client(server.address) as client,
        ThreadPoolExecutor() as threads,
    ):
        watched = health_pb2_grpc.HealthStub(client.channel).Watch(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S)
        statuses: Iterator[int] = (answer.status for answer in watched)
        assert next(statuses) == health_pb2.HealthCheckResponse.SERVING
        in_flight = client.call("lend_book", loan())
        assert gate.begun.wait(DEADLINE_S)

        stopping = threads.submit(stop, server, DEADLINE_S)

        assert next(statuses) == health_pb2.HealthCheckResponse.NOT_SERVING
        assert not stopping.done()
        watched.cancel()
        gate.open.set()
        assert in_flight.result() == lent()
        stopping.result(DEADLINE_S)


def test_calls_that_do_not_end_are_cut_after_the_drain() -> None:
    gate = Gate()
    with open_library(Library(lending=gate.lend)) as server, open_client(server.address) as client:
        call = client.rpc("LendBook").future(loan(), timeout=DEADLINE_S)
        assert gate.begun.wait(DEADLINE_S)
        stop(server)
        with pytest.raises(grpc.RpcError):
            call.result(DEADLINE_S)
        gate.open.set()


def test_an_address_that_is_in_use_is_refused_and_its_holder_goes_on(client: Client) -> None:
    with open_library() as holder, open_client(holder.address) as its_client:
        with pytest.raises(AddressInUseError, match=holder.address), open_library(listen=holder.address):
            pass
        assert its_client.call("lend_book", loan()).result() == lent()


def test_port_zero_is_told_as_the_port_that_was_taken() -> None:
    with open_library() as server:
        host, _, port = server.address.rpartition(":")
        assert host == "127.0.0.1"
        assert int(port) > 0
