"""The textual forms of the contract: what they accept, and how JSON Schema says so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from google.protobuf.message import Message

from generated.mesh.v1 import options_pb2
from mesh.catalogue import Argument, arguments_of
from mesh.errors import Violation


@dataclass(frozen=True, slots=True)
class Form:
    """A form that a string can be held to.

    Attributes:
        accepts: Whether a text has the form.
        expected: What is said to somebody who missed it.
        schema: The JSON Schema keywords for it.
    """

    accepts: Callable[[str], bool]
    expected: str
    schema: Mapping[str, str]


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.ASCII)
    return lambda text: compiled.fullmatch(text) is not None


_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_CPF = r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}"
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_is_date_shaped = _matches(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _is_date(text: str) -> bool:
    if not _is_date_shaped(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


FORMS: Mapping[int, Form] = {
    options_pb2.FORMAT_DATE: Form(_is_date, "expected a date that exists, YYYY-MM-DD", {"format": "date"}),
    options_pb2.FORMAT_TIME: Form(_matches(_TIME), "expected a time of day, HH:MM", {"pattern": f"^{_TIME}$"}),
    options_pb2.FORMAT_CPF: Form(
        _matches(_CPF), "expected eleven digits, bare or as 000.000.000-00", {"pattern": f"^{_CPF}$"}
    ),
    options_pb2.FORMAT_UUID: Form(_matches(_UUID), "expected a UUID of 36 characters", {"format": "uuid"}),
}


def faults_of(arguments: Sequence[Argument], message: Message, path: str = "") -> tuple[Violation, ...]:
    """Return what is wrong with the fields of a typed message, in the contract's order.

    A required text must not be empty and a required message must be set; text must be free of control characters and
    have its form, items of lists too. A number or a flag cannot be missing: its default is a value. Maps are free.
    """
    return tuple(fault for argument in arguments for fault in _faults(argument, message, path))


def _faults(argument: Argument, message: Message, path: str) -> Iterator[Violation]:
    field = argument.field
    name = f"{path}{argument.name}"
    if field.is_repeated:
        if field.message_type is None or not field.message_type.GetOptions().map_entry:
            items = enumerate(getattr(message, field.name))
            faults = (fault for index, item in items for fault in _value_faults(argument, f"{name}[{index}]", item))
            # The first one of a list: the faults of a long list would not fit a status.
            yield from islice(faults, 1)
    elif not field.has_presence or message.HasField(field.name):
        yield from _value_faults(argument, name, getattr(message, field.name))
    elif argument.required:
        yield Violation(name, "required")


def _value_faults(argument: Argument, name: str, value: object) -> Iterator[Violation]:
    if isinstance(value, Message):
        yield from faults_of(arguments_of(value.DESCRIPTOR), value, f"{name}.")
    elif isinstance(value, str):
        yield from _text_faults(argument, name, value)


def _text_faults(argument: Argument, name: str, text: str) -> Iterator[Violation]:
    form = FORMS.get(argument.options.format)
    if not text.strip() and (argument.required or form is not None):
        yield Violation(name, "required: the text is empty")
    elif any(unicodedata.category(character) == "Cc" for character in text):
        yield Violation(name, "expected text without control characters")
    elif form is not None and not form.accepts(text):
        yield Violation(name, form.expected)
