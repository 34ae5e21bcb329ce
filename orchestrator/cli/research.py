"""Open the research desk, at a terminal or over piped lines; without clinics or the operator's key it counts nobody."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack

from orchestrator.agents import Registry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.converse import prepare_folders
from orchestrator.cli.exit_code import ExitCode, await_clinics, complain
from orchestrator.cli.script import DeskScript, standard_input
from orchestrator.cli.turn_record import research_session_record
from orchestrator.composition import Connection, connect_fleet, fleet_of
from orchestrator.console import DESK_COMMANDS, DeskSession, Display, Progress, Renderer, preload, sessions_blocks
from orchestrator.fleet import Fleet, FleetError
from orchestrator.journal import EventChannel, PipelineLog
from orchestrator.privacy import Redactor
from orchestrator.research import ResearchDesk, check_extra
from orchestrator.security import CredentialError, issuer_of
from orchestrator.settings import Settings, SettingsError
from orchestrator.terminal import DESK_FILE, DeskTerminal, PromptHistory, TerminalDependencies
from orchestrator.texts import texts_in
from orchestrator.turn import NOBODY, Identity, Language, Role, Session


def run(arguments: Arguments, settings: Settings, registry: Registry) -> ExitCode:
    """Open the desk, or list or delete sessions, and return the exit code."""
    check_extra(settings.language)
    prepare_folders(settings)
    if arguments.lists_sessions or arguments.deleted_session:
        return _look_after_sessions(arguments, settings)
    fleet = fleet_of(settings, registry)
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if is_terminal and arguments.output != "text":
        raise SettingsError("--output is for scripts: pipe the lines in")
    fleet.protection.keys.prepare()
    has_clinics = not arguments.starts_clinics or _succeeds(fleet.launch)
    try:
        with ExitStack() as parts:
            names: dict[str, str] = {}

            def load(events: EventChannel) -> ResearchDesk:
                connection = None
                if has_clinics and _may_count(fleet) and _succeeds(lambda: await_clinics(fleet)):
                    connection = parts.enter_context(connect_fleet(registry, fleet))
                    names.update((clinic.id, clinic.name) for clinic in connection.directory.clinics())
                return parts.enter_context(_opened(settings, events, connection))

            if is_terminal:
                _converse(settings, load, names, settings.language, arguments.session)
                return ExitCode.OK
            progress = Progress(names, lambda line: print(line, file=sys.stderr, flush=True))
            desk = load(EventChannel([progress]))
            script = DeskScript(progress, desk, arguments.session, as_records=arguments.output == "jsonl")
            return script.run(standard_input())
    finally:
        fleet.stop()


def _look_after_sessions(arguments: Arguments, settings: Settings) -> ExitCode:
    with _opened(settings, EventChannel()) as desk:
        if arguments.deleted_session:
            desk.delete(arguments.deleted_session)
        elif arguments.output == "jsonl":
            sys.stdout.writelines(f"{research_session_record(session)}\n" for session in desk.sessions())
        else:
            Renderer().show(sessions_blocks(desk.sessions(), texts_in(settings.language)))
    return ExitCode.OK


def open_beside(settings: Settings, connection: Connection, fleet: Fleet, session: Session) -> None:
    """Open the desk at a terminal of the clinics, and return when the person has left it."""
    check_extra(session.spoken_language)
    # A terminal of a patient's never signs as an operator (docs/identity.md), whatever key lies beside it.
    is_operator = session.role is Role.OPERATOR
    countable = connection if is_operator and _may_count(fleet) else None
    with ExitStack() as parts:
        _converse(
            settings,
            lambda events: parts.enter_context(_opened(settings, events, countable, session.identity)),
            {clinic.id: clinic.name for clinic in connection.directory.clinics()},
            session.spoken_language,
            notice="" if is_operator else texts_in(session.spoken_language).text("research.terminal.no_counts"),
        )


def _may_count(fleet: Fleet) -> bool:
    return _succeeds(lambda: fleet.protection.keys.check(issuer_of(Role.OPERATOR)))


def _succeeds(act: Callable[[], object]) -> bool:
    """Do what counting needs and return whether it went well; complain where it did not."""
    try:
        act()
    except (CredentialError, FleetError) as error:
        complain(f"{error}; going on without counts")
        return False
    return True


def _opened(
    settings: Settings, events: EventChannel, connection: Connection | None = None, speaker: Identity = NOBODY
) -> AbstractContextManager[ResearchDesk]:
    from orchestrator.composition.research_desk import open_desk  # noqa: PLC0415 - loads LangGraph, behind the prompt

    events.subscribe(PipelineLog(settings.log_dir, speaker))
    return open_desk(settings.data_dir, events, connection, settings.llm, speaker)


def _converse(
    settings: Settings,
    load: Callable[[EventChannel], ResearchDesk],
    names: Mapping[str, str],
    language: Language,
    session_id: str | None = None,
    notice: str = "",
) -> None:
    renderer = Renderer(plain=Display.of(os.environ) is not Display.DRAWN)
    progress = Progress(names, renderer.say if renderer.plain else None)
    history = PromptHistory(settings.data_dir / DESK_FILE, frozenset(DESK_COMMANDS), settings.history, Redactor())
    with preload(lambda: load(EventChannel([progress]))) as desk:  # behind the first prompt
        dependencies = TerminalDependencies(renderer, settings.log_dir, on_prompt=desk)
        session = DeskSession(lambda: desk().result(), language)
        DeskTerminal(dependencies, session, progress, history).run(session_id, notice)
