"""The command `clinic-mesh`; each subcommand loads what it needs when called, so that help is quick."""

from __future__ import annotations

import signal
import sys
from types import FrameType

from orchestrator.cli.command_line import answer_shell, parse_arguments


def main() -> int:
    """Run the command that the process's arguments ask for, and return its exit code."""
    if (code := answer_shell()) is not None:
        return code
    arguments = parse_arguments(sys.argv[1:])
    # A closed window or a plain kill ends the program in order: the clinics that it started are stopped.
    for end in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, _leave)
    from orchestrator.cli.commands import run  # noqa: PLC0415 - --help and usage errors need none of it

    return run(arguments)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
