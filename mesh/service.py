"""An annotated service with its implementation: the typed door, and the handlers behind the envelope door."""

import inspect
from collections.abc import Iterator, Mapping, Sequence

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from mesh.caller import Caller
from mesh.catalogue import Catalogue
from mesh.errors import ContractBreachError
from mesh.policies import GuardedTool, Handler, Policy
from mesh.text_folding import snake_case
from mesh.tokens import TokenCheck


class Service:
    """A service ready to be served.

    The implementation has a method for each RPC, in snake_case, from the typed request and the `Caller` to the typed
    response or DomainError; it changes no response that it returned. The generated Protocol of the service says so to
    a type checker. Raise ValueError naming all methods that are missing, and each `access` where tokens are asked for.
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
        faults = [fault for rpc in descriptor.methods for fault in _faults(implementation, rpc)]
        if tokens is not None:
            faults += [
                f"{tool.method.full_name}: mesh.v1.tool needs access, which says whom the tool is for"
                for tool in self.catalogue.values()
                if not tool.options.access
            ]
        if faults:
            raise ValueError("; ".join(faults))
        self.by_rpc: dict[MethodDescriptor, Handler] = {
            rpc: _checked(getattr(implementation, snake_case(rpc.name)), rpc) for rpc in descriptor.methods
        }
        self.handlers: Mapping[str, GuardedTool] = {
            tool.name: GuardedTool(tool, self.by_rpc[tool.method], tuple(policies), tokens)
            for tool in self.catalogue.values()
        }
        self.by_rpc |= {guarded.tool.method: guarded for guarded in self.handlers.values()}


def _faults(implementation: object, rpc: MethodDescriptor) -> Iterator[str]:
    name = f"{type(implementation).__name__}.{snake_case(rpc.name)}"
    method = getattr(implementation, snake_case(rpc.name), None)
    if not callable(method):
        yield f"there is no method {name}, which {rpc.full_name} needs"
        return
    try:
        inspect.signature(method).bind(None, None)
    except TypeError:
        yield f"{name} must take the request and the caller"


def _checked(method: Handler, rpc: MethodDescriptor) -> Handler:
    answer_class = GetMessageClass(rpc.output_type)

    def handler(request: Message, caller: Caller) -> Message:
        answer = method(request, caller)
        # Any message can be serialized, and the caller would read another one.
        if not isinstance(answer, answer_class):
            raise ContractBreachError(f"it answered with {type(answer).__name__} instead of {answer_class.__name__}")
        return answer

    return handler
