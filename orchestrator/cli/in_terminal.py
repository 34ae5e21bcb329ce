"""A conversation at a terminal, from the first question to goodbye.

The stages of a turn take as long to load as all the rest, so they are loaded behind the first prompt.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.memory import memory_of, remembers
from orchestrator.cli.speaker import Given
from orchestrator.cli.telemetry import follow, telemetry_of
from orchestrator.cli.turn_record import turn_record
from orchestrator.connection import Connection, connect
from orchestrator.events import EventChannel
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.pulse import Pulse
from orchestrator.fleet.roll import call_roll
from orchestrator.llm.throttle import throttle_of_people
from orchestrator.pipeline_log import PipelineLog
from orchestrator.plan import Plan
from orchestrator.privacy import Redactor
from orchestrator.registry import LiveRegistry
from orchestrator.reply import Paragraph
from orchestrator.session import Session
from orchestrator.settings import Settings, SettingsError
from orchestrator.terminal.app import Terminal
from orchestrator.terminal.display import Display, keeping_still
from orchestrator.terminal.preload import Preload
from orchestrator.terminal.questions import IdentityQuestions
from orchestrator.terminal.renderer import Renderer
from orchestrator.terminal.surroundings import ClinicConversation, Surroundings
from orchestrator.terminal.texts import PORTUGUESE
from orchestrator.terminal.turn import Taken


def converse(arguments: Arguments, settings: Settings, registry: LiveRegistry, fleet: Fleet, given: Given) -> ExitCode:
    """Ask who is there, converse until they leave, and return the exit code.

    Args:
        arguments: The command line.
        settings: The settings.
        registry: Where the clinics are.
        fleet: The clinics, launched unless the command line says otherwise.
        given: A name and CPF that need not be asked for.

    Raises:
        FleetError: The clinics do not come up.
        KeyboardInterrupt: The person left at the first questions.
    """
    display = Display.of(os.environ)
    renderer = Renderer(plain=display is not Display.DRAWN)
    up = fleet.await_health() if arguments.starts_clinics else _answering(fleet)
    renderer.console.print(PORTUGUESE.clinics_up.format(up=len(up), total=len(registry)))
    events = EventChannel()
    with ExitStack() as parts:
        still = parts.enter_context(keeping_still(os.environ)) if display is Display.STILL else None
        telemetry = parts.enter_context(telemetry_of(fleet))
        connection = parts.enter_context(connect(registry, fleet.protection, telemetry))
        follow(events, telemetry)
        pulse = parts.enter_context(
            Pulse(lambda: {agent.id: connection.channels.to(agent) for agent in registry.values()}, up)
        )
        conversation = parts.enter_context(Preload(lambda: _load(settings, connection, events, parts)))
        try:
            questions = IdentityQuestions(PORTUGUESE, renderer, terminal_output=still, on_prompt=conversation.start)
            identity = questions.ask(given.name, given.cpf)
        except EOFError:
            return ExitCode.OK
        events.subscribe(PipelineLog(settings.log_dir, Redactor(identity)))
        surroundings = Surroundings(
            conversation=_LoadedConversation(conversation),
            events=events,
            directory=connection.directory,
            addresses=lambda: {agent.id: agent.address for agent in registry.values()},
            reload=registry.reload,
            up=lambda: pulse.up,
            record=turn_record,
            renderer=renderer,
            history=settings.data_dir / "history",
            log=settings.log_dir,
            remembers=remembers(settings),
            on_prompt=conversation.start,
            still=still is not None,
            research=lambda session: _research(settings, connection, fleet, session, renderer),
        )
        terminal = Terminal(surroundings, Session(identity, role=settings.role))
        pulse.on_change = terminal.redraw
        with _on_hangup(terminal.reload):
            terminal.run()
    return ExitCode.OK


@contextmanager
def _on_hangup(reload: Callable[[], None]) -> Iterator[None]:
    """Reload on SIGHUP while the terminal is there; when it is gone, leave in order as at every other end.

    The system takes a terminal away before it says so, and what is no terminal any more cannot be talked at.
    """

    def answer(number: int, _frame: FrameType | None) -> None:
        if not os.isatty(sys.stdin.fileno()):
            raise SystemExit(128 + number)
        reload()

    before = signal.signal(signal.SIGHUP, answer)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _answering(fleet: Fleet) -> frozenset[str]:
    return frozenset(entry.member.id for entry in call_roll(fleet) if entry.is_serving)


def _load(settings: Settings, connection: Connection, events: EventChannel, parts: ExitStack) -> ClinicConversation:
    from orchestrator.composition import open_conversation  # noqa: PLC0415 - the module's first lines say why

    return parts.enter_context(
        open_conversation(
            connection,
            settings.clock,
            events,
            model=settings.llm,
            throttle=throttle_of_people(),
            data_dir=settings.data_dir,
            memory=parts.enter_context(memory_of(settings)),
        )
    )


def _research(settings: Settings, connection: Connection, fleet: Fleet, session: Session, renderer: Renderer) -> None:
    from orchestrator.cli.research import open_beside  # noqa: PLC0415 - few open the desk

    try:
        open_beside(settings, connection, fleet, session)
    except SettingsError as error:
        renderer.show((Paragraph(str(error)),))


class _LoadedConversation:
    """Takes turns once the conversation is there."""

    def __init__(self, conversation: Preload[ClinicConversation]) -> None:
        self._conversation = conversation

    def turn(
        self, session: Session, utterance: str, cancel: threading.Event | None = None, plan: Plan | None = None
    ) -> Taken[Session]:
        """Return the reply to an utterance and the session after it."""
        return self._conversation.get().turn(session, utterance, cancel, plan)
