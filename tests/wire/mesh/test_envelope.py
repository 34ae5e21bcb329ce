"""The envelope door: JSON-RPC 2.0 as MCP uses it, answered in the body, the id mirrored."""

from __future__ import annotations

import math
from typing import Any

import pytest
from google.protobuf import struct_pb2

from generated.mesh.v1.tool_service_pb2 import CallParams, CallRequest
from tests.support.doors import Client

INVALID_ENVELOPE, METHOD_NOT_FOUND, INVALID_PARAMS = -32600, -32601, -32602
GOOD: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": "1",
    "method": "tools/call",
    "params": {"name": "shred_book", "arguments": {"title": "Água Viva"}},
}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


@pytest.mark.parametrize(
    "request_id", ["1", "", "é", "550e8400-e29b-41d4-a716-446655440000", 0, 7, -7, 2**53, -(2**53)]
)
def test_the_id_of_an_answer_is_the_id_of_its_request(client: Client, request_id: str | int) -> None:
    assert client.envelope({**GOOD, "id": request_id}) == {
        "jsonrpc": "2.0",
        "id": request_id,
        "result": {"copies_left": 0},
    }


@pytest.mark.parametrize(
    "request_id", [None, True, False, 1.5, 2**53 + 2, -(2**53) - 2, 1e300, [], ["1"], {}, {"a": 1}]
)
def test_an_id_that_is_no_text_and_no_exact_whole_number_is_refused(client: Client, request_id: Any) -> None:
    answer = client.envelope({**GOOD, "id": request_id})
    assert answer["error"]["code"] == INVALID_ENVELOPE
    assert answer["id"] is None
    assert "result" not in answer


def test_a_client_of_mcp_hears_at_once_who_answers_and_over_what(client: Client) -> None:
    about = {
        "protocolVersion": "2026-07-28",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "x", "version": "1"},
    }
    hello = client.envelope({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about})["result"]
    assert (hello["protocolVersion"], hello["capabilities"]["tools"]) == ("2025-11-25", {"listChanged": False})
    assert hello["serverInfo"]["name"].endswith("Service")
    assert "gRPC" in hello["instructions"]
    assert client.envelope({"jsonrpc": "2.0", "id": 1, "method": "ping"}) == {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_an_id_that_is_not_finite_is_refused(client: Client, number: float) -> None:
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(number_value=number), method="tools/list")
    assert client.send(request)["error"]["code"] == INVALID_ENVELOPE


@pytest.mark.parametrize(
    ("body", "code", "reason"),
    [
        ({}, INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        (without("id"), INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        (without("jsonrpc"), INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        ({**GOOD, "jsonrpc": ""}, INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        ({**GOOD, "jsonrpc": "1.0"}, INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        ({**GOOD, "jsonrpc": "2"}, INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        (without("method"), METHOD_NOT_FOUND, "METHOD_NOT_FOUND"),
        ({**GOOD, "method": "tools/Call"}, METHOD_NOT_FOUND, "METHOD_NOT_FOUND"),
        ({**GOOD, "method": "resources/list"}, METHOD_NOT_FOUND, "METHOD_NOT_FOUND"),
        (without("params"), INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        ({**GOOD, "params": {}}, INVALID_ENVELOPE, "INVALID_ENVELOPE"),
        ({**GOOD, "params": {"name": "burn_book"}}, INVALID_PARAMS, "UNKNOWN_TOOL"),
        ({**GOOD, "params": {"name": "ShredBook"}}, INVALID_PARAMS, "UNKNOWN_TOOL"),
        ({**GOOD, "params": {"name": "shred_book"}}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
        ({**GOOD, "params": {"name": "shred_book", "arguments": {}}}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
        ({**GOOD, "params": {"name": "shred_book", "arguments": {"title": None}}}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
        ({**GOOD, "params": {"name": "shred_book", "arguments": {"title": 7}}}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
        ({**GOOD, "params": {"name": "shred_book", "arguments": {"name": "a"}}}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
        ({**GOOD, "method": "tools/list"}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
        ({**GOOD, "method": "tools/list", "params": {"arguments": {}}}, INVALID_PARAMS, "INVALID_ARGUMENTS"),
    ],
)
def test_a_wrong_envelope_is_answered_with_its_code(
    client: Client, body: dict[str, Any], code: int, reason: str
) -> None:
    answer = client.envelope(body)
    assert answer["jsonrpc"] == "2.0"
    assert answer["id"] == body.get("id")
    assert "result" not in answer
    assert answer["error"]["code"] == code
    assert answer["error"]["data"]["reason"] == reason
    assert answer["error"]["data"]["domain"] == "mesh.v1"


def test_a_wrong_argument_is_named_with_what_is_expected(client: Client) -> None:
    error = client.call_tool("find_books", {"author": None, "limit": "3", "publisher": "Rocco"})["error"]
    assert [fault["field"] for fault in error["data"]["violations"]] == ["publisher", "author", "limit"]
    assert error["data"]["metadata"] == {"tool": "find_books"}
    assert "Rocco" not in str(error)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_know_is_refused(client: Client, number: float) -> None:
    arguments = struct_pb2.Struct(fields={"title": struct_pb2.Value(number_value=number)})
    params = CallParams(name="shred_book", arguments=arguments)
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(string_value="1"), method="tools/call", params=params)
    assert client.send(request)["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("method", ["tools/call", "tools/list"])
def test_mcps_meta_is_accepted_and_not_read(client: Client, method: str) -> None:
    params = GOOD["params"] if method == "tools/call" else {}
    body = {**GOOD, "method": method, "params": {**params, "_meta": {"progressToken": 1}}}
    assert client.envelope(body) == client.envelope({**GOOD, "method": method, "params": params})


def test_an_unknown_tool_is_not_repeated_and_the_known_ones_are_named(client: Client) -> None:
    error = client.call_tool("123.456.789-00", {})["error"]
    assert error["data"]["metadata"] == {"tools": "find_books, lend_book, shred_book"}
    assert "123.456.789-00" not in str(error)
