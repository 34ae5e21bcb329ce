"""A conversation at a terminal, from the first question to goodbye."""

from __future__ import annotations

from orchestrator.channels import Channels
from orchestrator.cli.arguments import Arguments
from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.speaker import Given
from orchestrator.composition import open_conversation
from orchestrator.events import EventChannel
from orchestrator.fleet.fleet import Fleet
from orchestrator.fleet.pulse import Pulse
from orchestrator.mesh_directory import MeshDirectory
from orchestrator.pipeline_log import PipelineLog
from orchestrator.privacy import Redactor
from orchestrator.registry import Registry
from orchestrator.session import Session
from orchestrator.settings import Settings
from orchestrator.terminal.app import Surroundings, Terminal
from orchestrator.terminal.questions import IdentityQuestions
from orchestrator.terminal.renderer import Renderer
from orchestrator.terminal.texts import PORTUGUESE


def converse(arguments: Arguments, settings: Settings, registry: Registry, fleet: Fleet, given: Given) -> ExitCode:
    """Ask who is there, converse until they leave, and return the exit code.

    Args:
        arguments: The command line.
        settings: The settings.
        registry: Where the clinics are.
        fleet: The clinics, launched.
        given: A name and CPF that need not be asked for.

    Raises:
        FleetError: The clinics do not come up.
        KeyboardInterrupt: The person left at the first questions.
    """
    renderer = Renderer()
    if arguments.starts_clinics:
        fleet.await_health()
    with Channels() as channels, Pulse({agent.id: channels.to(agent) for agent in registry.values()}) as pulse:
        pulse.check()
        renderer.console.print(PORTUGUESE.clinics_up.format(up=len(pulse.up), total=len(registry)))
        try:
            identity = IdentityQuestions(PORTUGUESE, renderer).ask(given.name, given.cpf)
        except EOFError:
            return ExitCode.OK
        events = EventChannel([PipelineLog(settings.log_dir, Redactor(identity))])
        with open_conversation(registry, settings.clock, events) as conversation:
            surroundings = Surroundings(
                conversation=conversation,
                events=events,
                directory=MeshDirectory(registry, channels),
                addresses={agent.id: agent.address for agent in registry.values()},
                pulse=pulse,
                renderer=renderer,
                history=settings.data_dir / "history",
                log=settings.log_dir,
            )
            terminal = Terminal(surroundings, Session(identity, role=settings.role))
            pulse.on_change = terminal.redraw
            terminal.run()
    return ExitCode.OK
