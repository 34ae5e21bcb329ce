"""Make what was typed, pasted or piped safe to hand on, and keep it off the screen where no prompt covers it."""

import contextlib
import os
import sys
import termios
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST = 4000  # characters of an utterance


class TooLongError(ValueError):
    """An utterance of more characters than the limit."""

    def __init__(self, length: int) -> None:
        super().__init__(f"{length} characters; the limit is {LONGEST}")
        self.length = length


def clean(text: str) -> str:
    """Return text on one line, without what cannot be printed; raise TooLongError if the rest is over the limit."""
    cleaned = " ".join("".join(map(_printable, text)).split())
    if len(cleaned) > LONGEST:
        raise TooLongError(len(cleaned))
    return cleaned


def harmless(text: str) -> str:
    """Return text from elsewhere without characters that would steer a terminal; its lines stay."""
    return "\n".join("".join(map(_printable, line)) for line in text.split("\n"))


def _printable(char: str) -> str:
    if char.isspace():
        return " "
    # Cc steers the terminal, Cs cannot be encoded, Cf reorders or hides text; a joiner is part of some words.
    return "" if unicodedata.category(char) in {"Cc", "Cs", "Cf"} and char not in "\u200c\u200d" else char


def path_of(name: str) -> Path:
    """Return the path of a file that a person names."""
    return Path(os.path.expanduser(name))  # noqa: PTH111 ("~somebody" who is not known here is a name like any other)


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
