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
    """What every terminal needs, whomever the person talks to."""

    renderer: Renderer
    log: Path  # where a person is sent after an internal fault
    input: Input | None = None  # where keys come from; None for the terminal
    output: Output | None = None  # where the prompt goes; None for the terminal
    on_prompt: Callable[[], object] = lambda: None  # called whenever a prompt begins to wait for a line
    clock: Callable[[], float] = time.monotonic  # seconds that only go forward


@dataclass(frozen=True, slots=True)
class ClinicServices:
    """What the terminal of the clinics needs besides."""

    conversation: Callable[[], ClinicConversation]  # returns who takes the turns, waiting until it is loaded
    events: EventChannel
    directory: Directory
    addresses: Callable[[], Mapping[str, str]]  # returns where they are, by id
    reload: Callable[[], Reloaded]  # reads the registry again; raises RegistryError when it cannot be used
    up: Callable[[], frozenset[str]]  # returns the ids of those that answer
    # record: returns a turn as a line of JSON: its number, the reply, the session before and after
    record: Callable[[int, Reply, Session, Session], str]
    retention: Retention  # since when the person is here, and what is kept of them
    remembers: bool = False  # whether what the person says of themselves may be remembered
    # research: opens the research desk and returns when the person has left it
    research: Callable[[Session], None] = lambda _: None
