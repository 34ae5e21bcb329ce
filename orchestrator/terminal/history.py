"""Keep the prompt's history: in a private file as far as the settings say, and never what may hold a CPF."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import History

from mesh import private_file
from orchestrator.privacy import Redactor, may_hold_cpf
from orchestrator.settings import HistoryKind

FILE, DESK_FILE = "history", "research_history"  # in the data folder

_LINES_KEPT = 1000


class PromptHistory(History):
    """A history of the prompt's lines; a file keeps those of its kind, as far as it can be written."""

    def __init__(self, path: Path, commands: frozenset[str], kind: HistoryKind, redactor: Redactor) -> None:
        self._path = path
        self._commands = commands
        self._kind = kind
        self._redactor = redactor
        super().__init__()

    def load_history_strings(self) -> Iterable[str]:
        """Return the lines of earlier sessions, newest first."""
        return self.kept()[::-1]

    def kept(self) -> list[str]:
        """Return the lines of the file, oldest first."""
        try:
            lines = self._path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return []
        return [line for line in lines[-_LINES_KEPT:] if self._may_be_kept(line)]

    def append_string(self, string: str) -> None:
        """Add what was entered, unless it may hold a CPF."""
        if not may_hold_cpf(string):
            super().append_string(string)

    def store_string(self, string: str) -> None:
        """Write what may be kept to the file."""
        line = self._redactor.redact(" ".join(string.split()))
        if self._may_be_kept(line):
            with suppress(OSError):
                private_file.append(self._path, f"{line}\n".encode())

    def clear(self) -> bool:
        """Forget all lines, those of the file too, and return whether the file is gone."""
        self._loaded_strings.clear()
        try:
            self._path.unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _may_be_kept(self, line: str) -> bool:
        match self._kind:
            case HistoryKind.OFF:
                return False
            case HistoryKind.COMMANDS:
                first, *rest = line.split(maxsplit=2) or [""]
                # What is remembered can be forgotten, which it could not be here.
                return first in self._commands and (first, *rest[:1]) != ("/memory", "add")
            case HistoryKind.REDACTED:
                return bool(line)
