"""What keeps a clinic from starting, said in one line to the person who started it.

Nothing that happens after the start is reported this way: refusals of a running clinic are `mesh.errors.DomainError`.
"""

from __future__ import annotations


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
