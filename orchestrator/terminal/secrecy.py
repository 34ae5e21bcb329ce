"""Keep secrets off the screen and out of the prompt's history: CPFs, and what was typed too early."""

import os
import termios
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.formatted_text.utils import fragment_list_to_text
from prompt_toolkit.history import History
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.layout.controls import SearchBufferControl
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.output import DummyOutput, Output

from mesh import private_file
from orchestrator.privacy import Redactor, cpfs_begun, may_hold_cpf
from orchestrator.settings import HistoryKind

FILE, DESK_FILE = "history", "research_history"  # in the data folder

_LINES_KEPT = 1000


class CpfCover(Processor):
    """Draw an asterisk for each digit of what is a CPF or may become one, from the ninth digit on."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the line as it is drawn; every character keeps its place, and so does the cursor."""
        characters = explode_text_fragments(transformation_input.fragments)
        for start, end in _covered(transformation_input, fragment_list_to_text(characters)):
            for place in range(start, end):
                style, character, *_ = characters[place]
                characters[place] = (style, "*" if character.isdigit() else character)
        return Transformation(characters)


def cover_search(prompt: PromptSession[str]) -> None:
    """Cover what is typed into a prompt's search in its history (Ctrl-R), too."""
    for control in prompt.app.layout.find_all_controls():
        if isinstance(control, SearchBufferControl):
            control.input_processors = [*(control.input_processors or []), CpfCover()]


def _covered(line: TransformationInput, drawn: str) -> list[tuple[int, int]]:
    lines = line.document.lines  # a CPF may go on from one line of the message to the next
    if not drawn.startswith(lines[line.lineno]):
        return cpfs_begun(drawn)  # a search draws more than what was typed into it
    lines = [*lines[: line.lineno], drawn, *lines[line.lineno + 1 :]]
    first = sum(len(each) + 1 for each in lines[: line.lineno])
    last = first + len(drawn)
    return [
        (max(start, first) - first, min(end, last) - first)
        for start, end in cpfs_begun("\n".join(lines))
        if start < last and end > first
    ]


class CoveredEcho(DummyOutput):
    """An output for a terminal that cannot be drawn on (TERM=dumb): it writes the question, then each character typed.

    prompt_toolkit writes each character there as it comes, a password's too. This output writes an asterisk for a
    digit that makes a CPF of what was typed, from the ninth on, and for every character of a secret.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self._line = ""
        self.is_secret = False

    def write(self, data: str) -> None:
        """Write a question, or a character that was typed as an answer."""
        is_question = not self._line
        self._line = "" if data.endswith("\n") else self._line + data
        ends_in_cpf = any(end == len(self._line) for _, end in cpfs_begun(self._line))
        if not is_question and data.isprintable() and (self.is_secret or ends_in_cpf):
            data = "*" * len(data)
        self._output.write(data)

    def flush(self) -> None:
        """Show what was written."""
        self._output.flush()


def forget_typed_ahead(terminal_input: Input) -> None:
    """Drop what was typed and not read yet: a yes must follow what it answers."""
    clear_typeahead(terminal_input)
    if os.isatty(terminal_input.fileno()):
        termios.tcflush(terminal_input.fileno(), termios.TCIFLUSH)
    elif not terminal_input.closed:
        terminal_input.read_keys()


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
