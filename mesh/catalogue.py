"""The tools of annotated services, read from their descriptors: unary RPCs that carry `mesh.v1.tool`.

The formats of the texts in their requests: which texts they accept, and their JSON Schema.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from generated.mesh.v1 import options_pb2
from mesh.errors import DomainError, Violation
from mesh.strict_document import is_date
from mesh.text_folding import fold

_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_CPF = r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}"
_PHRASE = r"(?!.*(?<![a-z0-9]{3})\*)[a-z0-9(][a-z0-9 '()|?*.]{2,239}"
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class FieldFormat:
    """A format of a text: whether it accepts one, the error for others, and its JSON Schema keywords."""

    accepts: Callable[[str], object]
    expected: str
    schema: Mapping[str, str]


def _matches(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.ASCII).fullmatch


FORMS: Mapping[int, FieldFormat] = {
    options_pb2.FORMAT_DATE: FieldFormat(is_date, "expected a date that exists, YYYY-MM-DD", {"format": "date"}),
    options_pb2.FORMAT_TIME: FieldFormat(_matches(_TIME), "expected a time of day, HH:MM", {"pattern": f"^{_TIME}$"}),
    options_pb2.FORMAT_CPF: FieldFormat(
        _matches(_CPF), "expected eleven digits, bare or as 000.000.000-00", {"pattern": f"^{_CPF}$"}
    ),
    options_pb2.FORMAT_PHRASE: FieldFormat(
        _matches(_PHRASE),
        "expected words in lower case without accents, such as neurolog*",
        {"pattern": f"^{_PHRASE}$"},
    ),
    options_pb2.FORMAT_UUID: FieldFormat(_matches(_UUID), "expected a UUID of 36 characters", {"format": "uuid"}),
}


def faults_of(arguments: Sequence[Argument], message: Message, path: str = "") -> tuple[Violation, ...]:
    """Return the faults in the fields of a typed message, in the contract's order.

    Required texts and messages must be set; text must be printable, short enough, and have its format. Maps are free.
    """
    faults: list[Violation] = []
    for argument in arguments:
        if argument.field.is_repeated:
            faults += _first_fault(argument, message, path)
        elif not argument.field.has_presence or message.HasField(argument.name):
            faults += _value_faults(argument, path, argument.name, getattr(message, argument.name))
        elif argument.required:
            faults.append(Violation(f"{path}{argument.name}", "required", "REQUIRED"))
    return tuple(faults)


def _first_fault(argument: Argument, message: Message, path: str) -> Sequence[Violation]:
    field = argument.field  # only the first of a list: all of a long one would not fit a status
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return ()
    values, most = getattr(message, field.name), argument.options.max_items
    if most and len(values) > most:
        return (Violation(f"{path}{field.name}", f"expected at most {most} entries", "TOO_MANY_ENTRIES"),)
    faults = (_value_faults(argument, path, f"{field.name}[{n}]", value) for n, value in enumerate(values))
    return next(filter(None, faults), ())[:1]


def _value_faults(argument: Argument, path: str, name: str, value: object) -> Sequence[Violation]:
    if isinstance(value, str):
        fault = _text_fault(argument, value)
        return () if fault is None else (Violation(f"{path}{name}", *fault),)
    return faults_of(arguments_of(value.DESCRIPTOR), value, f"{path}{name}.") if isinstance(value, Message) else ()


def _text_fault(argument: Argument, text: str) -> tuple[str, str] | None:
    longest = argument.options.max_length  # the length comes first: what follows takes time for each letter
    if longest and is_longer(text, longest):
        return f"expected at most {longest} characters", "TOO_LONG"
    form = FORMS.get(argument.options.format)
    if form is not None and form.accepts(text):
        return None
    if (argument.required or form is not None) and not text.strip():
        return "required: the text is empty", "REQUIRED"
    if form is not None:
        return form.expected, "WRONG_FORMAT"
    # Few texts need to be looked at letter by letter: what is printable holds no control character.
    if not text.isprintable() and any(unicodedata.category(character) == "Cc" for character in text):
        return "expected text without control characters", "CONTROL_CHARACTER"
    return None


def is_longer(text: str, longest: int) -> bool:
    """Return whether a text has more characters than are allowed, as it is or in plain letters."""
    # Names are compared in plain letters, of which one character may have eighteen (U+FDFA).
    return len(text) > longest or (not text.isascii() and len(fold(text)) > longest)
