"""What keeps a clinic from starting, said in one line to the person who started it.

What goes wrong after the start is a `mesh.errors.DomainError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mesh.strict_document import DocumentError, Item, read_json


class StartupError(Exception):
    """A clinic cannot start.

    Args:
        message: What is wrong, where, and what to do. No personal data.
        usage: True where the command line is at fault.
    """

    def __init__(self, message: str, *, usage: bool = False) -> None:
        super().__init__(message)
        self.usage = usage

    @property
    def exit_code(self) -> int:
        """The process's exit status: 2 for wrong usage, else 1."""
        return 2 if self.usage else 1


@contextmanager
def reading(path: Path, advice: str) -> Iterator[Item]:
    """Yield the root of a JSON file; `advice` ends the message of every fault that is found in it meanwhile.

    Raises:
        StartupError: The file cannot be read, or a fault was found.
    """
    try:
        yield read_json(path)
    except DocumentError as error:
        raise StartupError(f"{path}: {error}. {advice}") from error
