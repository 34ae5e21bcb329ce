"""The command `logs`: what the clinics wrote, on standard output, and with -f what they write next.

These are the clinics' own files. The log of turns is read by `trace` and `stats`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress

from rich.console import Console
from rich.text import Text

from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.console import harmless
from orchestrator.fleet import LogTail, log_file
from orchestrator.settings import Settings, SettingsError
from orchestrator.texts import texts_of_locale

_POLL_S = 0.2
_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "bright_red")


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Print the lines and return the exit code; being interrupted is the orderly end of following.

    Raises:
        SettingsError: There is no such clinic, or a log cannot be read.
    """
    if arguments.clinic and arguments.clinic not in registry:
        raise SettingsError(f"there is no such clinic; known are {', '.join(registry)}")
    clinics = [arguments.clinic] if arguments.clinic else list(registry)
    screen = _Screen(clinics)
    try:
        with ExitStack() as parts:
            tails = {clinic: parts.enter_context(LogTail(log_file(settings.log_dir, clinic))) for clinic in clinics}
            for clinic, tail in tails.items():
                lines = tail.last(arguments.lines)
                screen.print(clinic, lines)
                if not lines:
                    log = log_file(settings.log_dir, clinic)
                    sys.stderr.write(texts_of_locale().text("fleet.no_log", clinic=clinic, log=log) + "\n")
            if arguments.follows:
                with suppress(KeyboardInterrupt):
                    for clinic, more in _following(tails):
                        screen.print(clinic, more)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SettingsError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return ExitCode.OK


def _following(tails: Mapping[str, LogTail]) -> Iterator[tuple[str, Sequence[str]]]:
    never = threading.Event()
    while True:
        for clinic, tail in tails.items():
            yield clinic, tail.more()
        never.wait(_POLL_S)


class _Screen:
    """Prints lines, and before each whose it is where they are of several clinics."""

    def __init__(self, clinics: Sequence[str]) -> None:
        self._console = Console(markup=False, highlight=False, emoji=False, soft_wrap=True)
        width = max(map(len, clinics), default=0)
        self._prefixes: Mapping[str, Text] = {}
        if len(clinics) > 1:
            self._prefixes = {
                clinic: Text(f"{clinic:<{width}} | ", _COLOURS[place % len(_COLOURS)])
                for place, clinic in enumerate(clinics)
            }

    def print(self, clinic: str, lines: Sequence[str]) -> None:
        for line in lines:
            # Not what a terminal would obey: a log may repeat what came over the network.
            self._console.print(Text.assemble(self._prefixes.get(clinic, ""), harmless(line)))
