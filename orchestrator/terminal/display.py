"""How much a terminal is asked to draw: with boxes, colour and redrawing, or as plain lines, one below the other.

`NO_COLOR` (no-color.org), `TERM=dumb` and `ACCESSIBLE=1` ask for plain lines; under the last two the cursor is never
moved either, so that the line is edited by the terminal itself. What is said is the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from enum import Enum, auto

from prompt_toolkit.application import create_app_session
from prompt_toolkit.output import Output
from prompt_toolkit.output.plain_text import PlainTextOutput

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


@contextmanager
def keeping_still(environment: MutableMapping[str, str]) -> Iterator[Output]:
    """Have every library take the terminal for one whose cursor cannot be moved while the block runs.

    Args:
        environment: The process's own; its `TERM` is changed.

    Yields:
        The screen. Whoever asks for a secret draws on it: a dumb prompt of prompt_toolkit's own would show it.
    """
    environment["TERM"] = "dumb"
    output = PlainTextOutput(sys.stdout)
    with create_app_session(output=output):
        yield output
