"""Strange messages and strange bytes at both doors: defined refusals in time, which repeat nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from google.protobuf import struct_pb2
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from generated.mesh.v1.tool_service_pb2 import CallParams, CallRequest, CallResponse
from mesh.catalogue import Tool, rpc_path
from tests.fuzz.strangers import (
    DEADLINE_S,
    ENVELOPE_PATH,
    ENVELOPES,
    MARKS,
    TEXTS,
    TOOLS,
    check_body,
    check_status,
    fixed,
    good,
)

TOO_LARGE = "Received message larger than max"


def send(channel: grpc.Channel, path: str, content: bytes) -> bytes:
    """Return the bytes that some bytes are answered with."""
    method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    return method(content, timeout=DEADLINE_S)


def answer_to(channel: grpc.Channel, request: CallRequest) -> CallResponse:
    return CallResponse.FromString(send(channel, ENVELOPE_PATH, request.SerializeToString()))


def request_of(tool: Tool) -> Message:
    """Return a request that is in form."""
    return tool.request_class(**{argument.name: good(argument) for argument in tool.arguments})


def call_of(tool: Tool) -> CallRequest:
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(string_value="1"), method="tools/call")
    request.params.name = tool.name
    request.params.arguments.update({argument.name: good(argument) for argument in tool.arguments})
    return request


MESSAGES = {
    ENVELOPE_PATH: [call_of(tool).SerializeToString() for tool in TOOLS.values()],
    **{rpc_path(tool.method): [request_of(tool).SerializeToString()] for tool in TOOLS.values()},
}
PATHS = st.sampled_from(sorted(MESSAGES))


@fixed(400)
@given(ENVELOPES)
def test_any_envelope_is_answered_in_the_body(open_clinic: grpc.Channel, envelope: CallRequest) -> None:
    answer = answer_to(open_clinic, envelope)
    reason = check_body(answer)
    assert reason == "INVALID_ENVELOPE" or answer.id == envelope.id
    if envelope.id.WhichOneof("kind") not in {"string_value", "number_value"}:
        assert reason == "INVALID_ENVELOPE"
        assert answer.id.WhichOneof("kind") == "null_value"


@pytest.mark.parametrize(
    "kind",
    [
        *({"number_value": number} for number in (math.nan, math.inf, -math.inf, 0.5, 2.0**53 + 2, -1e308)),
        {"bool_value": True},
        {"null_value": struct_pb2.NULL_VALUE},
        {"list_value": struct_pb2.ListValue()},
        {"struct_value": struct_pb2.Struct()},
        {},
    ],
    ids=str,
)
def test_an_id_that_cannot_be_mirrored_is_refused(open_clinic: grpc.Channel, kind: Mapping[str, Any]) -> None:
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(**kind), method="tools/list")
    assert check_body(answer_to(open_clinic, request)) == "INVALID_ENVELOPE"


@fixed(150)
@given(st.sampled_from(sorted(TOOLS)), st.data())
def test_any_text_in_any_field_of_the_typed_door_is_answered_or_refused(
    open_clinic: grpc.Channel, name: str, data: st.DataObject
) -> None:
    request = request_of(TOOLS[name])
    for argument in TOOLS[name].arguments:
        if isinstance(good(argument), str) and data.draw(st.booleans()):
            setattr(request, argument.name, data.draw(TEXTS))
    try:
        send(open_clinic, rpc_path(TOOLS[name].method), request.SerializeToString())
    except grpc.RpcError as error:
        check_status(error)


def check_bytes(channel: grpc.Channel, path: str, content: bytes) -> None:
    """Send bytes that may be any message or none."""
    try:
        answer = send(channel, path, content)
    except grpc.RpcError as error:
        reason = check_status(error)
        assert path != ENVELOPE_PATH or reason == "INVALID_ARGUMENTS", "this door answers in the body what it can read"
    else:
        if path == ENVELOPE_PATH:
            check_body(CallResponse.FromString(answer))


@fixed(200)
@given(PATHS, st.binary(max_size=200))
def test_any_bytes_are_a_message_or_refused_as_none(open_clinic: grpc.Channel, path: str, content: bytes) -> None:
    check_bytes(open_clinic, path, content)


@fixed(300)
@given(PATHS, st.data())
def test_a_message_that_was_changed_on_the_way_is_answered_or_refused(
    open_clinic: grpc.Channel, path: str, data: st.DataObject
) -> None:
    content = bytearray(data.draw(st.sampled_from(MESSAGES[path])))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        content[start : start + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    check_bytes(open_clinic, path, bytes(content))


@pytest.mark.long(but=4)
@pytest.mark.parametrize("path", sorted(MESSAGES))
def test_a_message_cut_off_anywhere_is_answered_or_refused(open_clinic: grpc.Channel, path: str) -> None:
    content = max(MESSAGES[path], key=len)
    for length in range(len(content)):
        check_bytes(open_clinic, path, content[:length])


def test_bytes_that_are_no_message_are_refused_by_grpcs_own_services_too(open_clinic: grpc.Channel) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        send(open_clinic, "/grpc.health.v1.Health/Check", b"\xff")
    assert check_status(refused.value) == "INVALID_ARGUMENTS"


@pytest.mark.parametrize("surrogate", [b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xff", b"\xc0\xaf"])
@pytest.mark.parametrize("path", sorted(MESSAGES))
def test_what_is_no_unicode_is_no_message(open_clinic: grpc.Channel, path: str, surrogate: bytes) -> None:
    for content in MESSAGES[path]:
        for text in (b"Fulana", b"Ricardo", b"A001", b"hipert", b"tools/call"):
            if text in content:
                spoiled = content.replace(text, surrogate.ljust(len(text), b"x"))
                with pytest.raises(grpc.RpcError) as refused:
                    send(open_clinic, path, spoiled)
                assert check_status(refused.value) == "INVALID_ARGUMENTS"


def nested(depth: int, *, is_list: bool) -> bytes:
    """Return the bytes of a Value within so many others; protobuf itself would not write most of them."""
    value = struct_pb2.Value(string_value=MARKS[0]).SerializeToString()
    for _ in range(depth):
        inner = field(1, value) if is_list else field(1, field(1, b"a") + field(2, value))
        value = field(6 if is_list else 5, inner)
    return value


def field(number: int, content: bytes) -> bytes:
    """Return a length-delimited field."""
    length, size = len(content), bytearray()
    while length > 0x7F:
        size.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([number << 3 | 2, *size, length]) + content


@pytest.mark.parametrize("is_list", [True, False], ids=["lists", "objects"])
@pytest.mark.parametrize("depth", [1, 10, 30, 40, 48, 49, 50, 60, 99, 100, 101, 1000, 3000])
def test_deep_nesting_is_refused(open_clinic: grpc.Channel, depth: int, is_list: bool) -> None:
    spoiled = {"id": field(2, nested(depth, is_list=is_list)), "argument": b"", "meta": b""}
    entry = field(1, field(1, b"doctor") + field(2, nested(depth, is_list=is_list)))
    head = field(1, b"2.0") + field(3, b"tools/call")
    spoiled["argument"] = field(2, b"\x1a\x011") + field(4, field(1, b"list_available_slots") + field(2, entry))
    spoiled["meta"] = field(2, b"\x1a\x011") + field(4, field(1, b"list_available_slots") + field(3, entry))
    for content in spoiled.values():
        check_bytes(open_clinic, ENVELOPE_PATH, head + content)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 1e308, 0.5])
@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_no_number_is_taken_for_a_text(open_clinic: grpc.Channel, tool: str, number: float) -> None:
    for argument in TOOLS[tool].arguments:
        request = call_of(TOOLS[tool])
        request.params.arguments.fields[argument.name].number_value = number
        assert check_body(answer_to(open_clinic, request)) == "INVALID_ARGUMENTS"


@pytest.mark.long(but=3)
@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_long_texts_and_many_arguments_are_answered_in_time(open_clinic: grpc.Channel, tool: str) -> None:
    texts = ("x" * 60_000, "\ufdfa" * 20_000, " " * 60_000, MARKS[1] * 5_000, "9" * 60_000)
    for argument in TOOLS[tool].arguments:
        for text in texts:
            request = call_of(TOOLS[tool])
            request.params.arguments.fields[argument.name].string_value = text
            check_body(answer_to(open_clinic, request))
    crowded = call_of(TOOLS[tool])
    crowded.params.arguments.update({f"{number:x}": number for number in range(3_000)})
    assert check_body(answer_to(open_clinic, crowded)) == "INVALID_ARGUMENTS"


@pytest.mark.long(but=2)
@pytest.mark.parametrize("path", sorted(MESSAGES))
def test_more_bytes_than_a_request_may_have_are_refused(open_clinic: grpc.Channel, path: str) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        send(open_clinic, path, MARKS[0].encode() * 10_000)
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert TOO_LARGE in str(refused.value.details())


def test_a_listing_takes_any_meta_and_no_tool(open_clinic: grpc.Channel) -> None:
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(number_value=1), method="tools/list", params=CallParams())
    request.params.meta.update({"progressToken": MARKS[0], "deep": [[[{}]]]})
    assert check_body(answer_to(open_clinic, request)) == ""
    request.params.name = MARKS[0]
    assert check_body(answer_to(open_clinic, request)) == "INVALID_ARGUMENTS"
