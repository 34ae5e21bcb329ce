"""Hold a conversation at a terminal; the stages of a turn, half the time to the prompt, are loaded behind it."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from orchestrator.agents import LiveRegistry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, complain_of_failed
from orchestrator.cli.speaker import Given
from orchestrator.cli.turn_record import turn_record
from orchestrator.composition import Connection, connect_fleet, conversation_of, danger_answer, remembers, turn_log
from orchestrator.console import Display, Renderer, on_signal, preload
from orchestrator.fleet import Fleet, HealthWatch, clinic_statuses
from orchestrator.journal import EventChannel
from orchestrator.settings import Settings, SettingsError
from orchestrator.terminal import (
    DESK_FILE,
    FILE,
    ClinicServices,
    ClinicTerminal,
    IdentityQuestions,
    Retention,
    TerminalDependencies,
)
from orchestrator.texts import texts_in
from orchestrator.turn import Appointment, Directory, Language, Paragraph, Session


def converse(arguments: Arguments, settings: Settings, registry: LiveRegistry, fleet: Fleet, given: Given) -> ExitCode:
    """Ask who is there and converse until they leave; after a logout ask the next person."""
    display = Display.of(os.environ)
    if display is Display.STILL:
        os.environ["TERM"] = "dumb"  # every library takes it for a terminal whose cursor cannot be moved
    renderer = Renderer(plain=display is not Display.DRAWN)
    up = (
        fleet.await_health()
        if arguments.starts_clinics
        else frozenset(entry.member.id for entry in clinic_statuses(fleet) if entry.is_serving)
    )
    complain_of_failed(fleet)
    renderer.console.print(texts_in(settings.language).text("terminal.clinics_up", up=len(up), total=len(registry)))
    events = EventChannel()
    with ExitStack() as parts:
        connection = parts.enter_context(connect_fleet(registry, fleet, events))
        pulse = parts.enter_context(
            HealthWatch(lambda: {agent.id: connection.channels.to(agent) for agent in registry.values()}, up)
        )
        opening = conversation_of(settings, connection, events, is_incognito=arguments.is_incognito)
        conversation = parts.enter_context(preload(lambda: parts.enter_context(opening)))
        dependencies = TerminalDependencies(
            renderer, settings.log_dir, on_prompt=conversation, danger_answer=danger_answer
        )
        name, cpf, language = given.name, given.cpf, settings.language
        while True:
            try:
                identity = IdentityQuestions(language, dependencies).ask(name, cpf)
            except EOFError:
                return ExitCode.OK
            retention = _retention(arguments, settings)
            services = ClinicServices(
                conversation=lambda: conversation().result(),
                events=events,
                directory=connection.directory,
                addresses=lambda: {agent.id: agent.address for agent in registry.values()},
                reload=registry.reload,
                up=lambda: pulse.up,
                record=turn_record,
                retention=retention,
                save_calendar=partial(_save_calendar, connection.directory),
                remembers=remembers(settings),
                research=lambda session: _research(arguments, settings, connection, fleet, session, renderer),
            )
            terminal = ClinicTerminal(dependencies, services, Session(identity, role=settings.role, language=language))
            pulse.on_change = terminal.redraw
            with on_signal(signal.SIGHUP, partial(_hung_up, terminal.reload)), ExitStack() as logged:
                if retention.log_dir is not None:
                    logged.callback(events.subscribe(turn_log(retention.log_dir, identity)))
                session = terminal.run()
            if not terminal.has_logged_out:
                return ExitCode.OK
            name, cpf, language = None, None, session.spoken_language
            _forget(settings, connection, renderer, language)


def _save_calendar(directory: Directory, path: Path, only: Appointment | None, session: Session) -> str:
    from orchestrator.cli.calendar_file import CalendarEntries, CalendarFileError, write_calendar  # noqa: PLC0415 - loads icalendar

    texts, entries = texts_in(session.spoken_language), CalendarEntries.of_session(session)
    if only is not None:
        entries = CalendarEntries(tuple(one for one in entries.held if one == only), speaker=session.identity)
        if not entries.held:
            return texts.text("calendar.gone")
    try:
        return write_calendar(path, entries, directory.clinics(), texts)
    except CalendarFileError as error:
        return str(error)


def _retention(arguments: Arguments, settings: Settings) -> Retention:
    return Retention(
        since=datetime.now(UTC),
        history=settings.history,
        history_file=settings.data_dir / FILE,
        log_dir=None if arguments.is_incognito else settings.log_dir,
    )


def _forget(settings: Settings, connection: Connection, renderer: Renderer, language: Language) -> None:
    # The terminal itself does not forget tokens, what was entered at the desk, and what the screen shows.
    with suppress(OSError):
        (settings.data_dir / DESK_FILE).unlink(missing_ok=True)
    if connection.credentials is not None:
        connection.credentials.forget()
    is_wiped = renderer.wipe()
    texts = texts_in(language)
    renderer.show([Paragraph(texts.text("terminal.privacy.logged_out"))])
    if not is_wiped:
        renderer.show([Paragraph(texts.text("terminal.privacy.screen_stays"))])


def _hung_up(reload: Callable[[], None]) -> None:
    # The system takes a terminal away before it says so; what is no terminal any more cannot be written to.
    if not os.isatty(sys.stdin.fileno()):
        raise SystemExit(128 + signal.SIGHUP)
    reload()


def _research(
    arguments: Arguments, settings: Settings, connection: Connection, fleet: Fleet, session: Session, renderer: Renderer
) -> None:
    from orchestrator.cli.research import open_beside  # noqa: PLC0415 - few open the desk

    if arguments.is_incognito:
        renderer.show((Paragraph(texts_in(session.spoken_language).text("terminal.privacy.no_desk")),))
        return
    try:
        open_beside(settings, connection, fleet, session)
    except SettingsError as error:
        renderer.show((Paragraph(str(error)),))
