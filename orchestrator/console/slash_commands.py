"""Slash commands: a table from a name to a function of the view and the text behind the name, and what it asks for.

The terminal carries the actions out. A line that begins with a slash is never sent to a conversation as it stands.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Generic, Literal, TypeVar

from orchestrator.turn import Appointment, Block, Paragraph, Plan, Question, Session, Table

_View = TypeVar("_View")
_Action = TypeVar("_Action")


@dataclass(frozen=True, slots=True)
class Show:
    """Draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Take a turn."""

    utterance: str = field(repr=False)  # what is said, as if it had been typed
    plan: Plan | None = None  # what to do where nothing has to be understood; None leaves it to the planner
    question: Question | None = None  # what the utterance answers, in place of the open question and proposal


@dataclass(frozen=True, slots=True)
class ChangeSession:
    """Go on with this session, and draw these blocks."""

    session: Session
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Save:
    """Write the transcript of the session to a file that is not there yet."""

    path: Path


@dataclass(frozen=True, slots=True)
class SaveCalendar:
    """Ask for the person's appointments, and write one of them, or all, as a calendar."""

    path: Path
    only: Appointment | None = None


@dataclass(frozen=True, slots=True)
class NewResearch:
    """Begin a new session of the research desk, and draw these blocks."""

    blocks: tuple[Block, ...]


class Request(Enum):
    """What needs no further words."""

    SHOW_RECORD = auto()  # print the record of the last turn, a line of JSON
    SHOW_HISTORY = auto()
    CLEAR_HISTORY = auto()
    LOG_OUT = auto()  # forget everything of the person, and ask who speaks
    RELOAD = auto()  # read the registry of the agents again
    OPEN_DESK = auto()  # open the research desk, and come back
    LEAVE = auto()


Action = Show | Say | ChangeSession | Save | SaveCalendar | Request  # what a command of the clinics' terminal asks for
DeskAction = Show | NewResearch | Literal[Request.LEAVE]  # what a command of the research desk asks for


def show_text(words: str) -> Show:
    """Return the action that draws one paragraph."""
    return Show((Paragraph(words),))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What completion offers behind a command."""

    text: str
    meta: str = ""  # what it stands for, shown beside it


@dataclass(frozen=True, slots=True)
class Command(Generic[_View, _Action]):
    """A slash command."""

    run: Callable[[_View, str], _Action]  # from the view and the text behind its name
    suggestions: Callable[[_View], tuple[Suggestion, ...]] = lambda _: ()  # what may stand behind its name
    takes_path: bool = False  # whether a file stands there, which is completed as such


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
