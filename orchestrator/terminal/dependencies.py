"""What a terminal needs from outside: values that the command line and tests fill in."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from orchestrator.agents import Reloaded
from orchestrator.console import ClinicConversation, Renderer
from orchestrator.journal import EventChannel
from orchestrator.terminal.view_state import Retention
from orchestrator.turn import Directory, Reply, Session


@dataclass(frozen=True, slots=True)
class TerminalDependencies:
    """What every terminal needs, whomever the person talks to.

    Attributes:
        renderer: Where replies are drawn.
        log: Where a person is sent after an internal fault.
        input: Where keys come from; None for the terminal.
        output: Where the prompt goes; None for the terminal.
        on_prompt: Called whenever a prompt begins to wait for a line.
        clock: Seconds that only go forward.
    """

    renderer: Renderer
    log: Path
    input: Input | None = None
    output: Output | None = None
    on_prompt: Callable[[], object] = lambda: None
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class ClinicServices:
    """What the terminal of the clinics needs besides.

    Attributes:
        conversation: Returns who takes the turns, waiting until it is loaded.
        events: What happens during a turn.
        directory: Who the clinics are.
        addresses: Returns where they are, by id.
        reload: Reads the registry again; raises RegistryError when it cannot be used.
        up: Returns the ids of those that answer.
        record: Returns a turn as a line of JSON: its number, the reply, the session before and after.
        retention: Since when the person is here, and what is kept of them.
        remembers: Whether what the person says of themselves may be remembered.
        research: Opens the research desk and returns when the person has left it.
    """

    conversation: Callable[[], ClinicConversation]
    events: EventChannel
    directory: Directory
    addresses: Callable[[], Mapping[str, str]]
    reload: Callable[[], Reloaded]
    up: Callable[[], frozenset[str]]
    record: Callable[[int, Reply, Session, Session], str]
    retention: Retention
    remembers: bool = False
    research: Callable[[Session], None] = lambda _: None
