"""The two doors of a library that runs in this process, and clients that go through them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import grpc
import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh.caller import TRACE_KEY
from mesh.catalogue import rpc_path
from mesh.channel import CallOptions, call_tool, open_channel
from mesh.envelope import DESCRIPTOR as TOOL_SERVICE
from mesh.errors import DomainError
from mesh.server import OPEN_TO_ALL, NodePolicies, Server, open_node
from tests.support.library import Library, library_reasons, library_service, message, tool

DEADLINE_S = 20.0
TRACE_ID = "0d9f3c5e-8f0a-4f7e-9d43-2f1f7c0a6b07"


class Client:
    """Calls a library, always with a deadline.

    Args:
        channel: Where the library is.
        threads: Where calls wait.
    """

    def __init__(self, channel: grpc.Channel, threads: Executor) -> None:
        self.channel = channel
        self._threads = threads
        self.envelopes = ToolServiceStub(channel)

    def call(self, name: str, request: Message) -> Future[Message]:
        """Call a tool through the typed door, as every node does, without waiting for the answer."""
        options = CallOptions(DEADLINE_S, TRACE_ID, details=(type(message("OtherCopies")),))
        return self._threads.submit(lambda: call_tool(self.channel, tool(name), request, options).message)

    def refusal(self, name: str, request: Message) -> DomainError:
        """Return what the typed door refuses a request with."""
        with pytest.raises(DomainError) as refused:
            self.call(name, request).result()
        return refused.value

    def rpc(self, name: str) -> grpc.UnaryUnaryMultiCallable[Message, Message]:
        """Return a method of the typed door as any gRPC client has it."""
        method = library_service().methods_by_name[name]
        return self.channel.unary_unary(
            rpc_path(method),
            request_serializer=lambda request: request.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )

    def envelope(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the envelope door's answer to a JSON body."""
        return self.send(ParseDict(dict(body), CallRequest()))

    def send(self, request: CallRequest) -> dict[str, Any]:
        """Return the envelope door's answer as JSON."""
        answer: CallResponse = self.envelopes.Call(request, timeout=DEADLINE_S, metadata=((TRACE_KEY, TRACE_ID),))
        return MessageToDict(answer)

    def call_tool(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the envelope door's answer to a call of a tool."""
        params = {"name": name, "arguments": arguments}
        return self.envelope({"jsonrpc": "2.0", "id": "1", "method": "tools/call", "params": params})


@contextmanager
def open_library(
    implementation: Library | None = None, listen: str = "127.0.0.1:0", policies: NodePolicies = OPEN_TO_ALL
) -> Iterator[Server]:
    """Serve a library."""
    services = {library_service(): implementation or Library()}
    with open_node("library", listen, services, [library_reasons()], policies) as server:
        yield server


@contextmanager
def open_client(address: str) -> Iterator[Client]:
    with open_channel(address, [library_service(), TOOL_SERVICE]) as channel, ThreadPoolExecutor() as threads:
        yield Client(channel, threads)


def raw_call(channel: grpc.Channel, path: str) -> bytes:
    """Call any method with an empty request, as bytes."""
    method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    return method(b"", timeout=DEADLINE_S)


def loan(title: str = "Água Viva", **fields: Any) -> Message:
    """Return a request of LendBook that is in form."""
    return message("LendBookRequest", **{"title": title, "until": "2025-07-18", "reader_name": "Ana Souza", **fields})


def lent(title: str = "Água Viva") -> Message:
    """Return what LendBook answers to that."""
    return message("LendBookResponse", title=title, until="2025-07-18")


def stop(server: Server, drain_s: float = 0.0) -> None:
    """Stop a server whose calls have so many seconds to end."""
    with patch("mesh.server.DRAIN_S", drain_s):
        server.stop()
