"""What a slash command asks of the terminal, as values; the terminal carries them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Literal

from orchestrator.turn import Block, Paragraph, Plan, Session


@dataclass(frozen=True, slots=True)
class Show:
    """Draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Take a turn."""

    utterance: str = field(repr=False)  # what is said, as if it had been typed
    plan: Plan | None = None  # what to do about it where nothing has to be understood; None leaves that to the planner


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


Action = Show | Say | ChangeSession | Save | Request
"""What a command of the clinics' terminal asks for."""

DeskAction = Show | NewResearch | Literal[Request.LEAVE]
"""What a command of the research desk asks for."""


def show_text(words: str) -> Show:
    """Return the action that draws one paragraph."""
    return Show((Paragraph(words),))
