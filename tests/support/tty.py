"""The command in a real pseudo-terminal, whose screen is read as a person would."""

from __future__ import annotations

import os
import re
import termios
import time
from collections.abc import Callable, Sequence

import pexpect
import pyte
from pexpect import fdpexpect

from tests.support.home import DEADLINE_S, Home
from tests.support.warm_commands import Start, warm_commands

COLUMNS, ROWS = 100, 250
_READS_KEYS_WITHIN_S = 5.0
_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPTS = ("você>", "you>", "pesquisa>", "research>")


def _unbroken(text: str) -> str:
    """Return a text without any space: a line of the screen may break at a space, and a long path anywhere."""
    return "".join(text.split())


class _AnsweringScreen(pyte.Screen):
    """A screen that answers when it is asked where the cursor is, as terminals do."""

    def __init__(self, child: fdpexpect.fdspawn, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self._child = child

    def write_process_input(self, data: str) -> None:
        self._child.send(data)


class Tty:
    """The command in a pseudo-terminal, and its screen: tall enough that nothing scrolls away, unless told otherwise.

    Args:
        home: The machine.
        arguments: Of the command.
        columns: Of the window.
        rows: Of the window.
        environment: Variables on top of the machine's.
    """

    def __init__(
        self, home: Home, arguments: Sequence[str] = (), columns: int = COLUMNS, rows: int = ROWS, /, **environment: str
    ) -> None:
        keyboard, window = os.openpty()
        termios.tcsetwinsize(window, (rows, columns))
        start = Start(arguments, {**home.environment, **environment}, home.folder, is_in_terminal=True)
        self._process = warm_commands().start(start, (window, window, window))
        os.close(window)
        self._child = fdpexpect.fdspawn(keyboard, encoding="utf-8", timeout=DEADLINE_S)
        self._screen = _AnsweringScreen(self._child, columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._lines: list[str] = []
        self.output = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def echoes(self) -> bool:
        """Whether the terminal itself shows what is typed, without the command."""
        return bool(termios.tcgetattr(self._child.fileno())[3] & termios.ECHO)

    @property
    def lines(self) -> list[str]:
        """The screen's lines without trailing spaces."""
        screen = self._screen
        if len(self._lines) != screen.lines:
            self._lines = [""] * screen.lines
            screen.dirty.update(range(screen.lines))
        for row in screen.dirty:
            cells = screen.buffer[row]
            # A wide character is followed by an empty cell.
            self._lines[row] = "".join(cells[column].data for column in range(screen.columns)).rstrip()
        screen.dirty.clear()
        return list(self._lines)

    @property
    def text(self) -> str:
        """The screen without its empty lines."""
        return "\n".join(filter(None, self.lines))

    @property
    def cells(self) -> list[list[pyte.screens.Char]]:
        """The screen's lines with their colours, from the top to the last that says anything."""
        last = max((row for row, line in enumerate(self.lines) if line), default=-1)
        return [[self._screen.buffer[row][column] for column in range(COLUMNS)] for row in range(last + 1)]

    def wait_for(self, *texts: str) -> None:
        """Read until all texts are on the screen, wherever it breaks their lines."""
        self._read_until(lambda: all(_unbroken(text) in _unbroken(self.text) for text in texts), f"{texts}")

    def wait_for_count(self, text: str, count: int) -> None:
        """Read until a text is on the screen so many times."""
        self._read_until(lambda: _unbroken(self.text).count(_unbroken(text)) >= count, f"{text!r} {count} times")

    def wait_for_line(self, line: str) -> None:
        """Read until a line of the screen is exactly this."""
        self._read_until(lambda: line in self.lines, f"{line!r}")

    def wait_until_drawn(self, text: str) -> None:
        """Read until a text of the toolbar is there and the cursor is back at the prompt, which is drawn last."""
        self._read_until(
            lambda: text in self.text and self._screen.cursor.y == self._prompt, f"{text} and cursor at the prompt"
        )

    def wait_for_prompt(self) -> None:
        """Read until the prompt waits for a line."""
        self._read_until(lambda: self._prompt is not None and self._reads_keys, "a prompt")

    def say(self, line: str, *expected: str) -> str:
        """Type a line at the prompt and return the answer, which must hold the expected texts, however it is broken."""
        asked = self.begin(line)
        answer = self.finish(asked)
        for text in expected:
            assert _unbroken(text) in _unbroken(answer), (
                f"no {text!r} in the answer to {line!r}; the screen is:\n{self.text}"
            )
        return answer

    def begin(self, line: str) -> int:
        """Type a line at the prompt and return where on the screen that is."""
        self.wait_for_prompt()
        asked = self._prompt
        assert asked is not None
        self.send(line + "\r")
        return asked

    def finish(self, asked: int) -> str:
        """Read until there is a prompt below the line that was typed, and return what is between them."""
        self._read_until(lambda: (self._prompt or 0) > asked and self._reads_keys, "an answer and the next prompt")
        return "\n".join(self.lines[asked + 1 : self._prompt])

    def say_scrolling(self, line: str, *expected: str) -> str:
        """Type a line on a screen that may scroll, and return all that is drawn until the next prompt."""
        before = len(self.output)

        def drawn() -> str:
            return _SEQUENCE.sub("", self.output[before:]).replace("\r", "")

        self.send(line + "\r")
        self._read_until(lambda: all(_unbroken(text) in _unbroken(drawn()) for text in expected), f"{expected}")
        self.wait_until_drawn("Ctrl-D")
        return drawn()

    def press(self, keys: str) -> str:
        """Press keys at the prompt that end it, and return what stands above the next one."""
        self.wait_for_prompt()
        asked = self._prompt
        assert asked is not None
        self.send(keys)
        return self.finish(asked)

    def resize(self, columns: int) -> None:
        """Give the window another width; what is on its screen is forgotten."""
        rows = self._screen.lines
        self._screen.resize(rows, columns)
        self._screen.reset()
        termios.tcsetwinsize(self._child.fileno(), (rows, columns))

    def send(self, keys: str) -> None:
        """Type keys, as soon as they are read one by one: a prompt is drawn a moment earlier."""
        until = time.monotonic() + _READS_KEYS_WITHIN_S
        while not self._reads_keys and time.monotonic() < until:
            self._read(0.01)
        self._child.send(keys)

    def enter(self, line: str) -> None:
        """Type a line that the terminal keeps until it ends, as for a plain question."""
        self._child.send(line + "\r")

    def wait_for_end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read(1.0):
            pass
        return self._process.wait(DEADLINE_S)

    def hang_up(self) -> None:
        """Close the window, and wait until the command has ended."""
        self._child.close()
        self._process.wait(DEADLINE_S)

    def close(self) -> None:
        """Kill the command if it still runs, and wait."""
        self._process.kill(DEADLINE_S)
        self._child.close()

    @property
    def _reads_keys(self) -> bool:
        """Whether keys are given to the command as they are typed, and not line by line."""
        return not termios.tcgetattr(self._child.fileno())[3] & termios.ICANON

    @property
    def _prompt(self) -> int | None:
        """The line of the last prompt."""
        return max((index for index, line in enumerate(self.lines) if line.startswith(PROMPTS)), default=None)

    def _read_until(self, is_there: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not is_there():
            assert time.monotonic() < deadline, f"no {what} in time; the screen is:\n{self.text}"
            assert self._read(0.05), f"the command ended without {what}; the screen is:\n{self.text}"

    def _read(self, timeout_s: float) -> bool:
        try:
            output = self._child.read_nonblocking(65536, timeout_s)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.output += output
        self._stream.feed(output)
        return True
