"""Keeps what is typed where no prompt covers it off the screen, and away from a proposal that nobody had seen yet.

Does nothing where standard input is no terminal.
"""

from __future__ import annotations

import contextlib
import os
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit.input import Input


@contextmanager
def quiet_input() -> Iterator[None]:
    """Turn the terminal's echo off while the block runs; Ctrl-C still works, and prompts draw by themselves."""
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


def forget_typed_ahead(terminal_input: Input) -> None:
    """Drop what was typed and not read yet: a yes must follow what it answers."""
    from prompt_toolkit.input.typeahead import clear_typeahead  # noqa: PLC0415 - echo is off before it can be loaded

    clear_typeahead(terminal_input)
    if os.isatty(terminal_input.fileno()):
        termios.tcflush(terminal_input.fileno(), termios.TCIFLUSH)
    elif not terminal_input.closed:
        terminal_input.read_keys()
