"""The catalogue holds what the contract says of its tools, and refuses what would not be a tool."""

import pytest

from generated.mesh.v1 import options_pb2
from mesh.catalogue import Catalogue, rpc_path
from mesh.errors import DomainError
from tests.support.library import faulty_service, library_service, tool


def test_the_tools_are_the_annotated_rpcs_in_the_contracts_order() -> None:
    assert list(Catalogue(library_service())) == ["find_books", "lend_book", "shred_book"]


def test_a_tool_knows_its_rpc_and_its_messages() -> None:
    lending = tool("lend_book")
    assert rpc_path(lending.method) == "/library.v1.LibraryService/LendBook"
    assert lending.request_class.DESCRIPTOR.full_name == "library.v1.LendBookRequest"
    assert lending.response_class.DESCRIPTOR.full_name == "library.v1.LendBookResponse"


def test_arguments_are_required_unless_optional_repeated_or_in_a_oneof() -> None:
    assert [each.name for each in tool("find_books").arguments if each.required] == ["author", "limit"]
    assert [each.name for each in tool("lend_book").arguments if each.required] == ["title", "until", "reader_name"]


def test_injected_arguments_are_found_by_what_is_injected() -> None:
    lending = tool("lend_book")
    assert list(lending.injected(options_pb2.INJECTED_PATIENT_NAME)) == ["reader_name"]
    assert list(lending.injected(options_pb2.INJECTED_CPF)) == []
    assert lending.request_id == "request_id"


@pytest.mark.parametrize(("name", "repeatable"), [("find_books", True), ("lend_book", True), ("shred_book", False)])
def test_what_reads_or_carries_a_request_id_may_be_repeated(name: str, repeatable: bool) -> None:
    assert tool(name).repeatable is repeatable


def test_an_unknown_tool_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(DomainError, match="find_books, lend_book, shred_book") as refused:
        Catalogue(library_service()).find("burn_book")
    assert refused.value.reason == "UNKNOWN_TOOL"
    assert refused.value.metadata == {"tools": "find_books, lend_book, shred_book"}
    assert "burn_book" not in str(refused.value)


@pytest.mark.parametrize(
    ("service", "complaint"),
    [
        ("UnnamedService", "needs a name and a description"),
        ("UndescribedService", "needs a name and a description"),
        ("StreamingService", "is a unary RPC"),
        ("UploadingService", "is a unary RPC"),
    ],
)
def test_a_service_whose_tool_is_no_tool_is_refused_by_name(service: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=rf"^faulty\.v1\.{service}\.Do: .*{complaint}"):
        Catalogue(faulty_service(service))


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="do_it"):
        Catalogue(faulty_service("FirstService"), faulty_service("SecondService"))
