"""What a slash command of the clinics' terminal asks for; `clinic_commands` holds the commands.

The terminal carries the actions out. A line that begins with a slash is never sent to a conversation as it stands.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path

from orchestrator.turn import Appointment, Block, Paragraph, Plan, Question, Session


@dataclass(frozen=True, slots=True)
class Show:
    """Draw these blocks."""

    blocks: tuple[Block, ...]
    session: Session | None = None  # what to go on with; None: nothing changes


@dataclass(frozen=True, slots=True)
class Say:
    """Take a turn."""

    utterance: str = field(repr=False)  # what is said, as if it had been typed
    plan: Plan | None = None  # what to do where nothing has to be understood; None leaves it to the planner
    question: Question | None = None  # what the utterance answers, in place of the open question and proposal
    agrees: bool = False  # whether the open proposal was agreed to before


@dataclass(frozen=True, slots=True)
class SaveCalendar:
    """Ask for the person's appointments, and write one of them, or all, as a calendar."""

    path: Path
    only: Appointment | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """Show what an MCP client proposed, and make it after a yes."""

    proposal: str  # its id


@dataclass(frozen=True, slots=True)
class Serve:
    """Leave this conversation, and begin another with a patient."""

    whom: str = field(default="", repr=False)  # a name, or the id of a clinic's record; empty to ask for the name
    cpf: str | None = field(default=None, repr=False)  # None to ask for it


class Request(Enum):
    """What needs no further words."""

    SHOW_RECORD = auto()  # print the record of the last turn, a line of JSON
    DONE = auto()  # forget the patient who is served
    LOG_OUT = auto()  # forget everything of the person, and ask who speaks
    RELOAD = auto()  # read the registry of the agents again
    OPEN_DESK = auto()  # open the research desk, and come back
    LEAVE = auto()


Action = Show | Say | SaveCalendar | Confirm | Serve | Request


def show_text(words: str, session: Session | None = None) -> Show:
    """Return the action that draws one paragraph."""
    return Show((Paragraph(words),), session)
