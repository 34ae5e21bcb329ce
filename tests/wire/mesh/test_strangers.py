"""What a caller without a token can hold open: few places, for seconds, and none of those that others need."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from grpc_status import rpc_status

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from generated.mesh.v1.tool_service_pb2 import CallRequest
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh import reflection, transport
from mesh.limits import DEFAULT
from mesh.server import NodePolicies
from orchestrator.security.token_keys import KeyFolder
from tests.support.clinics import NOW
from tests.support.doors import DEADLINE_S, Client, open_client, open_library, stop
from tests.support.http2 import Connection, header_block, message
from tests.support.tokens import JOANA_CPF, make_keys, token_for

LISTING = "/clinic.v1.ClinicService/ListAvailableSlots"
CHECK, WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"
REFLECTIONS = [f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo" for version in ("v1", "v1alpha")]
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)
BAD = b"\xff" * 8
Metadata = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFolder:
    return make_keys(tmp_path_factory.mktemp("home"))


@pytest.fixture
def address(tmp_path: Path, keys: KeyFolder) -> Iterator[str]:
    """The address of a clinic as it runs by default."""
    with serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(keys.public, DEFAULT)) as clinic:
        yield clinic.address


def bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


def listing(address: str, metadata: Metadata) -> pb.ListAvailableSlotsResponse:
    """Return a listing, asked for over a connection of its own."""
    with grpc.insecure_channel(address, OWN_CONNECTION) as channel:
        request = pb.ListAvailableSlotsRequest()
        return ClinicServiceStub(channel).ListAvailableSlots(request, timeout=DEADLINE_S, metadata=metadata)


def reason_of(error: grpc.RpcError) -> str:
    """Return the reason of a refusal; whatever our side refuses has one."""
    status = rpc_status.from_call(cast("grpc.Call", error))
    info = error_details_pb2.ErrorInfo()
    assert status is not None, error
    assert any(detail.Unpack(info) for detail in status.details), error
    return str(info.reason)


def refusal(call: Callable[[], Any]) -> str:
    with pytest.raises(grpc.RpcError) as refused:
        call()
    return reason_of(refused.value)


def refusals(call: Callable[[], Any], times: int = 20) -> set[str]:
    """Return the reasons with which some of many calls are refused."""
    reasons = set()
    for _ in range(times):
        try:
            call()
        except grpc.RpcError as error:
            reasons.add(reason_of(error))
    return reasons


def is_refused_before_long(reason: str, call: Callable[[], Any]) -> bool:
    """Return whether calls come to be refused with a reason: a server takes a moment to see other calls."""
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        if reason in refusals(call, times=1):
            return True
    return False


def raw_refusal(address: str, path: str, *contents: bytes) -> str:
    """Return the reason with which a stream of bytes is refused."""
    with grpc.insecure_channel(address, OWN_CONNECTION) as channel:
        call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(path)
        return refusal(lambda: list(call(iter(contents), timeout=DEADLINE_S)))


@contextmanager
def half_open(address: str, path: str, metadata: Metadata = (), connections: int = 10) -> Iterator[list[Connection]]:
    """Hold as many calls without a message as a server lets these connections have."""
    held = [Connection(address) for _ in range(connections)]
    try:
        for connection in held:
            connection.listen(DEADLINE_S)
            connection.begin(header_block(path, metadata), 16)
        yield held
    finally:
        for connection in held:
            connection.close()


def ended_within(connection: Connection, seconds: float) -> bool:
    """Return whether the server ends all calls of a connection in time."""
    until = time.monotonic() + seconds
    while connection.open and time.monotonic() < until:
        connection.listen(0.1)
    return not connection.open


@pytest.mark.long(but=2)
@pytest.mark.parametrize("path", [LISTING, CHECK, WATCH, *REFLECTIONS, "/mesh.v1.ToolService/Call"])
def test_calls_without_a_message_keep_nobody_out_who_has_a_token(address: str, keys: KeyFolder, path: str) -> None:
    with half_open(address, path):
        tokens = [bearer(token_for(keys)) for _ in range(5)]
        assert refusals(lambda: [listing(address, token) for token in tokens], times=4) == set()
        with grpc.insecure_channel(address, OWN_CONNECTION) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            assert health.Check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S).status
            assert ClinicServiceStub(channel).GetClinic(pb.GetClinicRequest(), timeout=DEADLINE_S).clinic_id


def test_forged_tokens_without_a_message_keep_out_no_token_that_is_seen_first(address: str, keys: KeyFolder) -> None:
    forged = token_for(keys)[:-8] + "AAAAAAAA"
    with half_open(address, LISTING, bearer(forged)):
        assert refusals(lambda: listing(address, bearer(token_for(keys)))) == set()


@pytest.mark.long(but=4)
@pytest.mark.parametrize("part", [b"", message(b"")[:3], message(b"x" * 100)[:50]], ids=["none", "size", "half"])
@pytest.mark.parametrize("path", [LISTING, CHECK, WATCH, REFLECTIONS[0]])
def test_a_call_whose_message_does_not_come_is_ended(
    monkeypatch: pytest.MonkeyPatch, address: str, path: str, part: bytes
) -> None:
    for module, name in ((transport, "LONGEST_SILENCE_S"), (reflection, "LONGEST_PAUSE_S")):
        monkeypatch.setattr(module, name, 0.2)
    monkeypatch.setattr("mesh.health.LONGEST_SILENCE_S", 0.2)
    with Connection(address) as connection:
        (stream,) = connection.begin(header_block(path))
        if part:
            connection.say(stream, part)
        assert ended_within(connection, DEADLINE_S)


def test_one_subject_has_no_more_places_than_its_own(address: str, keys: KeyFolder) -> None:
    token = bearer(token_for(keys))
    assert listing(address, token).available_slots
    with half_open(address, LISTING, token, connections=2):
        assert is_refused_before_long("OVERLOADED", lambda: listing(address, token))
        assert listing(address, bearer(token_for(keys, JOANA_CPF))).available_slots


def test_tokens_that_do_not_hold_are_no_longer_checked_where_too_many_came_from(address: str, keys: KeyFolder) -> None:
    with grpc.insecure_channel(address, OWN_CONNECTION) as channel:
        stub = ClinicServiceStub(channel)

        def ask(token: str) -> str:
            request = pb.ListAvailableSlotsRequest()
            return refusal(lambda: stub.ListAvailableSlots(request, timeout=DEADLINE_S, metadata=bearer(token)))

        reasons = {ask(f"forged-{number}") for number in range(10)}
        assert reasons == {"UNAUTHENTICATED"}
        assert "RATE_LIMITED" in {ask(f"forged-{number}") for number in range(10)}
    assert listing(address, bearer(token_for(keys))).available_slots


def test_calls_without_a_token_may_not_come_too_often_over_one_connection(address: str, keys: KeyFolder) -> None:
    with grpc.insecure_channel(address, OWN_CONNECTION) as channel:
        stub = ClinicServiceStub(channel)
        asked = pb.GetClinicRequest()
        refused = refusals(lambda: stub.GetClinic(asked, timeout=DEADLINE_S), times=2 * DEFAULT.read_burst)
        assert refused == {"RATE_LIMITED"}
        request, token = pb.ListAvailableSlotsRequest(), bearer(token_for(keys))
        assert stub.ListAvailableSlots(request, timeout=DEADLINE_S, metadata=token).available_slots


def test_arguments_are_looked_at_only_with_a_token(address: str) -> None:
    request = CallRequest(jsonrpc="2.0", method="tools/call")
    request.id.string_value = "1"
    request.params.name = "list_available_slots"
    request.params.arguments.update({"no_such_argument": None})
    with grpc.insecure_channel(address, OWN_CONNECTION) as channel:
        answer = ToolServiceStub(channel).Call(request, timeout=DEADLINE_S)
    assert answer.error.data["reason"] == "UNAUTHENTICATED"
    assert raw_refusal(address, LISTING, BAD) == "UNAUTHENTICATED"


def test_a_method_that_there_is_not_and_a_call_without_a_message_are_refused_with_a_reason(address: str) -> None:
    assert raw_refusal(address, "/no.such/Method", b"") == "METHOD_NOT_FOUND"
    assert raw_refusal(address, "/clinic.v1.ClinicService/GetClinic") == "INVALID_ARGUMENTS"
    assert raw_refusal(address, WATCH) == "INVALID_ARGUMENTS"


@pytest.mark.parametrize("path", [CHECK, WATCH, *REFLECTIONS])
def test_bad_messages_are_refused_and_leave_nothing_that_an_end_waits_for(client: Client, path: str) -> None:
    with open_library() as server:
        assert [raw_refusal(server.address, path, BAD) for _ in range(5)] == ["INVALID_ARGUMENTS"] * 5
        stopping = time.monotonic()
        stop(server, 100)
        assert time.monotonic() - stopping < 50


def test_a_stream_of_reflection_ends_after_many_requests(address: str) -> None:
    request = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    assert raw_refusal(address, REFLECTIONS[0], *[request] * (reflection.MOST_REQUESTS + 1)) == "OVERLOADED"
    assert raw_refusal(address, REFLECTIONS[0], b"\x22" + bytes([0x80, 0x10]) + b"x" * 2048) == "INVALID_ARGUMENTS"


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("path", "metadata", "contents"),
    [
        (LISTING, bearer("forged"), (b"",)),
        (LISTING, bearer("forged"), ()),
        (LISTING, (), (BAD,)),
        ("/clinic.v1.ClinicService/GetClinic", (), (BAD,)),
        ("/clinic.v1.ClinicService/GetClinic", (), ()),
        ("/no.such/Method", (), (b"",)),
        (CHECK, (), (BAD,)),
        (WATCH, (), (BAD,)),
        (REFLECTIONS[0], (), (BAD,)),
    ],
)
def test_a_call_that_is_refused_is_gone_at_once(
    tmp_path: Path, keys: KeyFolder, path: str, metadata: Metadata, contents: tuple[bytes, ...]
) -> None:
    gc.collect()
    gc.disable()
    try:
        with (
            serve("clinic_a", "127.0.0.1:0", tmp_path, "blueprint", NOW, NodePolicies(keys.public)) as clinic,
            grpc.insecure_channel(clinic.address, (*OWN_CONNECTION, ("grpc.enable_retries", 0))) as channel,
        ):
            call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(path)
            for _ in range(80):
                # More than a connection may have at once would be refused without a reason.
                assert refusal(lambda: list(call(iter(contents), timeout=DEADLINE_S, metadata=metadata)))
    finally:
        gc.enable()


@pytest.mark.parametrize("is_on", [True, False])
def test_reflection_can_be_switched_on_and_off(is_on: bool) -> None:
    request = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    options = NodePolicies(reflection=is_on)
    with open_library(policies=options) as server, grpc.insecure_channel(server.address) as channel:
        for path in REFLECTIONS:
            call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(path)
            if is_on:
                assert list(call(iter([request]), timeout=DEADLINE_S))
            else:
                assert raw_refusal(server.address, path, request) == "METHOD_NOT_FOUND"


def test_health_is_listed_and_a_service_that_there_is_not_is_refused(client: Client) -> None:
    health = health_pb2_grpc.HealthStub(client.channel)
    statuses = health.List(health_pb2.HealthListRequest(), timeout=DEADLINE_S).statuses
    assert set(statuses) == {"", "library.v1.LibraryService", "mesh.v1.ToolService", "mesh.v1.RefusalService"}
    assert {status.status for status in statuses.values()} == {health_pb2.HealthCheckResponse.SERVING}
    unknown = health_pb2.HealthCheckRequest(service="no.such.Service")
    assert refusal(lambda: health.Check(unknown, timeout=DEADLINE_S)) == "UNKNOWN_SERVICE"
    watched = health.Watch(unknown, timeout=DEADLINE_S)
    assert next(watched).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
    watched.cancel()


def test_an_answer_that_nobody_reads_does_not_keep_a_server_from_ending() -> None:
    with open_library() as server, Connection(server.address, window=0) as connection:
        for path in (WATCH, CHECK, *REFLECTIONS):
            content = b"" if path in {WATCH, CHECK} else b"\x3a\x00"
            for stream in connection.begin(header_block(path), 2):
                connection.say(stream, message(content))
        connection.listen(0.2)
        with open_client(server.address) as other:
            assert health_pb2_grpc.HealthStub(other.channel).Check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S)
        stop(server, 0.2)


@pytest.mark.long
def test_no_call_of_a_busy_client_is_refused_for_those_that_were_answered(address: str, keys: KeyFolder) -> None:
    options = (*OWN_CONNECTION, ("grpc.enable_retries", 0))
    with grpc.insecure_channel(address, options) as channel, ThreadPoolExecutor(64) as callers:
        health = health_pb2_grpc.HealthStub(channel)

        def ask(_number: int) -> int:
            return int(health.Check(health_pb2.HealthCheckRequest(), timeout=DEADLINE_S).status)

        assert set(callers.map(ask, range(3000))) == {health_pb2.HealthCheckResponse.SERVING}
