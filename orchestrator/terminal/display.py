"""How much a terminal is asked to draw: with boxes, colour and redrawing, or as plain lines, one below the other.

`NO_COLOR` (no-color.org), `TERM=dumb` and `ACCESSIBLE=1` ask for plain lines; under the last two the cursor is never
moved either, and what is typed is echoed as it comes (`covered_echo`). What is said is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from enum import Enum, auto

_DUMB = frozenset({"dumb", "unknown"})


class Display(Enum):
    """What a terminal is asked for."""

    DRAWN = auto()
    PLAIN = auto()  # answers are plain lines; the prompt is drawn
    STILL = auto()  # nothing is ever drawn over

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Display:
        """Return what a person asks for by the environment."""
        if environment.get("TERM", "") in _DUMB or environment.get("ACCESSIBLE", "") not in {"", "0"}:
            return cls.STILL
        return cls.PLAIN if environment.get("NO_COLOR") else cls.DRAWN


def keep_still(environment: MutableMapping[str, str]) -> None:
    """Have every library take the terminal for one whose cursor cannot be moved.

    Args:
        environment: The process's own; its `TERM` is changed.
    """
    environment["TERM"] = "dumb"
