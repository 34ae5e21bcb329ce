"""JSON arguments into a typed request, strictly; a typed response into JSON, completely.

protobuf's own JSON parser is lenient where agents go wrong (it takes "7" for an integer and null for a string) and
repeats values in its errors, so this module checks against the descriptor itself and says which field is at fault,
never what was in it. It does not check forms: policies do, for both doors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from mesh.catalogue import Argument, Tool, arguments_of
from mesh.errors import Violation
from mesh.policies import invalid_arguments

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_F = FieldDescriptor
_TEXT = frozenset({_F.TYPE_STRING})
_FLAGS = frozenset({_F.TYPE_BOOL})
_DECIMALS = frozenset({_F.TYPE_DOUBLE, _F.TYPE_FLOAT})
_RANGES = {
    **dict.fromkeys((_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32), range(-(2**31), 2**31)),
    **dict.fromkeys((_F.TYPE_UINT32, _F.TYPE_FIXED32), range(2**32)),
    # A JSON number is exact only up to 2^53.
    **dict.fromkeys((_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64), range(-(2**53), 2**53 + 1)),
    **dict.fromkeys((_F.TYPE_UINT64, _F.TYPE_FIXED64), range(2**53 + 1)),
}


def request_of(tool: Tool, arguments: Mapping[str, Json]) -> Message:
    """Return the typed request that `arguments` make.

    Raises:
        DomainError: INVALID_ARGUMENTS, naming every argument that is unknown, missing, null or mistyped.
    """
    faults: list[Violation] = []
    request = tool.request_class()
    _fill(request, tool.arguments, arguments, "", faults)
    if faults:
        raise invalid_arguments(tool, faults)
    return request


def json_of(message: Message) -> dict[str, Json]:
    """Return a message as JSON with the contract's names; fields at their default are included."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def _fill(
    message: Message, known: Sequence[Argument], values: Mapping[str, Json], path: str, faults: list[Violation]
) -> None:
    by_name = {argument.name: argument for argument in known}
    names = ", ".join(by_name) or "none"
    faults.extend(
        Violation(_printable(f"{path}{name}"), f"unknown; the arguments are: {names}")
        for name in values
        if name not in by_name
    )
    for name, argument in by_name.items():
        if name in values:
            _set(message, argument.field, values[name], f"{path}{name}", faults)
        elif argument.required:
            faults.append(Violation(f"{path}{name}", "required"))


def _set(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    if value is None:
        faults.append(Violation(path, "null is not a value; leave the argument out"))
    elif field.message_type is not None and _is_own_json(field):
        # Maps and the well-known types have a JSON form of their own, which protobuf's parser knows.
        _parse_into(message, field, value, path, faults)
    elif not field.is_repeated:
        _assign(message, field, value, path, faults)
    elif isinstance(value, str) or not isinstance(value, Sequence):
        faults.append(Violation(path, "expected a list"))
    else:
        for index, item in enumerate(value):
            _append(message, field, item, f"{path}[{index}]", faults)


def _assign(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    if field.message_type is None:
        scalar = _scalar(field, value, path, faults)
        if scalar is not None:
            setattr(message, field.name, scalar)
    elif isinstance(value, Mapping):
        child = getattr(message, field.name)
        child.SetInParent()
        _fill(child, arguments_of(field.message_type), value, f"{path}.", faults)
    else:
        faults.append(Violation(path, "expected an object"))


def _append(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    if field.message_type is None:
        scalar = _scalar(field, value, path, faults)
        if scalar is not None:
            getattr(message, field.name).append(scalar)
    elif isinstance(value, Mapping):
        _fill(getattr(message, field.name).add(), arguments_of(field.message_type), value, f"{path}.", faults)
    else:
        faults.append(Violation(path, "expected an object"))


def _scalar(
    field: FieldDescriptor, value: Json, path: str, faults: list[Violation]
) -> str | bool | int | float | bytes | None:
    """Return `value` as the field's type, or None after noting what was expected."""
    match value:
        case str() if field.type in _TEXT and _is_unicode(value):
            return value
        case str() if field.enum_type is not None and value in field.enum_type.values_by_name:
            return int(field.enum_type.values_by_name[value].number)
        case bool():
            if field.type in _FLAGS:
                return value
        case int() | float() if field.type in _DECIMALS:
            return float(value)
        # A Struct knows only doubles: 3.0 is the whole number 3.
        case int() | float() if field.type in _RANGES and value == value // 1 and int(value) in _RANGES[field.type]:
            return int(value)
        case _:
            pass
    faults.append(Violation(path, _expected(field)))
    return None


def _is_unicode(text: str) -> bool:
    # A lone surrogate is a str in Python and nothing that protobuf could send.
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _expected(field: FieldDescriptor) -> str:
    if field.type in _TEXT:
        return "expected a text"
    if field.type in _FLAGS:
        return "expected true or false"
    if field.type in _DECIMALS:
        return "expected a number"
    if field.type in _RANGES:
        allowed = _RANGES[field.type]
        return f"expected a whole number from {allowed.start} to {allowed.stop - 1}"
    if field.enum_type is not None:
        return f"expected one of: {', '.join(field.enum_type.values_by_name)}"
    return "bytes cannot be given through this door"


def _is_own_json(field: FieldDescriptor) -> bool:
    kind = field.message_type
    return kind is not None and (kind.GetOptions().map_entry or kind.file.package == "google.protobuf")


def _parse_into(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    parsed = type(message)()
    try:
        ParseDict({field.name: value}, parsed)
    except ParseError:
        # The parser's own words repeat the value.
        faults.append(Violation(path, f"expected the JSON form of {field.name} as protobuf defines it"))
    else:
        message.MergeFrom(parsed)


def _printable(name: str) -> str:
    """An unknown argument's name is the caller's text: keep what can be shown on a line."""
    return "".join(character for character in name if character.isprintable())[:64]
