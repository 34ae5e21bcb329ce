"""The command `trace`: a turn of the log as a Mermaid sequence diagram, on standard output."""

from __future__ import annotations

import sys

from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.evaluation import TurnLogError, find_turn, log_files, read_turns, sequence_of
from orchestrator.settings import Settings, SettingsError


def run(arguments: Arguments, settings: Settings) -> ExitCode:
    """Print the diagram and return the exit code.

    Raises:
        SettingsError: The log cannot be read, or holds no such turn.
    """
    files = log_files(settings.log_dir) if arguments.log is None else [arguments.log]
    where = arguments.log or settings.log_dir
    try:
        turn = find_turn(read_turns(files), arguments.turn_id)
    except TurnLogError as error:
        raise SettingsError(str(error)) from error
    if turn is None:
        raise SettingsError(f"{where}: no such turn; give the beginning of a turn_id of the log, or last")
    sys.stdout.write(sequence_of(turn))
    return ExitCode.OK
