"""The command in a real pseudo-terminal, whose screen is read as a person would."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pexpect
import pyte

from tests.support.home import COMMAND, DEADLINE_S, Home

COLUMNS, ROWS = 100, 250


class _AnsweringScreen(pyte.Screen):
    """A screen that answers when it is asked where the cursor is, as terminals do."""

    def __init__(self, child: pexpect.spawn) -> None:
        super().__init__(COLUMNS, ROWS)
        self._child = child

    def write_process_input(self, data: str) -> None:
        self._child.send(data)


class Tty:
    """The command in a pseudo-terminal, and its screen: tall enough that nothing scrolls away."""

    def __init__(self, home: Home, arguments: Sequence[str] = (), **environment: str) -> None:
        self._child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            env={**home.environment, **environment},
            cwd=str(home.folder),
            encoding="utf-8",
            dimensions=(ROWS, COLUMNS),
            timeout=DEADLINE_S,
        )
        self._screen = _AnsweringScreen(self._child)
        self._stream = pyte.Stream(self._screen)
        self.output = ""

    @property
    def pid(self) -> int:
        return int(self._child.pid)

    @property
    def lines(self) -> list[str]:
        """The screen's lines without trailing spaces."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The screen."""
        return "\n".join(self.lines).rstrip()

    def wait_for(self, *texts: str, after: str = "") -> str:
        """Read until all texts are on the screen below the last line with `after`, and return what is below it."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            below = self._below(after)
            if all(text in below for text in texts):
                return below
            assert time.monotonic() < deadline, f"no {texts} in time; the screen is:\n{self.text}"
            assert self._read(), f"the command ended without {texts}; the screen is:\n{self.text}"

    def say(self, line: str, *expected: str, prompt: str = "você> ") -> str:
        """Type a line and return what is below it once the expected texts and the next prompt are there."""
        self.send(line + "\r")
        return self.wait_for(*expected, f"\n{prompt.rstrip()}", after=f"{prompt}{line}".rstrip())

    def send(self, keys: str) -> None:
        """Type keys."""
        self._child.send(keys)

    def wait_for_end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        return int(self._child.wait())

    def close(self) -> None:
        """Kill the command if it still runs."""
        self._child.close(force=True)

    def _below(self, after: str) -> str:
        lines = self.lines
        start = max((index for index, line in enumerate(lines) if after in line), default=None) if after else -1
        return "" if start is None else "\n".join(["", *lines[start + 1 :]]).rstrip()

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
