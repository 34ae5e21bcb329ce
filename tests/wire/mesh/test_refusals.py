"""What a node says of the calls that it refused: counts by method and reason, over the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
import pytest

from generated.mesh.v1 import refusal_service_pb2 as pb
from generated.mesh.v1.refusal_service_pb2_grpc import RefusalServiceStub
from mesh.caller import Caller
from mesh.errors import DomainError
from mesh.server import NodePolicies
from tests.support.doors import DEADLINE_S, Client, loan, open_client, open_library, raw_call
from tests.support.library import Library

TYPED = "library.v1.LibraryService/LendBook"
ENVELOPE = "mesh.v1.ToolService/Call"


def refuse(request: Any, caller: Caller) -> Any:
    raise DomainError("BOOK_LENT", "somebody has it")


def counts(client: Client) -> Mapping[tuple[str, str], int]:
    answer: pb.ListRefusalsResponse = RefusalServiceStub(client.channel).ListRefusals(
        pb.ListRefusalsRequest(), timeout=DEADLINE_S
    )
    assert answer.since.seconds > 0
    return {(refusal.method, refusal.reason): refusal.calls for refusal in answer.refusals}


def test_a_node_that_refused_nothing_counts_nothing() -> None:
    with open_library() as server, open_client(server.address) as client:
        client.call("lend_book", loan()).result()
        client.call_tool("lend_book", {"title": "Água Viva", "until": "2025-07-18", "reader_name": "Ana Souza"})
        assert counts(client) == {}


def test_refusals_are_counted_by_method_and_reason_at_both_doors() -> None:
    with open_library(Library(lending=refuse)) as server, open_client(server.address) as client:
        for _ in range(3):
            assert client.refusal("lend_book", loan()).reason == "BOOK_LENT"
        assert client.refusal("lend_book", loan(title="")).reason == "INVALID_ARGUMENTS"
        client.call_tool("lend_book", {"title": "Água Viva", "until": "2025-07-18", "reader_name": "Ana Souza"})
        # Names that callers make up are one: whoever counted them would never end.
        client.call_tool("burn_book", {})
        client.call_tool("burn_library", {})
        with pytest.raises(grpc.RpcError):
            raw_call(client.channel, "/library.v1.LibraryService/BurnBook")
        assert counts(client) == {
            (TYPED, "BOOK_LENT"): 3,
            (TYPED, "INVALID_ARGUMENTS"): 1,
            ("lend_book", "BOOK_LENT"): 1,
            (ENVELOPE, "UNKNOWN_TOOL"): 2,
            ("", "METHOD_NOT_FOUND"): 1,
        }


def test_a_node_that_does_not_describe_itself_keeps_its_counts() -> None:
    options = NodePolicies(reflection=False)
    with (
        open_library(policies=options) as server,
        open_client(server.address) as client,
        pytest.raises(grpc.RpcError) as refused,
    ):
        counts(client)
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
