"""Keeps what is typed where no prompt covers it off the screen. It loads no prompt, to be there before one is."""

from __future__ import annotations

import contextlib
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_input() -> Iterator[None]:
    """Turn the echo of standard input off in the block, if it is a terminal; Ctrl-C works, and prompts draw."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    quiet = [*before]
    quiet[3] &= ~termios.ECHO
    termios.tcsetattr(sys.stdin, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # the window may have been closed meanwhile
            termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
