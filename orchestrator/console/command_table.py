"""The mechanism of slash commands: a table from a name to a command, for the clinics and the research desk.

A command is a function of what the terminal shows now and of the text behind its name; it returns an action. A line
that begins with a slash is never sent to a conversation as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from orchestrator.turn import Block, Paragraph, Table

_View = TypeVar("_View")
_Action = TypeVar("_Action")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What completion offers behind a command."""

    text: str
    meta: str = ""  # what it stands for, shown beside it


@dataclass(frozen=True, slots=True)
class Command(Generic[_View, _Action]):
    """A slash command."""

    run: Callable[[_View, str], _Action]  # returns what it asks for, from the view and the text behind its name
    # suggestions: returns what may stand behind its name, for completion
    suggestions: Callable[[_View], tuple[Suggestion, ...]] = lambda _: ()
    takes_path: bool = False  # whether that is a file, which is completed as such


def command_of(
    line: str, commands: Mapping[str, Command[_View, _Action]]
) -> tuple[str, Command[_View, _Action] | None, str]:
    """Return the name that a line begins with, its command if there is one, and the text behind it."""
    name, _, argument = line.partition(" ")
    return name, commands.get(name.lower()), argument.strip()


def help_blocks(
    title: str, examples: Iterable[str], columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]
) -> tuple[Block, ...]:
    """Return examples of what to say, and the commands as a table."""
    return Paragraph("\n".join([title, *(f"  {example}" for example in examples)])), Table(columns, rows)
