"""The command `clinic-mesh`: arguments in, exit code out.

What it starts quickly it must not import slowly: each command loads what it needs when it is called.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType

from orchestrator.cli.arguments import Arguments, parse_arguments


def main() -> int:
    """Run the command that the process's arguments ask for, and return its exit code."""
    arguments = parse_arguments(sys.argv[1:])
    # A closed window or a plain kill ends the program in order: the clinics that it started are stopped.
    for end in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, _leave)
    return _run(arguments)


def _run(arguments: Arguments) -> int:
    from orchestrator.cli.commands import run  # noqa: PLC0415 - --help and usage errors need none of it

    return run(arguments)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
