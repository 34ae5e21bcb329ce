"""JSON arguments into a typed request, strictly; a typed response into JSON, completely; and the JSON Schema of both.

protobuf's JSON parser is lenient and repeats values in its errors; this one names the field and never its value.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from mesh.catalogue import FORMS, Argument, Tool, arguments_of
from mesh.errors import Violation
from mesh.policies import invalid_arguments

_F = FieldDescriptor
# The largest that each holds: beyond are infinities, which JSON does not know, and what protobuf's parser refuses.
_DECIMALS = {_F.TYPE_DOUBLE: sys.float_info.max, _F.TYPE_FLOAT: float.fromhex("0x1.fffffep+127")}
_LONG_RANGES = {
    **dict.fromkeys((_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64), range(-(2**63), 2**63)),
    **dict.fromkeys((_F.TYPE_UINT64, _F.TYPE_FIXED64), range(2**64)),
}
_LONG_TYPES = frozenset(_LONG_RANGES)  # protobuf's JSON writes them as text; here an exact number is taken, too
_RANGES = {
    **dict.fromkeys((_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32), range(-(2**31), 2**31)),
    **dict.fromkeys((_F.TYPE_UINT32, _F.TYPE_FIXED32), range(2**32)),
    # A JSON number is exact only up to 2^53.
    **{kind: range(max(longer.start, -(2**53)), 2**53 + 1) for kind, longer in _LONG_RANGES.items()},
}

_is_whole = re.compile(r"-?[0-9]{1,20}").fullmatch

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Schema = dict[str, Any]  # a JSON Schema; its values are whatever a keyword takes
_TYPES: dict[int, str | list[str]] = {
    _F.TYPE_STRING: "string",
    _F.TYPE_BYTES: "string",
    _F.TYPE_BOOL: "boolean",
    _F.TYPE_DOUBLE: "number",
    _F.TYPE_FLOAT: "number",
    **{kind: ["integer", "string"] for kind in _LONG_TYPES},
}
_WELL_KNOWN = tomllib.loads(Path(__file__).with_name("well_known_types.toml").read_text("utf-8"))

_UNKNOWN_NAMED = 8  # unknown arguments that a refusal names: an answer must not outgrow what provoked it
_LONGEST_NAMED = 64  # characters of such a name that a refusal repeats; four times as many are looked at


def request_of(tool: Tool, arguments: Mapping[str, Json]) -> Message:
    """Return the typed request of `arguments`, or raise INVALID_ARGUMENTS, which names every field at fault."""
    faults = [*_object_faults(tool.arguments, arguments, "")]
    if faults:
        raise invalid_arguments(tool, faults)
    return ParseDict(dict(arguments), tool.request_class())


def json_of(message: Message) -> dict[str, Json]:
    """Return a message as JSON with the contract's names; fields at their default are included."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def _object_faults(known: Sequence[Argument], values: Mapping[str, Json], path: str) -> Iterator[Violation]:
    by_name = {argument.name: argument for argument in known}
    names = ", ".join(by_name) or "none"
    unknown = (name for name in values if name not in by_name)
    for name in islice(unknown, _UNKNOWN_NAMED):
        printable = "".join(filter(str.isprintable, f"{path}{name}"[: 4 * _LONGEST_NAMED]))[:_LONGEST_NAMED]
        yield Violation(printable, f"unknown; the arguments are: {names}", "UNKNOWN_FIELD")
    given_of: dict[str, str] = {}  # the member that was given of each oneof
    for name, argument in by_name.items():
        oneof = argument.field.containing_oneof
        if name not in values:
            if argument.required:
                yield Violation(f"{path}{name}", "required", "REQUIRED")
        elif oneof is not None and given_of.setdefault(oneof.name, name) != name:
            yield Violation(f"{path}{name}", f"cannot be given together with {given_of[oneof.name]}", "CONFLICT")
        else:
            yield from _field_faults(argument.field, values[name], f"{path}{name}")


def _field_faults(field: FieldDescriptor, value: Json, path: str) -> Iterator[Violation]:
    if value is None:
        yield Violation(path, "null is not a value; leave the argument out", "NULL")
    elif (kind := field.message_type) is not None and kind.GetOptions().map_entry:
        yield from _map_faults(field, kind, value, path)
    elif kind is not None and kind.file.package == "google.protobuf":
        # The well-known types have a JSON form of their own, which protobuf's parser knows.
        yield from _form_faults(field, value, path)
    elif not field.is_repeated:
        yield from _item_faults(field, value, path)
    elif isinstance(value, str) or not isinstance(value, Sequence):
        yield Violation(path, "expected a list", "WRONG_TYPE")
    else:
        for index, item in enumerate(value):
            yield from _item_faults(field, item, f"{path}[{index}]")


