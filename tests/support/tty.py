"""The command in a real pseudo-terminal, whose screen is read as a person would."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Sequence

import pexpect
import pyte

from tests.support.home import COMMAND, DEADLINE_S, Home

COLUMNS, ROWS = 100, 250
_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPTS = ("você>", "you>", "pesquisa>", "research>")


def _unbroken(text: str) -> str:
    """Return a text without any space: a line of the screen may break at a space, and a long path anywhere."""
    return "".join(text.split())


class _AnsweringScreen(pyte.Screen):
    """A screen that answers when it is asked where the cursor is, as terminals do."""

    def __init__(self, child: pexpect.spawn, columns: int, rows: int) -> None:
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
        self._child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            env={**home.environment, **environment},
            cwd=str(home.folder),
            encoding="utf-8",
            dimensions=(rows, columns),
            timeout=DEADLINE_S,
        )
        self._screen = _AnsweringScreen(self._child, columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._lines: list[str] = []
        self.output = ""

    @property
    def pid(self) -> int:
        return int(self._child.pid)

    @property
    def echoes(self) -> bool:
        """Whether the terminal itself shows what is typed, without the command."""
        return bool(self._child.getecho())

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
        self._read_until(lambda: self._prompt is not None, "a prompt")

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
        self._read_until(lambda: (self._prompt or 0) > asked, "an answer and the next prompt")
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
        self._child.setwinsize(rows, columns)

    def send(self, keys: str) -> None:
        """Type keys."""
        self._child.send(keys)

    def wait_for_end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        return int(self._child.wait())

    def hang_up(self) -> None:
        """Close the window, and wait until the command has ended."""
        self._child.ptyproc.fileobj.close()
        self._child.ptyproc.wait()

    def close(self) -> None:
        """Kill the command if it still runs, and wait: on a busy machine that may take longer than pexpect does."""
        if self._child.isalive():
            self._child.kill(signal.SIGKILL)
            self._child.wait()
        self._child.close()

    @property
    def _prompt(self) -> int | None:
        """The line of the last prompt."""
        return max((index for index, line in enumerate(self.lines) if line.startswith(PROMPTS)), default=None)

    def _read_until(self, is_there: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not is_there():
            assert time.monotonic() < deadline, f"no {what} in time; the screen is:\n{self.text}"
            assert self._read(), f"the command ended without {what}; the screen is:\n{self.text}"

    def _read(self) -> bool:
        try:
            output = self._child.read_nonblocking(65536, 1.0)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.output += output
        self._stream.feed(output)
        return True
