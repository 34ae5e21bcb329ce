"""The echo of a terminal that cannot be drawn on (TERM=dumb): what is typed there cannot be covered afterwards.

prompt_toolkit then writes each character as it comes, a password's too. Here a digit that makes a CPF of what was
typed, from the ninth on, is an asterisk, and so is every character of a secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prompt_toolkit.application.current import create_app_session
from prompt_toolkit.output import DummyOutput, Output, create_output
from prompt_toolkit.utils import is_dumb_terminal

from orchestrator.privacy import cpfs_begun


class CoveredEcho(DummyOutput):
    """An output for the prompt of a dumb terminal, which writes the question and then what is typed, bit by bit.

    Args:
        output: Where it is written.
    """

    def __init__(self, output: Output) -> None:
        self._output = output
        self._line = ""
        self.is_secret = False

    def write(self, data: str) -> None:
        """Write a question, or a character that was typed as an answer."""
        is_question = not self._line
        self._line = "" if data.endswith("\n") else self._line + data
        if not is_question and data.isprintable() and (self.is_secret or self._ends_in_cpf()):
            data = "*" * len(data)
        self._output.write(data)

    def flush(self) -> None:
        """Show what was written."""
        self._output.flush()

    def _ends_in_cpf(self) -> bool:
        return any(end == len(self._line) for _, end in cpfs_begun(self._line))


@contextmanager
def covered_echo(output: Output | None) -> Iterator[CoveredEcho | None]:
    """Cover the echo of a prompt that is made in the block, where it is one that cannot be drawn.

    Args:
        output: What the prompt is given; None for the terminal.

    Yields:
        The echo; None where the prompt draws what is typed, and covers it by itself.
    """
    if output is not None or not is_dumb_terminal():
        yield None
        return
    echo = CoveredEcho(create_output())
    with create_app_session(output=echo):
        yield echo
