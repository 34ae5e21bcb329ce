"""What a terminal needs from outside, and what its commands and its toolbar see."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from orchestrator.agents import LiveRegistry
from orchestrator.console import Renderer
from orchestrator.journal import EventChannel
from orchestrator.settings import HistoryKind
from orchestrator.stages import TurnTaker
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.slash_commands import Request, Serve
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Appointment, Block, Clinic, Directory, Language, Plan, Reply, SaveMemory, Session


@dataclass(frozen=True, slots=True)
class TerminalDependencies:
    """What every terminal needs, whomever the person talks to."""

    renderer: Renderer
    log: Path  # where a person is sent after an internal fault
    input: Input | None = None  # where keys come from; None for the terminal
    output: Output | None = None  # where the prompt goes; None for the terminal
    on_prompt: Callable[[], object] = lambda: None  # called whenever a prompt begins to wait for a line
    clock: Callable[[], float] = time.monotonic  # seconds that only go forward
    # the answer to a sign of danger in a text; None where it holds none
    danger_answer: Callable[[str, Language], Reply | None] = lambda _said, _language: None


@dataclass(frozen=True, slots=True)
class ClinicServices:
    """What the terminal of the clinics needs besides, and what is kept of who is at it, where."""

    conversation: Callable[[], TurnTaker]  # returns who takes the turns, waiting until it is loaded
    events: EventChannel
    directory: Directory
    registry: LiveRegistry
    up: Callable[[], frozenset[str]]  # returns the ids of those that answer
    record: Callable[[int, Reply, Session, Session], str]  # by number, reply, and the session before and after
    history: HistoryKind  # what outlives the session of the prompt's history
    history_file: Path  # the file of that
    log_dir: Path | None  # the folder of the log; None where no line of a turn is written
    # writes what a session knows, or one appointment of it, as a calendar, and returns what to say of it
    save_calendar: Callable[[Path, Appointment | None, Session], str]
    noted: Callable[[str, Language], SaveMemory] | None = (
        None  # reads what a command notes; None: nothing is remembered
    )
    # returns whom an operator's sentence begins to serve, or that it ends serving; None for any other sentence
    serving: Callable[[str, Session], Serve | Request | None] = lambda _said, _session: None
    # makes what waits under an id if the person agrees to its words, and returns what became of it
    confirm: Callable[[str, Session, Callable[[str], bool]], str] = lambda *_: ""
    research: Callable[[Session], None] = lambda _: None  # opens the desk, and returns when the person has left it


@dataclass(frozen=True, slots=True)
class ClinicView:
    """What there is at the moment."""

    session: Session
    services: ClinicServices
    clinics: tuple[Clinic, ...]
    since: datetime  # when the person's identity was known; real time, aware
    history: PromptHistory  # of what was entered at the prompt
    trace: tuple[Block, ...] = field(default=(), repr=False)  # how the last turn went; empty before the first
    unanswered: Plan | None = None  # the reads of the last turn that a clinic did not answer; None when there are none

    @property
    def language(self) -> Language:
        """The language of the terminal's own texts: the pinned one, else that of the last answer."""
        return self.session.spoken_language

    @property
    def texts(self) -> Texts:
        """The terminal's own texts."""
        return texts_in(self.language)

    def clinic_name(self, clinic: str) -> str:
        """Return a clinic's name, by its id."""
        return next((each.name for each in self.clinics if each.id == clinic), clinic)
