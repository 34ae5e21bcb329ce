"""The commands about the clinics themselves, as argparse reads them; their values are `orchestrator.cli.arguments`'."""

from __future__ import annotations

import argparse
from typing import Protocol

WAIT_S = 20.0
"""Seconds that started clinics may take to answer, unless the command line says otherwise."""

_CLINIC = "the clinic's id, such as clinic_a"


class AddCommand(Protocol):
    """Adds a command to the parser."""

    def __call__(self, name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        """Return the parser of the new command."""
        ...


def add_fleet_commands(add: AddCommand) -> None:
    """Add up, down, restart, status, logs and clinic."""
    up = add("up", "start the clinics that are not running, until Ctrl-C")
    up.add_argument("--detach", "-d", dest="is_detached", action="store_true", help="leave them running and return")
    _add_wait(up)
    down = add("down", "stop the clinics that run from this data folder, or one of them")
    down.add_argument("clinic", metavar="ID", nargs="?", default="", help=f"{_CLINIC}; all")
    restart = add("restart", "end one clinic in order and start it again: same agenda, keys and address")
    restart.add_argument("clinic", metavar="ID", help=_CLINIC)
    _add_wait(restart)
    status = add("status", "show the clinics: address, process, health, agenda, tools, doctors")
    status.add_argument("-o", "--output", choices=("text", "json"), help="form of the result (text)")
    logs = add("logs", "print what the clinics wrote, such as why one did not start")
    logs.add_argument("clinic", metavar="ID", nargs="?", default="", help=f"{_CLINIC}; all")
    logs.add_argument("-f", "--follow", dest="follows", action="store_true", help="go on until Ctrl-C")
    logs.add_argument("-n", "--lines", type=count, default=20, metavar="N", help="how many of each, from the end (20)")
    clinic = add("clinic", "run one clinic in the foreground")
    clinic.add_argument("clinic", metavar="ID", help=_CLINIC)


def count(text: str) -> int:
    """Return a number of things from 1 on.

    Raises:
        argparse.ArgumentTypeError: It is none; the text is not repeated, for somebody may try a CPF as an argument.
    """
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("1 or more is expected")
    return int(text)


def _add_wait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wait",
        dest="wait_s",
        type=_seconds,
        nargs="?",
        const=WAIT_S,
        default=WAIT_S,
        metavar="S",
        help=f"seconds until all must answer; else what was started is stopped again ({WAIT_S:g})",
    )


def _seconds(text: str) -> float:
    return float(count(text))
