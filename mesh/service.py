"""An annotated service with its implementation: the typed door, and the handlers behind the envelope door."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor

from mesh.catalogue import Catalogue
from mesh.policies import Admission, Handler, Policy, guard
from mesh.reasons import Reasons
from mesh.transport import serve_rpc


class Service:
    """A service ready to be served.

    The implementation has a method for each RPC, in snake_case, from the typed request and the `Caller` to the typed
    response or DomainError; it changes no response that it returned. TypeError if it lacks one.
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
        guarded = {tool.method.name: self.handlers[tool.name] for tool in self.catalogue.values()}
        self._by_rpc = {rpc: guarded.get(rpc.name) or _method(implementation, rpc) for rpc in descriptor.methods}

    def rpc_handlers(self, reasons: Reasons) -> grpc.GenericRpcHandler:
        """Return the typed door, for a gRPC server."""
        methods = {rpc.name: serve_rpc(rpc, handler, reasons) for rpc, handler in self._by_rpc.items()}
        return grpc.method_handlers_generic_handler(self.descriptor.full_name, methods)


def _method(implementation: object, rpc: MethodDescriptor) -> Handler:
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower()
    method = getattr(implementation, name, None)
    if not callable(method):
        raise TypeError(f"{type(implementation).__name__} has no method {name}, which {rpc.full_name} needs")
    handler: Handler = method
    return handler
