"""The commands that converse: the terminal, `ask`, and piped input.

All three start the clinics that are missing, and stop those when they end.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.speaker import Given, given_identity, identity_of
from orchestrator.fleet.fleet import Fleet
from orchestrator.registry import Registry
from orchestrator.settings import Settings, SettingsError, variable


def run(arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet) -> ExitCode:
    """Converse and return the exit code.

    Raises:
        FleetError: The clinics cannot be started.
        IdentityError: Nobody is there to ask, and no usable identity was given.
        SettingsError: A folder cannot be used, or the output does not fit a terminal.
    """
    _prepare_folders(settings)
    given = given_identity(settings, arguments.identity_file)
    if given.warning:
        _warn(given.warning)
    if not arguments.command and sys.stdin.isatty() and sys.stdout.isatty():
        return _in_terminal(arguments, settings, registry, fleet, given)
    return _in_script(arguments, settings, registry, fleet, given)


def _in_terminal(
    arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet, given: Given
) -> ExitCode:
    if arguments.output != "text":
        raise SettingsError("--output jsonl is for scripts: give `ask`, or pipe the lines in")
    with _running(fleet, arguments):
        # Loading this takes as long as the clinics take to come up.
        from orchestrator.cli import room  # noqa: PLC0415 - see above

        if arguments.starts_clinics:
            fleet.await_health()
        return room.converse(arguments, settings, registry, fleet, given)


def _in_script(arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet, given: Given) -> ExitCode:
    identity = identity_of(given)
    if not identity.has_valid_check_digits:
        _warn(f"{given.source}: the check digits of the CPF do not match; going on")
    with _running(fleet, arguments):
        from orchestrator.cli import desk

        if arguments.starts_clinics:
            fleet.await_health()
        lines = _lines(arguments)
        return ExitCode.OK


@contextmanager
def _running(fleet: Fleet, arguments: Arguments) -> Iterator[None]:
    try:
        if arguments.starts_clinics:
            fleet.launch()
        yield
    finally:
        fleet.stop()
