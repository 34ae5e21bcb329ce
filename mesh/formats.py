"""The formats of texts in the contract: which texts they accept, and their JSON Schema."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.message import Message

from generated.mesh.v1 import options_pb2
from mesh.catalogue import Argument, arguments_of
from mesh.errors import Violation
from mesh.strict_document import is_date
from mesh.text_folding import fold

_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_CPF = r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}"
_PHRASE = r"(?!.*(?<![a-z0-9]{3})\*)[a-z0-9(][a-z0-9 '()|?*.]{2,239}"
_UUID = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


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
