"""JSON Schema (draft 2020-12) of a tool's request and response, inlined, from the descriptors."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from mesh.arguments import LONG_TYPES
from mesh.catalogue import Argument, arguments_of
from mesh.formats import FORMS

Schema = dict[str, Any]  # a JSON Schema; its values are whatever a keyword takes
_F = FieldDescriptor
_TYPES: dict[int, str | list[str]] = {
    _F.TYPE_STRING: "string",
    _F.TYPE_BYTES: "string",
    _F.TYPE_BOOL: "boolean",
    _F.TYPE_DOUBLE: "number",
    _F.TYPE_FLOAT: "number",
    **{kind: ["integer", "string"] for kind in LONG_TYPES},
}
_WELL_KNOWN = tomllib.loads(Path(__file__).with_name("well_known_types.toml").read_text("utf-8"))


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
