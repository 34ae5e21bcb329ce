"""Hold a conversation at a terminal; the stages of a turn, half the time to the prompt, are loaded behind it."""

import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import UsageError
from orchestrator import composition, terminal, turn
from orchestrator.agents import LiveRegistry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, await_clinics
from orchestrator.cli.speaker import Given
from orchestrator.cli.turn_record import turn_record
from orchestrator.console import Display, Renderer, on_signal, preload
from orchestrator.fleet import Fleet, HealthWatch, clinic_statuses
from orchestrator.journal import EventChannel, PipelineLog
from orchestrator.settings import Settings
from orchestrator.texts import Texts, texts_in

_is_record = re.compile(r"[A-Za-z]+-[0-9]+").fullmatch


def converse(arguments: Arguments, settings: Settings, registry: LiveRegistry, fleet: Fleet, given: Given) -> ExitCode:
    """Ask who is there and converse until they leave; after a logout ask the next person."""
    display = Display.of(os.environ)
    if display is Display.STILL:
        os.environ["TERM"] = "dumb"  # every library takes it for a terminal whose cursor cannot be moved
    renderer = Renderer(plain=display is not Display.DRAWN)
    up = (
        await_clinics(fleet)
        if arguments.starts_clinics
        else frozenset(entry.member.id for entry in clinic_statuses(fleet) if entry.is_serving)
    )
    renderer.console.print(texts_in(settings.language).text("terminal.clinics_up", up=len(up), total=len(registry)))
    events = EventChannel()
    with ExitStack() as parts:
        connection = parts.enter_context(composition.connect_fleet(registry, fleet, events))
        watch = HealthWatch(lambda: {agent.id: connection.channels.to(agent) for agent in registry.values()}, up)
        pulse = parts.enter_context(watch)
        opening = composition.conversation_of(settings, connection, events, is_incognito=arguments.is_incognito)
        conversation = parts.enter_context(preload(lambda: parts.enter_context(opening)))
        dependencies = terminal.TerminalDependencies(
            renderer, settings.log_dir, on_prompt=conversation, danger_answer=composition.danger_answer
        )
        desk = _Desk(arguments, settings, fleet, connection, dependencies)
        log_dir = None if arguments.is_incognito else settings.log_dir
        services = terminal.ClinicServices(
            conversation=lambda: conversation().result(),
            events=events,
            directory=connection.directory,
            registry=registry,
            up=lambda: pulse.up,
            record=turn_record,
            history=settings.history,
            history_file=settings.data_dir / terminal.FILE,
            log_dir=log_dir,
            noted=desk.noted if settings.memory else None,
            save_calendar=desk.save_calendar,
            serving=_serving,
            confirm=desk.confirm,
            research=desk.research,
        )
        session = desk.ask(settings.language, given.name, given.cpf)
        while session is not None:
            screen = terminal.ClinicTerminal(dependencies, services, session)
            pulse.on_change = screen.redraw
            with on_signal(signal.SIGHUP, partial(_hung_up, screen.reload)), ExitStack() as logged:
                if log_dir is not None:
                    logged.callback(events.subscribe(PipelineLog(log_dir, session.identity)))
                after = screen.run()
            if screen.next is None:
                break
            session = desk.next_session(screen.next, after) or desk.ask(after.spoken_language)
    return ExitCode.OK


def _serving(said: str, session: turn.Session) -> turn.Served | terminal.Request | None:
    if session.role is not turn.Role.OPERATOR:
        return None
    from orchestrator.front_desk import ends_serving, served_in  # noqa: PLC0415 - behind the first prompt

    is_done = session.operator is not None and ends_serving(said)
    return served_in(said) or (terminal.Request.DONE if is_done else None)


