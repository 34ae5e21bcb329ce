"""Strict reading of a JSON file: every fault is named by file and place, and no value is ever repeated.

A few typed getters instead of a schema library, because a clinic must start in a tenth of a second. What a file means
belongs to its reader (`database`, `profile`, `patients`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from typing import NoReturn

import orjson

from clinics.startup import StartupError


@dataclass(frozen=True, slots=True)
class Node:
    """One JSON object of a file, and where it stands.

    Attributes:
        path: The file.
        where: The object's place in it, such as "slots[3]"; empty at the root.
        fields: The object.
        advice: What to do about a fault in this file.
    """

    path: Path
    where: str
    fields: Mapping[str, object]
    advice: str

    def expect(self, *required: str, optional: tuple[str, ...] = ()) -> None:
        """Checks that the object has these fields and no others.

        Args:
            *required: Fields that must be there.
            optional: Fields that may be there.

        Raises:
            StartupError: A field is missing or unknown.
        """
        for name in required:
            if name not in self.fields:
                self.fail(f'the field "{name}" is missing', name)
        if not self.fields.keys() <= {*required, *optional}:
            self.fail(f"there is an unknown field; known are {', '.join((*required, *optional))}")

    def text(self, name: str) -> str:
        """Returns a field that holds text, not blank.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        value = self.fields.get(name)
        if not isinstance(value, str) or not value.strip():
            self.fail("text is expected", name)
        return value

    def optional_text(self, name: str) -> str | None:
        """Returns a field that holds text or null.

        Args:
            name: The field.

        Raises:
            StartupError: It is something else.
        """
        return None if self.fields.get(name) is None else self.text(name)

    def flag(self, name: str) -> bool:
        """Returns a field that holds true or false.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        value = self.fields.get(name)
        if not isinstance(value, bool):
            self.fail("true or false is expected", name)
        return value

    def date(self, name: str) -> str:
        """Returns a field that holds a calendar date, YYYY-MM-DD.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        value = self.text(name)
        if not is_date(value):
            self.fail("a date as YYYY-MM-DD is expected", name)
        return value

    def time(self, name: str) -> str:
        """Returns a field that holds a time of day, HH:MM.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        value = self.text(name)
        if not is_time(value):
            self.fail("a time as HH:MM is expected", name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Returns a field that holds a list of texts, none blank.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        values = self._list(name)
        texts: list[str] = []
        for value in values:
            if not isinstance(value, str) or not value.strip():
                self.fail("a list of texts is expected", name)
            texts.append(value)
        return tuple(texts)

    def child(self, name: str) -> Node:
        """Returns a field that holds an object.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        return self._node(self.fields.get(name), self._place(name))

    def children(self, name: str) -> tuple[Node, ...]:
        """Returns a field that holds a list of objects.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        return tuple(
            self._node(value, f"{self._place(name)}[{position}]") for position, value in enumerate(self._list(name))
        )

    def entries(self, name: str) -> tuple[tuple[str, Node], ...]:
        """Returns a field that holds an object of objects whose names are free, as pairs of name and object.

        A free name is a value: the places below it hold its position instead.

        Args:
            name: The field.

        Raises:
            StartupError: It is missing or something else.
        """
        values = self.child(name).fields
        place = self._place(name)
        return tuple(
            (key, self._node(value, f"{place}[{position}]")) for position, (key, value) in enumerate(values.items())
        )

    def fail(self, fault: str, field: str = "") -> NoReturn:
        """Reports a fault in this object.

        Args:
            fault: What is wrong; never the value.
            field: The field at fault; empty for the object itself.

        Raises:
            StartupError: Always.
        """
        place = (self._place(field) if field else self.where) or "the root"
        raise StartupError(f"{self.path}: {place}: {fault}. {self.advice}")

    def _place(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def _list(self, name: str) -> list[object]:
        value = self.fields.get(name)
        if not isinstance(value, list):
            self.fail("a list is expected", name)
        return value

    def _node(self, value: object, where: str) -> Node:
        if not isinstance(value, dict):
            Node(self.path, where, {}, self.advice).fail("an object is expected")
        return Node(self.path, where, value, self.advice)


def read(path: Path, advice: str) -> Node:
    """Reads a JSON file whose root is an object.

    Args:
        path: The file.
        advice: What to do about a fault in it; ends every message.

    Raises:
        StartupError: The file cannot be read, or is not such a file.
    """
    try:
        content = path.read_bytes()
        value: object = orjson.loads(content)
    except OSError as error:
        raise StartupError(f"{path}: cannot be read ({error.strerror}). {advice}") from error
    except orjson.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise StartupError(f"{path}: {place}: this is not JSON ({error.msg}). {advice}") from None
    root = Node(path, "", value if isinstance(value, dict) else {}, advice)
    if not isinstance(value, dict):
        root.fail("an object is expected")
    try:
        is_ambiguous = _names_one_thing_twice(content)
    except RecursionError:
        root.fail("it is nested too deeply")
    if is_ambiguous:
        root.fail("a name stands twice in one object, and which of the two is meant is not known")
    return root


def _names_one_thing_twice(content: bytes) -> bool:
    """Tells whether an object of a JSON text has two fields of one name, of which orjson keeps the last in silence."""
    repeated = False

    def note(pairs: Sequence[tuple[str, object]]) -> None:
        nonlocal repeated
        repeated = repeated or len({name for name, _ in pairs}) < len(pairs)

    json.loads(content, object_pairs_hook=note)
    return repeated


def is_date(text: str) -> bool:
    """Tells whether text is a calendar date as YYYY-MM-DD.

    Args:
        text: Any text.
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_time(text: str) -> bool:
    """Tells whether text is a time of day as HH:MM.

    Args:
        text: Any text.
    """
    try:
        return time.fromisoformat(text).isoformat("minutes") == text
    except ValueError:
        return False
