"""What completion offers behind a command."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that may stand behind a command.

    Attributes:
        text: The text.
        meta: What it stands for, shown beside it.
    """

    text: str
    meta: str = ""
