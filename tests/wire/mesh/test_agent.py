"""An annotated service that knows nothing of MCP is an MCP agent once it is served."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from mesh.arguments import object_schema
from mesh.caller import TRACE_KEY
from mesh.catalogue import arguments_of
from tests.support.doors import DEADLINE_S, TRACE_ID, Client, lent, loan
from tests.support.library import message, tool

SERVICES = ["library.v1.LibraryService", "mesh.v1.ToolService", "mesh.v1.RefusalService"]


def listed(client: Client) -> list[dict[str, Any]]:
    answer = client.envelope({"jsonrpc": "2.0", "id": 7, "method": "tools/list"})
    tools: list[dict[str, Any]] = answer["result"]["tools"]
    return tools


def test_the_typed_door_answers_a_tool(client: Client) -> None:
    answer = client.call("lend_book", loan("A Hora da Estrela")).result()
    assert answer == lent("A Hora da Estrela")


def test_the_typed_door_answers_an_rpc_that_is_no_tool(client: Client) -> None:
    answer = client.rpc("GetLibrary")(message("GetLibraryRequest"), timeout=DEADLINE_S)
    assert answer == message("GetLibraryResponse", name="Biblioteca")


def test_the_envelope_door_answers_the_same_tool(client: Client) -> None:
    arguments = {"title": "A Hora da Estrela", "until": "2025-07-18", "reader_name": "Ana Souza"}
    assert client.call_tool("lend_book", arguments) == {
        "jsonrpc": "2.0",
        "id": "1",
        "result": {"title": "A Hora da Estrela", "until": "2025-07-18"},
    }


def test_every_type_of_field_passes_the_envelope_door_and_back(client: Client) -> None:
    arguments = {
        "author": "Clarice Lispector",
        "limit": 3,
        "lent": False,
        "least_rating": 4.5,
        "pages": 0,
        "serial": str(2**62 + 1),
        "genre": "GENRE_NOVEL",
        "subjects": ["ficção"],
        "editions": [],
        "printed_on": ["1977-12-09"],
        "nearest": {"floor": 1, "labels": []},
        "shelves": [{"floor": -1, "opened": "1977-12-09", "labels": ["A-C"]}],
        "weights": {"first": 1},
        "extra": {"anything": [None, True, {"deep": []}]},
    }
    assert client.call_tool("find_books", arguments)["result"] == {
        "asked": arguments,
        "titles": [],
        "complete": False,
        "total": "0",
    }


def test_what_is_no_tool_is_not_behind_the_envelope_door(client: Client) -> None:
    assert client.call_tool("get_library", {})["error"]["code"] == -32602


def test_the_tools_are_listed_in_the_contracts_order(client: Client) -> None:
    assert [each["name"] for each in listed(client)] == ["find_books", "lend_book", "shred_book"]


def test_each_tool_is_listed_with_its_description_and_schemas(client: Client) -> None:
    for each in listed(client):
        described = tool(each["name"])
        assert each["description"] == described.options.description
        assert each["inputSchema"] == object_schema(described.arguments)
        assert each["outputSchema"] == object_schema(arguments_of(described.method.output_type))


def test_each_tool_is_listed_with_the_hints_of_its_contract(client: Client) -> None:
    hints = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    assert {each["name"]: [each["annotations"][hint] for hint in hints] for each in listed(client)} == {
        "find_books": [True, False, True, False],
        "lend_book": [False, False, True, False],
        "shred_book": [False, True, False, False],
    }


@pytest.mark.parametrize("service", ["", *SERVICES])
def test_health_is_told_of_the_node_and_of_each_service(client: Client, service: str) -> None:
    health = health_pb2_grpc.HealthStub(client.channel)
    request, metadata = health_pb2.HealthCheckRequest(service=service), ((TRACE_KEY, TRACE_ID),)
    answer, call = health.Check.with_call(request, timeout=DEADLINE_S, metadata=metadata)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
    assert (TRACE_KEY, TRACE_ID) in call.trailing_metadata()


def test_the_health_of_a_service_that_is_not_here_is_not_found(client: Client) -> None:
    health = health_pb2_grpc.HealthStub(client.channel)
    with pytest.raises(grpc.RpcError) as refused:
        health.Check(health_pb2.HealthCheckRequest(service="clinic.v1.ClinicService"), timeout=DEADLINE_S)
    assert refused.value.code() == grpc.StatusCode.NOT_FOUND


def reflected(client: Client, **question: str) -> Any:
    def questions() -> Iterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(**question)

    stub = reflection_pb2_grpc.ServerReflectionStub(client.channel)
    (answer,) = stub.ServerReflectionInfo(questions(), timeout=DEADLINE_S)
    return answer


def test_reflection_lists_every_service(client: Client) -> None:
    services = [each.name for each in reflected(client, list_services="").list_services_response.service]
    versions = {f"grpc.reflection.{version}.ServerReflection" for version in ("v1", "v1alpha")}
    assert set(services) == {*SERVICES, "grpc.health.v1.Health", *versions}


def test_reflection_gives_the_file_that_describes_a_service(client: Client) -> None:
    answer = reflected(client, file_containing_symbol="library.v1.LibraryService")
    files = [
        descriptor_pb2.FileDescriptorProto.FromString(each)
        for each in answer.file_descriptor_response.file_descriptor_proto
    ]
    assert "library/v1/library_service.proto" in {file.name for file in files}
