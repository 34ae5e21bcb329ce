"""The tools of annotated services, read from their descriptors: unary RPCs that carry `mesh.v1.tool`."""

import dataclasses
from collections.abc import Mapping
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


@dataclasses.dataclass(frozen=True, slots=True)
class Tool:
    """A typed RPC that is also an MCP tool."""

    name: str  # as MCP calls it
    options: options_pb2.ToolOptions
    method: MethodDescriptor
    request_class: type[Message]
    response_class: type[Message]
    arguments: tuple[Argument, ...]  # in the contract's order
    filled_in: Mapping[int, tuple[str, ...]]  # names that the orchestrator fills in, by kind

    @property
    def read_only(self) -> bool:
        """Whether it changes nothing."""
        return self.options.read_only

    @property
    def repeatable(self) -> bool:
        """Whether the same call may be sent again unasked: it reads, or it carries a request_id."""
        return self.read_only or self.request_id is not None

    @property
    def request_id(self) -> str | None:
        """The argument that makes a write safe to repeat, if the tool has one."""
        return next(iter(self.injected(options_pb2.INJECTED_REQUEST_ID)), None)

    def injected(self, kind: options_pb2.Injected.ValueType) -> tuple[str, ...]:
        """Return the names of the arguments that the orchestrator fills with `kind`."""
        return self.filled_in.get(kind, ())


class Catalogue(dict[str, Tool]):
    """Tools by name, in the contract's order."""

    def __init__(self, *services: ServiceDescriptor) -> None:
        super().__init__()
        for service in services:
            for method in service.methods:
                if method.GetOptions().HasExtension(options_pb2.tool):
                    tool = tool_of(method)
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


def tool_of(method: MethodDescriptor) -> Tool:
    """Return the tool that an annotated RPC is; ValueError if it lacks a name or a description, or streams."""
    options = method.GetOptions().Extensions[options_pb2.tool]
    if not options.name or not options.description:
        raise ValueError(f"{method.full_name}: a tool needs a name and a description")
    if method.client_streaming or method.server_streaming:
        raise ValueError(f"{method.full_name}: a tool is a unary RPC")
    arguments = arguments_of(method.input_type)
    filled_in: dict[int, tuple[str, ...]] = {}
    for argument in arguments:
        kind = argument.options.injected
        if kind:
            filled_in[kind] = (*filled_in.get(kind, ()), argument.name)
    return Tool(
        name=options.name,
        options=options,
        method=method,
        request_class=GetMessageClass(method.input_type),
        response_class=GetMessageClass(method.output_type),
        arguments=arguments,
        filled_in=filled_in,
    )


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
