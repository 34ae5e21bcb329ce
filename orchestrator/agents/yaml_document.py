"""Strict reading of a YAML file: every mistake is named by line and place, and no value is ever repeated.

A few typed getters and no schema library, because what every start of the program reads must be read at once. What a
file means belongs to its reader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NoReturn, TypeVar

import yaml

_Choice = TypeVar("_Choice", bound=StrEnum)

Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
"""The same loader twice; the one in C takes a tenth of the time, and not every build of the library has it."""


class MistakeError(ValueError):
    """Something in a file is not as it must be; the message names line and place."""


class Item:
    """A value in a file, and where it stands.

    Args:
        loader: Makes values of nodes.
        node: The value's; None for a file that holds none.
        place: Keys and positions from the root, such as "agents.0.id"; empty at the root.
        line: Where it is said to stand, from 1: the line of its key, or its own in a list.
    """

    def __init__(
        self, loader: yaml.CSafeLoader | yaml.SafeLoader, node: yaml.Node | None, place: str = "", line: int = 1
    ) -> None:
        self._loader = loader
        self._node = node
        self._place = place
        self._line = line

    def fail(self, fault: str, below: str = "", line: int | None = None) -> NoReturn:
        """Report a mistake.

        Args:
            fault: What is wrong; never the value.
            below: The key at fault; empty for this value itself.
            line: The key's line; None for this value's.

        Raises:
            MistakeError: Always.
        """
        place = self._below(below) if below else self._place
        raise MistakeError(f"line {line or self._line}: {place or 'the file'}: {fault}")

    def fields(self, *required: str, optional: Sequence[str] = ()) -> Mapping[str, Item]:
        """Return the values of a mapping that has these keys and no others.

        Raises:
            MistakeError: It is no mapping, or a key is missing, unknown or there twice.
        """
        if not isinstance(self._node, yaml.MappingNode):
            self.fail("a mapping is expected")
        found: dict[str, Item] = {}
        for key, value in self._node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self.fail("a key is a single word here", line=line)
            name = key.value
            if name in found:
                # YAML itself would silently take the last.
                self.fail("the key is there twice", name, line)
            if name not in required and name not in optional:
                self.fail(f"there is no such key here; there are {', '.join((*required, *optional))}", name, line)
            found[name] = Item(self._loader, value, self._below(name), line)
        for name in required:
            if name not in found:
                self.fail("the key is missing", name)
        return found

    def items(self) -> Sequence[Item]:
        """Return the values of a list that has at least one.

        Raises:
            MistakeError: It is no list, or empty.
        """
        if not isinstance(self._node, yaml.SequenceNode) or not self._node.value:
            self.fail("a list with at least one item is expected")
        return [
            Item(self._loader, node, self._below(str(position)), node.start_mark.line + 1)
            for position, node in enumerate(self._node.value)
        ]

    def text(self, form: re.Pattern[str] | None = None, expected: str = "text is expected") -> str:
        """Return a text.

        Args:
            form: What it must match as a whole; None for any text.
            expected: What is said of another one.

        Raises:
            MistakeError: It is something else.
        """
        value = self._scalar()
        if not isinstance(value, str) or (form is not None and not form.fullmatch(value)):
            self.fail(expected)
        return value

    def texts(self, form: re.Pattern[str] | None = None, expected: str = "text is expected") -> tuple[str, ...]:
        """Return a list of texts, at least one and none of them twice; the arguments are those of `text`.

        Raises:
            MistakeError: It is something else.
        """
        texts = tuple(item.text(form, expected) for item in self.items())
        if len(set(texts)) < len(texts):
            self.fail("a name is there twice")
        return texts

    def whole(self, least: int, most: int | None = None) -> int:
        """Return a whole number between two bounds, both included.

        Raises:
            MistakeError: It is something else.
        """
        value = self._scalar()
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or value < least
            or (most is not None and value > most)
        ):
            self.fail(f"a whole number from {least} {'on' if most is None else f'to {most}'} is expected")
        return value

    def share(self) -> float:
        """Return a number from 0 to 1.

        Raises:
            MistakeError: It is something else.
        """
        value = self._scalar()
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self.fail("a number from 0 to 1 is expected")
        return float(value)

    def flag(self) -> bool:
        """Return true or false.

        Raises:
            MistakeError: It is something else.
        """
        value = self._scalar()
        if not isinstance(value, bool):
            self.fail("true or false is expected")
        return value

    def choice(self, kind: type[_Choice]) -> _Choice:
        """Return a member of an enum by its value.

        Raises:
            MistakeError: It is something else.
        """
        value = self.text()
        if value not in list(kind):
            self.fail(f"one of these is expected: {', '.join(kind)}")
        return kind(value)

    def _scalar(self) -> object:
        if not isinstance(self._node, yaml.ScalarNode):
            return None
        try:
            return self._loader.construct_object(self._node)
        except ValueError:  # what looks like a date or is said to be a number, and is none; the message may repeat it
            return None

    def _below(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name
