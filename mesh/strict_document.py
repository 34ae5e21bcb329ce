"""Strict reading of a document: every fault is named by its place, and no value is ever repeated."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from enum import StrEnum
from pathlib import Path
from typing import NoReturn, TypeVar

import orjson

_Choice = TypeVar("_Choice", bound=StrEnum)
_Made = TypeVar("_Made")

NOT_BLANK = re.compile(r"\s*\S.*", re.DOTALL)
ANY_TEXT = re.compile(r".*", re.DOTALL)

Reader = Callable[["Item"], object]  # read a value of a document; raise `DocumentError` for another kind
NOTHING_OPTIONAL: Mapping[str, Reader] = {}


class DocumentError(ValueError):
    """A document is not as it must be; the message names the place."""


class Item:
    """A value in a document at a place like "slots[3].date"; each getter raises `DocumentError` for another kind.

    Faults name the line, too, where the `lines` of places are known: in a file that a person writes.
    """

    __slots__ = ("_lines", "_node", "_place")

    def __init__(self, node: object, place: str = "", lines: Mapping[str, int] | None = None) -> None:
        self._node = node
        self._place = place
        self._lines = lines

    def fail(self, fault: str) -> NoReturn:
        """Raise `DocumentError` with what is wrong with this value, without the value."""
        line = ""
        if self._lines is not None:
            # What is missing has no line: its object has.
            place = self._place if self._place in self._lines else self._place.rpartition(".")[0]
            line = f"line {self._lines[place]}: "
        raise DocumentError(f"{line}{self._place or 'the root'}: {fault}")

    def fields(self, *required: str, optional: Sequence[str] = ()) -> "Mapping[str, Item]":
        """Return the fields of an object, which has those required, and no others than these and the optional ones."""
        if not isinstance(self._node, dict):
            self.fail("an object is expected")
        for name in required:
            if name not in self._node:
                self._below(name, None).fail(f'the field "{name}" is missing')
        known = (*required, *optional)
        for name in self._node:
            if name not in known:
                # A name may be anybody's data, but for one in a file that a person writes.
                where = self if self._lines is None else self._below(name, None)
                where.fail(f"there is an unknown field; known are {', '.join(known)}")
        return {name: self._below(name, node) for name, node in self._node.items()}

    def entries(self) -> "Sequence[tuple[str, Item]]":
        """Return the names and values of an object whose names are free: a place holds their position instead."""
        if not isinstance(self._node, dict):
            self.fail("an object is expected")
        return [(name, self._at(number, node)) for number, (name, node) in enumerate(self._node.items())]

    def items(self) -> "Sequence[Item]":
        """Return the values of a list."""
        if not isinstance(self._node, list):
            self.fail("a list is expected")
        return [self._at(number, node) for number, node in enumerate(self._node)]

    def read(
        self, make: Callable[..., _Made], optional: Mapping[str, Reader] = NOTHING_OPTIONAL, /, **required: Reader
    ) -> _Made:
        """Return what `make` makes of the fields of an object, each read by its own function."""
        fields = self.fields(*required, optional=tuple(optional))
        readers = {**required, **{name: read for name, read in optional.items() if name in fields}}
        return make(**{name: read(fields[name]) for name, read in readers.items()})

    def each(self, read: "Callable[[Item], _Made]") -> tuple[_Made, ...]:
        """Return the values of a list, each read by a function."""
        return tuple(map(read, self.items()))

    def text(self, form: re.Pattern[str] = NOT_BLANK, expected: str = "text is expected") -> str:
        """Return a text that matches `form` as a whole; `expected` is the error of anything else."""
        value = self._node
        if not isinstance(value, str) or not form.fullmatch(value):
            self.fail(expected)
        return value

    def accepted(self, accepts: Callable[[str], object], expected: str, form: re.Pattern[str] = NOT_BLANK) -> str:
        """Return a text that a function accepts; `expected` is the error of another text."""
        value = self.text(form)
        return value if accepts(value) else self.fail(expected)

    def optional(self, read: "Callable[[Item], _Made]") -> _Made | None:
        """Return the value, read by a function, or None for null."""
        return None if self._node is None else read(self)

    def flag(self) -> bool:
        """Return true or false."""
        value = self._node
        if not isinstance(value, bool):
            self.fail("true or false is expected")
        return value

    def date(self) -> str:
        """Return a calendar date, YYYY-MM-DD."""
        return self.accepted(is_date, "a date as YYYY-MM-DD is expected")

    def time(self) -> str:
        """Return a time of day, HH:MM."""
        return self.accepted(is_time, "a time as HH:MM is expected")

    def whole(self, least: int, most: int | None = None) -> int:
        """Return a whole number between two bounds, both included."""
        value = self._node
        if type(value) is not int or value < least or (most is not None and value > most):
            self.fail(f"a whole number from {least} {'on' if most is None else f'to {most}'} is expected")
        return value

    def share(self) -> float:
        """Return a number from 0 to 1."""
        value = self._node
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self.fail("a number from 0 to 1 is expected")
        return float(value)

    def choice(self, kind: type[_Choice]) -> _Choice:
        """Return a member of an enum by its value."""
        value = self.text(ANY_TEXT)
        if value not in list(kind):
            self.fail(f"one of these is expected: {', '.join(kind)}")
        return kind(value)

    def _below(self, name: str, node: object) -> "Item":
        return Item(node, f"{self._place}.{name}" if self._place else name, self._lines)

    def _at(self, number: int, node: object) -> "Item":
        return Item(node, f"{self._place}[{number}]", self._lines)


def read_json(path: Path) -> Item:
    """Return the root of a JSON file, which is an object, or raise DocumentError."""
    try:
        content = path.read_bytes()
        value: object = orjson.loads(content)
    except OSError as error:
        raise DocumentError(f"cannot be read ({error.strerror})") from error
    except orjson.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})") from None
    root = Item(value)
    if not isinstance(value, dict):
        root.fail("an object is expected")
    try:
        json.loads(content, object_pairs_hook=members_once)  # orjson keeps the last of two members
    except RecursionError:
        root.fail("it is nested too deeply")
    except ValueError:
        root.fail("a name stands twice in one object, and which of the two is meant is not known")
    return root


def members_once(pairs: list[tuple[str, _Made]]) -> dict[str, _Made]:
    """Return the members of an object as `json.loads` gives them; raise ValueError where a name stands twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name twice in an object")
    return members


def is_date(text: str) -> bool:
    """Return whether a text is a calendar date as YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_time(text: str) -> bool:
    """Return whether a text is a time of day as HH:MM."""
    try:
        return time.fromisoformat(text).isoformat("minutes") == text
    except ValueError:
        return False
