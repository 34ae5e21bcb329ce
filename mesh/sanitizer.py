"""Clean and bound a message from another node: its texts, its lists and its forms, as the contract's options say.

A text becomes one printable line. An entry of a list and an optional field that break the contract are left out; a
message whose other fields break it cannot be read at all. Maps are not looked at.
"""

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message

from mesh.catalogue import FORMS, Argument, arguments_of, is_longer

_Rule = tuple[Argument, Callable[[Any], object]]  # a field to look at, and what accepts its texts, or its numbers


@dataclass(frozen=True, slots=True)
class Sanitized:
    """A message as the contract describes it."""

    message: Message
    dropped: int = 0  # entries of lists and optional fields that were left out


def clean_text(text: str) -> str:
    """Return text on one line, without control and format characters; runs of spaces become one."""
    if _is_clean(text):
        return text
    kept = (char if char.isprintable() else " " if char.isspace() else "" for char in text)
    return " ".join("".join(kept).split())


def sanitized(message: Message) -> Sanitized | None:
    """Return a message that was just read, changed in place where it breaks the contract; None if it is unusable."""
    if _is_sound((message,), cast("Descriptor", message.DESCRIPTOR)):
        return Sanitized(message)
    dropped = _repair(message)
    return None if dropped is None else Sanitized(message, dropped)


def received(kind: type[Message], content: bytes) -> Sanitized | None:
    """Return a message that came as bytes, sanitized; None if it cannot be read or is unusable."""
    try:
        return sanitized(kind.FromString(content))
    except DecodeError:
        return None


def _is_clean(text: str) -> bool:
    return text.isprintable() and "  " not in text and text == text.strip(" ")


@cache
def _rules(descriptor: Descriptor) -> tuple[_Rule, ...]:
    looked_at = (argument for argument in arguments_of(descriptor) if _is_looked_at(argument.field))
    return tuple((argument, _check_of(argument)) for argument in looked_at)


def _is_looked_at(field: FieldDescriptor) -> bool:
    if field.message_type is not None:
        return not field.message_type.GetOptions().map_entry
    return field.enum_type is not None or field.type == FieldDescriptor.TYPE_STRING


def _check_of(argument: Argument) -> Callable[[Any], object]:
    if argument.field.enum_type is not None:
        return argument.field.enum_type.values_by_number.__contains__
    form, longest = FORMS.get(argument.options.format), argument.options.max_length
    if form is not None:
        return form.accepts  # which accepts printable texts of a bounded length only
    return lambda text: _is_clean(text) and not (longest and is_longer(text, longest))


def _is_sound(messages: Sequence[Message], kind: Descriptor) -> bool:
    for argument, accepts in _rules(kind):
        field, most = argument.field, argument.options.max_items
        there = messages if not field.has_presence else [each for each in messages if each.HasField(field.name)]
        if argument.required and field.has_presence and len(there) < len(messages):
            return False
        values = [getattr(each, field.name) for each in there]
        if field.is_repeated:
            if most and any(len(items) > most for items in values):
                return False
            values = [item for items in values for item in items]
        if field.message_type is not None:
            if values and not _is_sound(values, field.message_type):
                return False
        elif not all(map(accepts, set(values))):
            return False
    return True


def _repair(message: Message) -> int | None:
    dropped = 0
    for argument, accepts in _rules(cast("Descriptor", message.DESCRIPTOR)):
        field = argument.field
        if field.is_repeated:
            dropped += _repair_list(getattr(message, field.name), argument.options.max_items, accepts)
        elif not field.has_presence or message.HasField(field.name):
            value, inside = _repaired(getattr(message, field.name), accepts)
            if inside is None and field.has_presence and not argument.required:
                message.ClearField(field.name)
                inside = 1
            elif not isinstance(value, Message):
                setattr(message, field.name, value)
            if inside is None:
                return None
            dropped += inside
        elif argument.required:
            return None
    return dropped


def _repair_list(entries: MutableSequence[Any], most: int, accepts: Callable[[Any], object]) -> int:
    dropped = len(entries)
    if most:
        del entries[most:]
    for place in reversed(range(len(entries))):
        value, inside = _repaired(entries[place], accepts)
        if inside is None:
            del entries[place]
            continue
        dropped += inside
        if not isinstance(value, Message):
            entries[place] = value
    return dropped - len(entries)


def _repaired(value: object, accepts: Callable[[Any], object]) -> tuple[object, int | None]:
    """Return a value, its text clean, and how much was left out of it; None where it breaks the contract."""
    if isinstance(value, Message):
        return value, _repair(value)
    value = clean_text(value) if isinstance(value, str) else value
    return value, 0 if accepts(value) else None
