"""JSON scalars as values of typed fields: what each type takes, and the error for anything else."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence

from google.protobuf.descriptor import FieldDescriptor

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


def scalar_of(field: FieldDescriptor, value: object) -> Scalar | None:
    """Return a JSON value as the field's type, or None where the field does not take it."""
    match value:
        case bool():
            return value if field.type == _F.TYPE_BOOL else None
        case str():
            return _from_text(field, value)
        case int() | float():
            return _from_number(field, value)
        case _:
            return None


def expected(field: FieldDescriptor) -> str:
    """Return the error for a value that a field does not take."""
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


def is_json(value: object) -> bool:
    """Return whether a value could have come from JSON text; Python's numbers and texts go further, names aside."""
    match value:
        case str():
            return _is_unicode(value)
        case int() | float():
            return abs(value) <= sys.float_info.max
        case Mapping():
            return all(map(is_json, value.values()))
        case Sequence():
            return all(map(is_json, value))
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
    return not any("\ud800" <= character <= "\udfff" for character in text)
