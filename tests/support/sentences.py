"""The sentences of tests/sentences: text files of sections, each a heading in brackets and a sentence a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "sentences"
_NOTHING = "-"


def sections(name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the headings of a file with their sentences, in order.

    A line `<name> = one | another` is no sentence: it fills `<name>` in the lines of its section, each value once.
    """
    heading, found = "", list[str]()
    for line in (_FOLDER / name).read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            if heading:
                yield heading, tuple(_filled(found))
            heading, found = line[1:-1], []
        else:
            found.append("" if line == _NOTHING else line.replace("\\n", "\n"))
    yield heading, tuple(_filled(found))


def sentences(name: str, heading: str) -> tuple[str, ...]:
    """Return the sentences under one heading."""
    return dict(sections(name))[heading]


def rows(name: str, heading: str) -> list[tuple[str, ...]]:
    """Return the lines under one heading, each a sentence and what is expected of it, parted by " | "."""
    return [tuple("" if part == _NOTHING else part for part in line.split(" | ")) for line in sentences(name, heading)]


def _filled(lines: list[str]) -> Iterator[str]:
    values: dict[str, list[str]] = {}
    for line in lines:
        name, equals, rest = line.partition(" = ")
        if equals and name.startswith("<") and name.endswith(">"):
            values[name] = rest.split(" | ")
            continue
        names = [name for name in values if name in line]
        for chosen in product(*(values[name] for name in names)):
            sentence = line
            for name, value in zip(names, chosen, strict=True):
                sentence = sentence.replace(name, value)
            yield sentence
