"""The contract of any annotated service comes from a descriptor set or from the agent; it is checked before use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from mesh.arguments import json_of, request_of
from mesh.channel import CallOptions, call_tool
from mesh.errors import DomainError
from mesh.server import NodePolicies
from orchestrator.agents.mesh_directory import Channels
from orchestrator.agents.registry import REFLECTED, Agent
from orchestrator.agents.service_contract import LARGEST, ContractError, contract_of
from tests.support.doors import open_library
from tests.support.library import Library, descriptor_set

OPTIONS = CallOptions(20.0, "0d9f3c5e-8f0a-4f7e-9d43-2f1f7c0a6b07")


def agent(address: str, contract: str, service: str = "library.v1.LibraryService", tool: str = "find_books") -> Agent:
    return Agent("library", "Books", address, (tool,), service=service, contract=contract)


@contextmanager
def reflecting(library_agent: Agent) -> Iterator[grpc.Channel]:
    with Channels() as channels:
        yield channels.to(library_agent)


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    path = tmp_path / "library.binpb"
    path.write_bytes(descriptor_set())
    return path


@pytest.mark.parametrize("reflects", [True, False])
def test_a_service_that_was_never_compiled_here_is_called_by_its_contract(contract: Path, *, reflects: bool) -> None:
    def lent(request: object, caller: object) -> object:
        raise DomainError("BOOK_LENT", "somebody has it")

    with open_library(Library(lending=lent)) as server:  # type: ignore[arg-type]
        known = agent(server.address, REFLECTED if reflects else str(contract))
        with reflecting(known) as channel:
            tools, reasons = (found := contract_of(known, channel)).tools, found.reasons
            assert list(tools) == ["find_books", "lend_book", "shred_book"]
            asked = request_of(tools["find_books"], {"author": "Lispector", "limit": 2})
            answer = json_of(call_tool(channel, tools["find_books"], asked, OPTIONS).message)
            assert isinstance(answer["asked"], dict)
            assert answer["asked"]["author"] == "Lispector"
            loan = {"title": "Água Viva", "until": "2025-07-18", "reader_name": "Ana", "request_id": OPTIONS.trace_id}
            with pytest.raises(DomainError) as refused:
                call_tool(channel, tools["lend_book"], request_of(tools["lend_book"], loan), OPTIONS)
            assert refused.value.reason == "BOOK_LENT"
            assert reasons.of(refused.value) is not None


def test_a_contract_from_a_file_asks_nobody(contract: Path) -> None:
    assert "lend_book" in contract_of(agent("127.0.0.1:9", str(contract))).tools


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read: No such file"),
        (b"\xff\xff", "no descriptor set"),
        (b"", "has no service library.v1.LibraryService"),
        (descriptor_set(without="mesh/v1/options.proto"), "cannot be used"),
        (b"\0" * (LARGEST + 1), "larger than"),
    ],
)
def test_a_descriptor_set_that_cannot_be_used_is_named_with_its_fault(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    path = tmp_path / "x.binpb"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ContractError, match=f"^library: .*{said}"):
        contract_of(agent("127.0.0.1:9", str(path)))


def test_tools_that_the_registry_expects_and_the_contract_lacks_are_named(contract: Path) -> None:
    with pytest.raises(
        ContractError, match=r"expects burn_book; library\.v1\.LibraryService has find_books, lend_book"
    ):
        contract_of(agent("127.0.0.1:9", str(contract), tool="burn_book"))


def test_an_agent_that_reflects_nothing_is_told_apart_from_one_that_is_down() -> None:
    silent = NodePolicies(reflection=False)
    with open_library(policies=silent) as server:
        known = agent(server.address, REFLECTED)
        with reflecting(known) as channel, pytest.raises(ContractError, match="does not offer reflection"):
            contract_of(known, channel)
    with reflecting(known) as channel, pytest.raises(ContractError, match="UNAVAILABLE"):
        contract_of(known, channel)


def test_a_service_that_the_agent_does_not_serve_is_not_called() -> None:
    with open_library() as server:
        known = agent(server.address, REFLECTED, service="library.v2.LibraryService")
        with reflecting(known) as channel, pytest.raises(ContractError, match=r"does not reflect library\.v2"):
            contract_of(known, channel)
