"""JSON arguments into a typed request, strictly; a typed response into JSON, completely.

protobuf's JSON parser is lenient and repeats values in its errors; this one names the field and never its value.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from itertools import islice

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from mesh.catalogue import Argument, Tool, arguments_of
from mesh.errors import Violation
from mesh.policies import invalid_arguments

Scalar = str | bool | int | float

_F = FieldDescriptor
# The largest that each holds, or rounds to it: beyond are infinities, which JSON does not know.
_DECIMALS = {_F.TYPE_DOUBLE: sys.float_info.max, _F.TYPE_FLOAT: float.fromhex("0x1.fffffefffffffp+127")}
_RANGES = {
    **dict.fromkeys((_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32), range(-(2**31), 2**31)),
    **dict.fromkeys((_F.TYPE_UINT32, _F.TYPE_FIXED32), range(2**32)),
    # A JSON number is exact only up to 2^53.
    **dict.fromkeys((_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64), range(-(2**53), 2**53 + 1)),
    **dict.fromkeys((_F.TYPE_UINT64, _F.TYPE_FIXED64), range(2**53 + 1)),
}
_LONG_RANGES = {
    **dict.fromkeys((_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64), range(-(2**63), 2**63)),
    **dict.fromkeys((_F.TYPE_UINT64, _F.TYPE_FIXED64), range(2**64)),
}
LONG_TYPES = frozenset(_LONG_RANGES)
"""The 64-bit types: protobuf's JSON writes them as text; here a number is taken, too, where it is exact."""

_is_whole = re.compile(r"-?[0-9]{1,20}").fullmatch

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_UNKNOWN_NAMED = 8  # unknown arguments that a refusal names: an answer must not outgrow what provoked it
_LONGEST_NAMED = 64  # characters of such a name that a refusal repeats; four times as many are looked at


def request_of(tool: Tool, arguments: Mapping[str, Json]) -> Message:
    """Return the typed request of `arguments`, or raise INVALID_ARGUMENTS, which names every field at fault."""
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
    unknown = (name for name in values if name not in by_name)
    faults.extend(
        Violation(_printable(f"{path}{name}"), f"unknown; the arguments are: {names}")
        for name in islice(unknown, _UNKNOWN_NAMED)
    )
    for name, argument in by_name.items():
        oneof = argument.field.containing_oneof
        if name in values and oneof is not None and (other := message.WhichOneof(oneof.name)):
            faults.append(Violation(f"{path}{name}", f"cannot be given together with {other}"))
        elif name in values:
            _set(message, argument.field, values[name], f"{path}{name}", faults)
        elif argument.required:
            faults.append(Violation(f"{path}{name}", "required"))


def _set(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    if value is None:
        faults.append(Violation(path, "null is not a value; leave the argument out"))
    elif (kind := field.message_type) is not None and kind.GetOptions().map_entry:
        _set_map(message, field, kind, value, path, faults)
    elif kind is not None and kind.file.package == "google.protobuf":
        # The well-known types have a JSON form of their own, which protobuf's parser knows.
        _parse_into(message, field, value, path, faults)
    elif not field.is_repeated:
        _assign(message, field, value, path, faults)
    elif isinstance(value, str) or not isinstance(value, Sequence):
        faults.append(Violation(path, "expected a list"))
    else:
        for index, item in enumerate(value):
            _assign(message, field, item, f"{path}[{index}]", faults)


def _assign(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    if field.message_type is not None:
        if not isinstance(value, Mapping):
            faults.append(Violation(path, "expected an object"))
            return
        held = getattr(message, field.name)
        child = held.add() if field.is_repeated else held
        child.SetInParent()
        _fill(child, arguments_of(field.message_type), value, f"{path}.", faults)
    elif (scalar := _scalar_of(field, value)) is None:
        faults.append(Violation(path, _expected(field)))
    elif field.is_repeated:
        getattr(message, field.name).append(scalar)
    else:
        setattr(message, field.name, scalar)


def _set_map(
    message: Message, field: FieldDescriptor, kind: Descriptor, value: Json, path: str, faults: list[Violation]
) -> None:
    if not isinstance(value, Mapping):
        faults.append(Violation(path, "expected an object"))
        return
    entry = GetMessageClass(kind)
    wrong: list[Violation] = []
    for item in value.values():
        _set(entry(), kind.fields_by_name["value"], item, path, wrong)
    # A key is the caller's own text: the path does not hold it, and entries with the same fault are one.
    faults.extend(dict.fromkeys(wrong))
    if not wrong:
        _parse_into(message, field, value, path, faults)


def _parse_into(message: Message, field: FieldDescriptor, value: Json, path: str, faults: list[Violation]) -> None:
    parsed = type(message)()
    try:
        if _is_json(value):
            message.MergeFrom(ParseDict({field.name: value}, parsed))
            return
    except ParseError:
        pass
    # The parser's own words repeat the value.
    faults.append(Violation(path, f"expected the JSON form of {field.name} as protobuf defines it"))


def _printable(name: str) -> str:
    return "".join(filter(str.isprintable, name[: 4 * _LONGEST_NAMED]))[:_LONGEST_NAMED]


def _scalar_of(field: FieldDescriptor, value: object) -> Scalar | None:
    match value:
        case bool():
            return value if field.type == _F.TYPE_BOOL else None
        case str():
            return _from_text(field, value)
        case int() | float():
            return _from_number(field, value)
        case _:
            return None


def _expected(field: FieldDescriptor) -> str:
    if field.type == _F.TYPE_STRING:
        return "expected a text"
    if field.type == _F.TYPE_BOOL:
        return "expected true or false"
    if field.type in _DECIMALS:
        return "expected a number"
    if field.type in _RANGES:
        allowed = _RANGES[field.type]
        longer = ", or a longer one as text" if field.type in LONG_TYPES else ""
        return f"expected a whole number from {allowed.start} to {allowed.stop - 1}{longer}"
    if field.enum_type is not None:
        return f"expected one of: {', '.join(field.enum_type.values_by_name)}"
    return "bytes cannot be given through this door"


def _is_json(value: object) -> bool:
    match value:
        case str():
            return _is_unicode(value)
        case int() | float():
            return abs(value) <= sys.float_info.max
        case Mapping():
            return all(map(_is_json, value.values()))
        case Sequence():
            return all(map(_is_json, value))
        case _:
            return value is None


def _from_text(field: FieldDescriptor, text: str) -> str | int | None:
    if field.type == _F.TYPE_STRING:
        return text if _is_unicode(text) else None
    if field.enum_type is not None:
        named = field.enum_type.values_by_name.get(text)
        return None if named is None else int(named.number)
    if field.type in LONG_TYPES and _is_whole(text) and int(text) in _LONG_RANGES[field.type]:
        return int(text)
    return None


def _from_number(field: FieldDescriptor, number: float) -> int | float | None:
    # Both comparisons are false for NaN. A Struct knows only doubles: 3.0 is the whole number 3.
    if field.type in _DECIMALS and abs(number) <= _DECIMALS[field.type]:
        return float(number)
    if field.type in _RANGES and number == number // 1 and int(number) in _RANGES[field.type]:
        return int(number)
    return None


def _is_unicode(text: str) -> bool:
    # A lone surrogate is a str in Python and nothing that protobuf could send.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
