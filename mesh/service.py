"""An annotated service with its implementation: the typed door, and the handlers behind the envelope door."""

import re
from collections.abc import Mapping, Sequence

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor

from mesh.catalogue import Catalogue
from mesh.policies import GuardedTool, Handler, Policy
from mesh.tokens import TokenCheck


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
        tokens: TokenCheck | None = None,
    ) -> None:
        self.descriptor = descriptor
        self.catalogue = Catalogue(descriptor)
        self.handlers: Mapping[str, GuardedTool] = {
            tool.name: GuardedTool(tool, _method(implementation, tool.method), tuple(policies), tokens)
            for tool in self.catalogue.values()
        }
        guarded = {tool.method.name: self.handlers[tool.name] for tool in self.catalogue.values()}
        self.by_rpc: Mapping[MethodDescriptor, Handler] = {
            rpc: guarded.get(rpc.name) or _method(implementation, rpc) for rpc in descriptor.methods
        }


def _method(implementation: object, rpc: MethodDescriptor) -> Handler:
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower()
    method = getattr(implementation, name, None)
    if not callable(method):
        raise TypeError(f"{type(implementation).__name__} has no method {name}, which {rpc.full_name} needs")
    handler: Handler = method
    return handler
