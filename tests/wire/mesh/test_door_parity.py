"""Both doors call one handler: what it refuses is the same refusal on either, with its details."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import grpc
import pytest
from google.protobuf.message import Message

from mesh.caller import Caller
from mesh.catalogue import Tool
from mesh.errors import DomainError
from mesh.limits import DEFAULT
from mesh.reasons import Reasons
from mesh.server import NodePolicies
from tests.support.doors import DEADLINE_S, TRACE_ID, Client, loan, open_client, open_library
from tests.support.library import Library, library_reasons, message

Connect = Callable[[Library], Client]

ARGUMENTS = {"title": "Água Viva", "until": "2025-07-18", "reader_name": "Ana Souza"}


def refusing(error: DomainError) -> Library:
    def refuse(request: Any, caller: Caller) -> Message:
        raise error

    return Library(lending=refuse, shredding=refuse)


def test_every_reason_has_its_codes_at_both_doors(connect: Connect) -> None:
    def refuse(request: Any, caller: Caller) -> Message:
        raise DomainError(request.title, f"refused for {request.title}")

    # ShredBook may not be repeated, so an UNAVAILABLE is seen at once.
    client = connect(Library(shredding=refuse))
    for reason in Reasons(library_reasons()).values():
        with pytest.raises(grpc.RpcError) as failed:
            client.rpc("ShredBook")(message("ShredBookRequest", title=reason.name), timeout=DEADLINE_S)
        assert failed.value.code() == reason.status
        refused = client.refusal("shred_book", message("ShredBookRequest", title=reason.name))
        error = client.call_tool("shred_book", {"title": reason.name})["error"]
        assert refused.reason == error["data"]["reason"] == reason.name
        assert refused.message == error["message"] == f"refused for {reason.name}"
        assert error["code"] == reason.json_rpc_code
        assert error["data"]["domain"] == reason.domain


def no_such_reason(request: Any, caller: Caller) -> Message:
    raise DomainError("NO_SUCH_REASON", "refused")


@pytest.mark.parametrize(
    ("handler", "logged"),
    [
        (
            lambda request, caller: message("LendBookResponse", title="wrong"),
            "LendBookResponse instead of ShredBookResponse",
        ),
        (lambda request, caller: None, "NoneType instead of ShredBookResponse"),
        (no_such_reason, "'NO_SUCH_REASON', which is no reason of the contract"),
    ],
    ids=["another type", "None", "another reason"],
)
def test_a_handler_that_breaks_the_contract_is_an_internal_fault_at_both_doors(
    connect: Connect, caplog: pytest.LogCaptureFixture, handler: Any, logged: str
) -> None:
    client = connect(Library(shredding=handler))

    refused = client.refusal("shred_book", message("ShredBookRequest", title="Iracema"))
    error = client.call_tool("shred_book", {"title": "Iracema"})["error"]

    assert refused.reason == error["data"]["reason"] == "INTERNAL"
    assert refused.domain == error["data"]["domain"] == "mesh.v1"
    assert refused.metadata["trace_id"] == error["data"]["metadata"]["trace_id"] == TRACE_ID
    assert [logged in line and TRACE_ID in line and "\n" not in line for line in caplog.messages] == [True, True]


def test_a_refusal_carries_its_details_through_both_doors(connect: Connect) -> None:
    copies = message("OtherCopies", branches=["Centro", "São João"])
    client = connect(
        refusing(DomainError("BOOK_LENT", "somebody has it", metadata={"since": "may"}, details=(copies,)))
    )

    refused = client.refusal("lend_book", loan())
    assert (refused.reason, refused.message) == ("BOOK_LENT", "somebody has it")
    assert refused.metadata == {"since": "may"}
    assert refused.details == (copies,)
    assert refused.violations == ()

    assert client.call_tool("lend_book", ARGUMENTS) == {
        "jsonrpc": "2.0",
        "id": "1",
        "error": {
            "code": 2001,
            "message": "somebody has it",
            "data": {
                "reason": "BOOK_LENT",
                "domain": "library.v1",
                "metadata": {"since": "may"},
                "violations": [],
                "details": [
                    {
                        "@type": "type.googleapis.com/library.v1.OtherCopies",
                        "branches": ["Centro", "São João"],
                        "copies": 0,
                    }
                ],
            },
        },
    }


def test_the_contracts_forms_are_checked_at_both_doors_before_the_handler(connect: Connect) -> None:
    client = connect(refusing(DomainError("BOOK_LENT", "the handler was reached")))
    wrong = {"title": "\x1b", "until": "2025-02-30", "reader_name": " "}

    refused = client.refusal("lend_book", loan(**wrong))
    error = client.call_tool("lend_book", wrong)["error"]

    assert refused.reason == error["data"]["reason"] == "INVALID_ARGUMENTS"
    assert [fault.field for fault in refused.violations] == ["title", "until", "reader_name"]
    assert error["data"]["violations"] == [
        {"field": fault.field, "description": fault.description, "reason": fault.reason} for fault in refused.violations
    ]
    assert error["message"] == refused.message
    assert error["code"] == -32602


def test_a_policy_of_a_service_holds_at_both_doors_and_is_asked_before_the_forms() -> None:
    asked: list[tuple[str, str]] = []

    def closed_on_mondays(tool: Tool, caller: Caller) -> None:
        asked.append((tool.name, caller.trace_id))
        raise DomainError("CATALOGUE_BUSY", "closed on Mondays")

    with (
        patch("mesh.server.RateLimit", return_value=closed_on_mondays),
        open_library(policies=NodePolicies(limits=DEFAULT)) as server,
        open_client(server.address) as client,
    ):
        typed = client.refusal("shred_book", message("ShredBookRequest", title="Água Viva"))
        error = client.call_tool("shred_book", {"title": "Água Viva"})["error"]
        assert client.refusal("shred_book", message("ShredBookRequest")).violations == ()
        about = client.rpc("GetLibrary")(message("GetLibraryRequest"), timeout=DEADLINE_S)

    # What is no tool has no policy.
    assert about == message("GetLibraryResponse", name="Biblioteca")
    assert typed.message == error["message"] == "closed on Mondays"
    assert asked == [("shred_book", TRACE_ID)] * 3
