"""What the test suite says: its conversations, and every line of text in its files."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LONGEST = 400
_SAYING = frozenset({"say", "ask", "play", "turn", "turns"})
"""Calls whose arguments a test says one after another."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Utterances in the order in which one person says them.

    Attributes:
        name: Where they come from.
        said: The utterances.
        role: `patient` or `operator`.
    """

    name: str
    said: tuple[str, ...]
    role: str = "patient"


def conversations(root: Path) -> Iterator[Conversation]:
    """Yield the evaluation's queries and the conversations of the tests.

    Args:
        root: A checkout of the repository.
    """
    queries = json.loads((root / "tests" / "test_queries.json").read_text("utf-8"))["queries"]
    for query in queries:
        said = tuple(turn["say"] for turn in query["turns"] if "say" in turn)
        yield Conversation(query["id"], said, query.get("role", "patient"))
    for file in sorted((root / "tests").rglob("test_*.py")):
        for function in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and (said := tuple(_said(function))):
                yield Conversation(f"{file.relative_to(root)}::{function.name}", said)


def lines(root: Path) -> Iterator[str]:
    """Yield every line of the strings and text files of the tests that could be said, most of them more than once."""
    for file in sorted((root / "tests").rglob("*")):
        for text in _texts(file):
            for line in text.splitlines():
                said = line.strip()
                if (" " in said or said.isalpha()) and _could_be_said(said):
                    yield said


def _could_be_said(text: str) -> bool:
    return len(text) <= _LONGEST and text[0] not in "/#{[<" and text.isprintable()


def _said(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SAYING:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield from filter(None, (line.strip() for line in argument.value.splitlines()))


def _texts(file: Path) -> Iterator[str]:
    match file.suffix:
        case ".py":
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value
        case ".txt":
            yield file.read_text("utf-8").replace(" | ", "\n")  # what is expected of a sentence may stand beside it
        case ".jsonl":
            for line in file.read_text("utf-8").splitlines():
                yield from _strings(json.loads(line))
        case _:
            return


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