@dataclass(frozen=True, slots=True)
class _Desk:
    arguments: Arguments
    settings: Settings
    fleet: Fleet
    connection: composition.Connection
    dependencies: terminal.TerminalDependencies

    def ask(self, language: turn.Language, name: str | None = None, cpf: str | None = None) -> turn.Session | None:
        """Return the session of who says who is there, asked for what is not given; None if they leave."""
        try:
            identity = terminal.IdentityQuestions(language, self.dependencies).ask(name, cpf)
        except EOFError:
            return None
        return turn.Session(identity, role=self.settings.role, language=language)

    def next_session(self, wanted: turn.Served | terminal.Request, session: turn.Session) -> turn.Session | None:
        """Forget who is left, and return the session of whom the operator serves next, if anybody; None: a logout."""
        texts, renderer = texts_in(session.spoken_language), self.dependencies.renderer
        if wanted is terminal.Request.LOG_OUT:
            self._forget(texts, texts.text("terminal.privacy.logged_out"))
            return None
        from orchestrator.front_desk import session_for  # noqa: PLC0415 - behind the first prompt

        if session.operator is not None:
            self._forget(texts, texts.text("terminal.serving.forgotten"))
        patient = None
        if isinstance(wanted, turn.Served) and _is_record(wanted.name):
            patient = self._holder_of(wanted.name, session)
            if patient is None:
                renderer.say(texts.text("terminal.serving.no_record"))
        elif isinstance(wanted, turn.Served):
            asked = texts.text("terminal.serving.ask_name")
            questions = terminal.IdentityQuestions(texts.language, self.dependencies, asked)
            with suppress(EOFError, KeyboardInterrupt):
                patient = questions.ask(wanted.name or None, wanted.cpf)
        return session_for(session, patient)

    def _holder_of(self, patient_id: str, session: turn.Session) -> turn.Identity | None:
        registry, call = self.connection.registry, turn.ToolCall("get_patient", {"patient_id": patient_id})
        steps = [turn.Step(number, agent.id, call) for number, agent in enumerate(registry.values(), 1)]
        steps = [step for step in steps if registry[step.clinic].takes(step.action)]
        with composition.open_router(self.connection, EventChannel(), self.settings.clock) as router:
            results = router.dispatch(steps, turn.TurnScope(session.identity, session.role))
        found = (one.response.patient for one in results if isinstance(one.response, pb.GetPatientResponse))
        return next((turn.Identity(patient.name, patient.cpf) for patient in found), None)

    def _forget(self, texts: Texts, said: str) -> None:
        # The terminal itself does not forget tokens, what was entered at the desk, and what the screen shows.
        with suppress(OSError):
            (self.settings.data_dir / terminal.DESK_FILE).unlink(missing_ok=True)
        self.connection.credentials.forget()
        renderer = self.dependencies.renderer
        is_wiped = renderer.wipe()
        renderer.show([turn.Paragraph(said)])
        if not is_wiped:
            renderer.show([turn.Paragraph(texts.text("terminal.privacy.screen_stays"))])

    def noted(self, content: str, language: turn.Language) -> turn.SaveMemory:
        from orchestrator.planner import noted  # noqa: PLC0415 - behind the first prompt

        return noted(content, self.settings.clock(), language, self.connection.directory.clinics())

    def save_calendar(self, path: Path, only: turn.Appointment | None, session: turn.Session) -> str:
        from orchestrator.cli.calendar_file import CalendarEntries, CalendarFileError, write_calendar  # noqa: PLC0415 - loads icalendar

        texts, entries = texts_in(session.spoken_language), CalendarEntries.of_session(session)
        if only is not None:
            entries = CalendarEntries(tuple(one for one in entries.held if one == only), speaker=session.identity)
            if not entries.held:
                return texts.text("calendar.gone")
        try:
            return write_calendar(path, entries, self.connection.directory.clinics(), texts)
        except CalendarFileError as error:
            return str(error)

    def confirm(self, proposal_id: str, session: turn.Session, agrees: Callable[[str], bool]) -> str:
        from orchestrator.cli.gateway_commands import confirm, open_gateway  # noqa: PLC0415 - few confirm what waits

        texts, scope = texts_in(session.spoken_language), turn.TurnScope(session.identity, session.role)
        with open_gateway(self.settings, self.connection) as gateway:
            code, said = confirm(gateway, proposal_id, scope, agrees, texts)
        return texts.text("gateway.done") if code is ExitCode.OK else said

    def research(self, session: turn.Session) -> None:
        from orchestrator.cli.research import open_beside  # noqa: PLC0415 - few open the desk

        renderer = self.dependencies.renderer
        if self.arguments.is_incognito:
            renderer.show((turn.Paragraph(texts_in(session.spoken_language).text("terminal.privacy.no_desk")),))
            return
        try:
            open_beside(self.settings, self.connection, self.fleet, session)
        except UsageError as error:
            renderer.show((turn.Paragraph(str(error)),))


def _hung_up(reload: Callable[[], None]) -> None:
    # The system takes a terminal away before it says so; what is no terminal any more cannot be written to.
    if not os.isatty(sys.stdin.fileno()):
        raise SystemExit(128 + signal.SIGHUP)
    reload()
