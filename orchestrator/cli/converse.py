"""Run the commands that converse (terminal, `ask`, piped input); start missing clinics and stop them at the end."""

import gc
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from mesh import private_file
from orchestrator.agents import LiveRegistry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, complain
from orchestrator.cli.speaker import given_identity, identity_of
from orchestrator.cli.turn_record import turn_record
from orchestrator.composition import danger_answer, usable_prompts
from orchestrator.console import quiet_input
from orchestrator.fleet import Fleet
from orchestrator.security import issuer_of
from orchestrator.settings import HistoryKind, Settings, SettingsError, variable
from orchestrator.texts import texts_in
from orchestrator.turn import NOBODY, Role, Session

LOG_FILE = "orchestrator.log"


def run(arguments: Arguments, settings: Settings, registry: LiveRegistry, fleet: Fleet) -> ExitCode:
    """Converse and return the exit code."""
    is_terminal = not arguments.command and sys.stdin.isatty() and sys.stdout.isatty()
    if arguments.command == "calendar":
        arguments = replace(arguments, text=texts_in(settings.language).text("terminal.ask_bookings"))
    if arguments.is_incognito:
        settings = replace(settings, history=HistoryKind.OFF, memory=False)
    if is_terminal and (arguments.output != "text" or arguments.consent_given or arguments.confirmed is not None):
        raise SettingsError("--output, --yes and --confirm are for scripts: give `ask`, or pipe the lines in")
    # What is typed while nothing asks yet, or not any more, may be a CPF as well.
    with quiet_input() if is_terminal else nullcontext():
        given = given_identity(settings, arguments.identity_file, arguments.identity_fd)
        if not is_terminal and (given.name is None or given.cpf is None) and _answers_danger(arguments, settings):
            return ExitCode.OK
        if not is_terminal and not identity_of(given).has_valid_check_digits:
            complain(f"{given.source}: the check digits of the CPF do not match; going on")
        with started(settings, fleet, settings.role, starts=arguments.starts_clinics):
            if settings.llm is not None:
                usable_prompts()  # what is wrong with a prompt is said now and not when somebody waits for an answer
            if is_terminal:
                from orchestrator.cli.in_terminal import converse  # noqa: PLC0415 - loads while the clinics come up
            else:
                from orchestrator.cli.script import converse  # noqa: PLC0415 - as above
            gc.freeze()  # modules stay
            gc.enable()
            return converse(arguments, settings, registry, fleet, given)


def _answers_danger(arguments: Arguments, settings: Settings) -> bool:
    """Answer danger in what was given before asking who speaks; return whether nothing else was said."""
    from_arguments = arguments.text not in {"", "-"}
    piped = [] if from_arguments or sys.stdin.isatty() else [line for line in sys.stdin if line.strip()]
    said = [arguments.text] if from_arguments else piped
    answers = [answer for line in said if (answer := danger_answer(line, settings.language)) is not None]
    nobody = Session(NOBODY, language=settings.language)
    for number, answer in enumerate(answers, 1):
        print(turn_record(number, answer, nobody, nobody) if arguments.output == "jsonl" else f"{answer.plain}\n")
    return bool(answers) and len(answers) == len(said)


@contextmanager
def started(settings: Settings, fleet: Fleet, role: Role | None = None, *, starts: bool) -> Iterator[None]:
    """Launch a fleet, where it `starts`, and stop it at the end; raise CredentialError without the key of `role`."""
    prepare_folders(settings)
    fleet.protection.keys.prepare()
    if role is not None:
        fleet.protection.keys.check(issuer_of(role))
    try:
        if starts:
            fleet.launch()
        yield
    finally:
        fleet.stop()


def prepare_folders(settings: Settings) -> None:
    """Make the folders for this user only, with a file for what libraries log; raise SettingsError if that fails."""
    for field, folder in (("data_dir", settings.data_dir), ("log_dir", settings.log_dir)):
        try:
            private_file.make_folder(folder)
            if field == "log_dir":
                private_file.append(folder / LOG_FILE, b"")
        except OSError as error:
            raise SettingsError(f"{variable(field)}: {folder} cannot be used: {error.strerror}") from error
    form = "%(asctime)s %(levelname)s %(name)s %(message)s"
    logging.basicConfig(filename=settings.log_dir / LOG_FILE, format=form, encoding="utf-8")
