"""Takes what was shown off the screen and out of the scrollback, as far as the terminal lets a program do that."""

from __future__ import annotations

from rich.console import Console

_WIPE = "\x1b[H\x1b[2J\x1b[3J"  # ED 2 clears the screen, ED 3 (xterm) the lines that have scrolled away


def wipe(console: Console) -> bool:
    """Clear screen and scrollback, and return whether the terminal is one that can be told to."""
    if not console.is_terminal or console.is_dumb_terminal:
        return False
    console.file.write(_WIPE)
    console.file.flush()
    return True
