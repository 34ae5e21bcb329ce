"""The prompt's history: slash commands outlive the session in a private file, sentences do not.

What people say may hold names, CPFs and complaints, so it is only kept in memory, to be called back and corrected,
and not even there when it holds as many digits as a CPF.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit.history import History

_LINES_KEPT = 1000
_CPF_DIGITS = 11


class CommandHistory(History):
    """A history that writes slash commands only.

    A file that cannot be read or written costs the history and nothing else.

    Args:
        path: The file, a command a line, oldest first; made with mode 0600.
        commands: The names of the commands, each with its slash; what begins otherwise is a sentence.
    """

    def __init__(self, path: Path, commands: frozenset[str]) -> None:
        self._path = path
        self._commands = commands
        super().__init__()

    def load_history_strings(self) -> Iterable[str]:
        """Return the commands of earlier sessions, newest first."""
        try:
            lines = self._path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return []
        return [line for line in reversed(lines[-_LINES_KEPT:]) if self._is_command(line)]

    def append_string(self, string: str) -> None:
        """Add what was entered, unless it may hold a CPF."""
        if len(re.findall(r"\d", string)) < _CPF_DIGITS:
            super().append_string(string)

    def store_string(self, string: str) -> None:
        """Write a command to the file; a sentence is not written."""
        if not self._is_command(string):
            return
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(" ".join(string.split()) + "\n")
        except OSError:
            return

    def _is_command(self, line: str) -> bool:
        return not self._commands.isdisjoint(line.split(maxsplit=1)[:1])
