"""The command `completion`: a script that makes a shell complete this command, made from the parser itself.

The ids of clinics in it are those of the registry now: print it again after a clinic was added.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import shtab

from orchestrator.agents import Registry
from orchestrator.cli.arguments import Arguments, build_parser
from orchestrator.cli.exit_code import ExitCode
from orchestrator.settings import AgendaKind, TlsKind
from orchestrator.turn import Role

_FILES = frozenset({"registry", "input"})
_FOLDERS = frozenset({"data_dir", "log_dir", "keys_dir", "tls_dir"})
_VALUES: Mapping[str, Sequence[str]] = {
    "agenda": tuple(AgendaKind),
    "role": tuple(Role),
    "tls": tuple(TlsKind),
    "telemetry": ("on", "off"),
    "llm": ("off", "openai", "azure"),
}
"""What some settings take; the parser leaves judging them to `orchestrator.settings`."""


def run(arguments: Arguments, registry: Registry) -> ExitCode:
    """Print the script and return the exit code."""
    sys.stdout.write(completion_script(arguments.shell, tuple(registry)) + "\n")
    return ExitCode.OK


def completion_script(shell: str, clinics: Sequence[str]) -> str:
    """Return the script for a shell.

    Args:
        shell: "bash", "zsh" or "fish".
        clinics: The ids that are completed where a clinic is expected.
    """
    parser = build_parser()
    for action in _actions(parser):
        if action.dest == "clinic":
            action.choices = clinics
        elif action.dest in _VALUES:
            action.choices = _VALUES[action.dest]
        elif action.dest in _FOLDERS or action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # shtab's way of being told
        elif action.dest in _FILES or action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # as above
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield what a parser and the parsers of its commands take."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way, and shtab walks the same
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for command in dict.fromkeys(action.choices.values()):
                yield from _actions(command)
