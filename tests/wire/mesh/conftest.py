"""A library on a free port of this process, and the two doors that lead to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh import envelope
from mesh.channel import ToolCall, open_channel
from mesh.errors import DomainError
from mesh.server import Server, open_server
from mesh.status import from_call
from tests.support.library import GetLibraryRpc, Library, library, library_reasons, library_service, message, tool

DEADLINE_S = 10.0
TRACE_ID = "trace-7"


class Client:
    """Calls a library through either door, always with a deadline."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel

    def tool(self, name: str, request: Message) -> ToolCall:
        """Call a tool through the typed door."""
        details = (type(message("OtherCopies")),)
        return ToolCall(
            self.channel, tool(name), request, timeout_s=DEADLINE_S, trace_id=TRACE_ID, details=details
        )

    def refusal(self, name: str, request: Message) -> DomainError:
        """Return what a tool refuses a request with, through the typed door."""
        with pytest.raises(DomainError) as refused:
            self.tool(name, request).result()
        return refused.value
