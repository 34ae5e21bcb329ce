"""An annotated service with its implementation: the typed door, and what the envelope door calls.

An implementation has one method for each RPC, named in snake_case, taking the typed request and the `Caller`, and
returning the typed response or raising `DomainError`. It never sees the gRPC context. It may return the same response
again and again, which is then serialized once, and changes none that it returned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from mesh.caller import caller_of
from mesh.catalogue import Catalogue
from mesh.policies import Admission, Handler, Policy, guard

LONGEST_CALL_S = 30.0
"""Seconds that a call may take at most, and the deadline of one that brings none."""


class Service:
    """A service ready to be served.

    Args:
        descriptor: What is implemented.
        implementation: An object with a method for each RPC.
        policies: Asked before each tool, after the contract's own form checks and `admission`.
        admission: Who may call which tool; None admits anybody.

    Raises:
        TypeError: The implementation lacks a method.

    Attributes:
        descriptor: The annotated service.
        catalogue: Its tools.
        handlers: The guarded handler of each tool by its MCP name: what both doors call.
    """

    def __init__(
        self,
        descriptor: ServiceDescriptor,
        implementation: object,
        policies: Sequence[Policy] = (),
        admission: Admission | None = None,
    ) -> None:
        self.descriptor = descriptor
        self.catalogue = Catalogue(descriptor)
        self.handlers: Mapping[str, Handler] = {
            tool.name: guard(tool, _method(implementation, tool.method), policies, admission)
            for tool in self.catalogue.values()
        }
        by_rpc = {tool.method.name: self.handlers[tool.name] for tool in self.catalogue.values()}
        # Who is known by a token is not known by a machine.
        with_peer = admission is None
        self._methods = {
            rpc.name: unary(rpc, by_rpc.get(rpc.name) or _method(implementation, rpc), with_peer=with_peer)
            for rpc in descriptor.methods
        }

    @property
    def rpc_handlers(self) -> grpc.GenericRpcHandler:
        """The typed door, for a gRPC server."""
        return grpc.method_handlers_generic_handler(self.descriptor.full_name, self._methods)


def unary(rpc: MethodDescriptor, handler: Handler, *, with_peer: bool) -> grpc.RpcMethodHandler[Message, Message]:
    """Return `handler` as a unary gRPC method; `with_peer` says whether it may ask which machine calls."""

    def behaviour(request: Message, context: grpc.ServicerContext) -> Message:
        return handler(request, caller_of(context, LONGEST_CALL_S, with_peer=with_peer))

    return grpc.unary_unary_rpc_method_handler(
        behaviour,
        request_deserializer=GetMessageClass(rpc.input_type).FromString,
        response_serializer=_Serializer(),
    )


class _Serializer:
    """Serializes a method's responses; the very same object, given again, is not serialized again.

    It keeps the last one, in the memory of the process that made it.
    """

    def __init__(self) -> None:
        self._last: tuple[Message | None, bytes] = (None, b"")

    def __call__(self, response: Message) -> bytes:
        last, text = self._last
        if response is not last:
            text = response.SerializeToString()
            self._last = response, text
        return text


def _method(implementation: object, rpc: MethodDescriptor) -> Handler:
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower()
    method = getattr(implementation, name, None)
    if not callable(method):
        raise TypeError(f"{type(implementation).__name__} has no method {name}, which {rpc.full_name} needs")
    handler: Handler = method
    return handler
