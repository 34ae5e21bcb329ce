"""What a slash command asks of the terminal, as values; the terminal carries them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.turn import Block, Paragraph, Plan, Session


@dataclass(frozen=True, slots=True)
class Show:
    """Draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Take a turn.

    Attributes:
        utterance: What is said, as if it had been typed.
        plan: What to do about it where nothing has to be understood; None leaves that to the planner.
    """

    utterance: str = field(repr=False)
    plan: Plan | None = None


@dataclass(frozen=True, slots=True)
class ChangeSession:
    """Go on with this session, and draw these blocks."""

    session: Session
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class NewResearch:
    """Open a new session of the research desk, and draw these blocks."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Save:
    """Write the transcript of the session to a file that is not there yet."""

    path: Path


@dataclass(frozen=True, slots=True)
class ShowRecord:
    """Print the record of the last turn, a line of JSON."""


@dataclass(frozen=True, slots=True)
class OpenHistory:
    """Show the lines that the history keeps, or clear it.

    Attributes:
        clears: It is cleared.
    """

    clears: bool


@dataclass(frozen=True, slots=True)
class LogOut:
    """Forget everything of the person, and ask who speaks."""


@dataclass(frozen=True, slots=True)
class Reload:
    """Read the registry of the agents again."""


@dataclass(frozen=True, slots=True)
class Research:
    """Open the research desk, and come back."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the terminal."""


Action = Show | Say | ChangeSession | Save | ShowRecord | OpenHistory | LogOut | Reload | Research | Leave
"""What a command of the clinics' terminal asks for."""

DeskAction = Show | NewResearch | Leave
"""What a command of the research desk asks for."""


def show_text(words: str) -> Show:
    """Return the action that draws one paragraph."""
    return Show((Paragraph(words),))