def _item_faults(field: FieldDescriptor, value: Json, path: str) -> Iterator[Violation]:
    if field.message_type is None:
        if not _is_scalar(field, value):
            yield Violation(path, _expected(field), "WRONG_TYPE")
    elif isinstance(value, Mapping):
        yield from _object_faults(arguments_of(field.message_type), value, f"{path}.")
    else:
        yield Violation(path, "expected an object", "WRONG_TYPE")


def _map_faults(field: FieldDescriptor, kind: Descriptor, value: Json, path: str) -> Iterator[Violation]:
    if not isinstance(value, Mapping):
        yield Violation(path, "expected an object", "WRONG_TYPE")
        return
    items = (_field_faults(kind.fields_by_name["value"], item, path) for item in value.values())
    # A key is the caller's own text: the path does not hold it, and entries with the same fault are one.
    wrong = dict.fromkeys(chain.from_iterable(items))
    yield from wrong or _form_faults(field, value, path)


def _form_faults(field: FieldDescriptor, value: Json, path: str) -> Iterator[Violation]:
    message = GetMessageClass(cast("Descriptor", field.containing_type))()
    try:
        if _is_json(value):
            ParseDict({field.name: value}, message)
            return
    except ParseError:
        pass
    # The parser's own words repeat the value.
    yield Violation(path, f"expected the JSON form of {field.name} as protobuf defines it", "WRONG_TYPE")


def _is_scalar(field: FieldDescriptor, value: Json) -> bool:
    match value:
        case bool():
            return field.type == _F.TYPE_BOOL
        case str() if field.type == _F.TYPE_STRING:
            return _is_unicode(value)
        case str() if field.enum_type is not None:
            return value in field.enum_type.values_by_name
        case str():
            return field.type in _LONG_TYPES and bool(_is_whole(value)) and int(value) in _LONG_RANGES[field.type]
        case int() | float():
            return _is_number(field, value)
        case _:
            return False


def _is_number(field: FieldDescriptor, number: float) -> bool:
    # Both comparisons are false for NaN. A Struct knows only doubles: 3.0 is the whole number 3.
    if field.type in _DECIMALS:
        return abs(number) <= _DECIMALS[field.type]
    return field.type in _RANGES and number == number // 1 and int(number) in _RANGES[field.type]


def _expected(field: FieldDescriptor) -> str:
    if field.type == _F.TYPE_STRING:
        return "expected a text"
    if field.type == _F.TYPE_BOOL:
        return "expected true or false"
    if field.type in _DECIMALS:
        return "expected a number"
    if field.type in _RANGES:
        allowed = _RANGES[field.type]
        longer = ", or a longer one as text" if field.type in _LONG_TYPES else ""
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


def _is_unicode(text: str) -> bool:
    # A lone surrogate is a str in Python and nothing that protobuf could send.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def object_schema(arguments: Sequence[Argument], shows: Callable[[Argument], bool] = lambda _: True) -> Schema:
    """Return the schema of an object with those of these fields, and of the fields within, that `shows` admits."""
    shown = [argument for argument in arguments if shows(argument)]
    schema: Schema = {
        "type": "object",
        "properties": {argument.name: _property(argument, shows) for argument in shown},
        "additionalProperties": False,
    }
    required = [argument.name for argument in shown if argument.required]
    if required:
        schema["required"] = required
    return schema


def _property(argument: Argument, shows: Callable[[Argument], bool]) -> Schema:
    field = argument.field
    schema: Schema = {}
    if argument.options.description:
        schema["description"] = argument.options.description
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        value = Argument(kind.fields_by_name["value"], required=True, options=argument.options)
        return schema | {"type": "object", "additionalProperties": _item(value, shows)}
    if field.is_repeated:
        schema |= {"type": "array", "items": _item(argument, shows)}
        return schema | {"maxItems": argument.options.max_items} if argument.options.max_items else schema
    return schema | _item(argument, shows)


def _item(argument: Argument, shows: Callable[[Argument], bool]) -> Schema:
    field = argument.field
    if field.message_type is not None:
        known = _WELL_KNOWN.get(field.message_type.full_name)
        return dict(known) if known is not None else object_schema(arguments_of(field.message_type), shows)
    if field.enum_type is not None:
        return {"type": "string", "enum": list(field.enum_type.values_by_name)}
    schema: Schema = {"type": _TYPES.get(field.type, "integer")}
    if argument.options.max_length:
        schema["maxLength"] = argument.options.max_length
    form = FORMS.get(argument.options.format)
    return schema | dict(form.schema) if form else schema
