"""The tools of annotated services, read from their descriptors: unary RPCs that carry `mesh.v1.tool`."""

import dataclasses
from functools import cache

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from generated.mesh.v1 import options_pb2
from mesh.errors import DomainError


@dataclasses.dataclass(frozen=True, slots=True)
class Argument:
    """A field of a tool's request."""

    field: FieldDescriptor
    required: bool  # neither `optional` nor repeated
    options: options_pb2.ArgumentOptions

    @property
    def name(self) -> str:
        """The name in JSON, which is the name in the contract."""
        return str(self.field.name)


class Tool:
    """A typed RPC that is also an MCP tool. Immutable; ValueError if it lacks a name or a description, or streams."""

    def __init__(self, method: MethodDescriptor) -> None:
        self.method = method
        self.options = method.GetOptions().Extensions[options_pb2.tool]
        if not self.options.name or not self.options.description:
            raise ValueError(f"{method.full_name}: a tool needs a name and a description")
        if method.client_streaming or method.server_streaming:
            raise ValueError(f"{method.full_name}: a tool is a unary RPC")
        self.name = self.options.name  # as MCP calls it
        self.request_class: type[Message] = GetMessageClass(method.input_type)
        self.response_class: type[Message] = GetMessageClass(method.output_type)
        self.arguments = arguments_of(method.input_type)  # in the contract's order
        injected = {argument.name: argument.options.injected for argument in self.arguments}
        self.filled_in = {name: kind for name, kind in injected.items() if kind}  # what the orchestrator fills in
        self.read_only = self.options.read_only  # it changes nothing
        # The argument that makes a write safe to repeat, if the tool has one.
        self.request_id = next(iter(self.injected(options_pb2.INJECTED_REQUEST_ID)), None)
        self.repeatable = self.read_only or self.request_id is not None  # the same call may be sent again unasked

    def injected(self, kind: options_pb2.Injected.ValueType) -> tuple[str, ...]:
        """Return the names of the arguments that the orchestrator fills with `kind`."""
        return tuple(name for name, its in self.filled_in.items() if its == kind)


class Catalogue(dict[str, Tool]):
    """Tools by name, in the contract's order."""

    def __init__(self, *services: ServiceDescriptor) -> None:
        super().__init__()
        for service in services:
            for method in service.methods:
                if method.GetOptions().HasExtension(options_pb2.tool):
                    tool = Tool(method)
                    if tool.name in self:
                        raise ValueError(f"two RPCs are the tool {tool.name}: the name must be unique within an agent")
                    self[tool.name] = tool

    def find(self, name: str) -> Tool:
        """Return the tool called `name`, or raise UNKNOWN_TOOL, which names the tools there are."""
        tool = self.get(name)
        if tool is None:
            names = ", ".join(self)
            raise DomainError("UNKNOWN_TOOL", f"no such tool here; the tools are: {names}", metadata={"tools": names})
        return tool


@cache
def arguments_of(message: Descriptor) -> tuple[Argument, ...]:
    """Return the fields of a message as arguments, in the contract's order."""
    # `optional` makes a one-member oneof that the compiler invents; a member of a written oneof is not required either.
    return tuple(
        Argument(
            field,
            required=not field.is_repeated and field.containing_oneof is None,
            options=field.GetOptions().Extensions[options_pb2.argument],
        )
        for field in message.fields
    )


def rpc_path(method: MethodDescriptor) -> str:
    """Return the HTTP/2 path of an RPC, such as "/clinic.v1.ClinicService/Query"."""
    return f"/{method.containing_service.full_name}/{method.name}"
