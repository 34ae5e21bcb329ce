"""What a slash command of the clinics' terminal asks for, and what it sees; `clinic_commands` holds the commands.

The terminal carries the actions out. A line that begins with a slash is never sent to a conversation as it stands.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from pathlib import Path

from orchestrator import turn
from orchestrator.agents import LiveRegistry
from orchestrator.journal import EventChannel
from orchestrator.settings import HistoryKind
from orchestrator.stages import TurnTaker
from orchestrator.terminal.secrecy import PromptHistory
from orchestrator.terminal.turn_trace import TurnTrace
from orchestrator.texts import Texts, texts_in


@dataclass(frozen=True, slots=True)
class Show:
    """Draw these blocks."""

    blocks: tuple[turn.Block, ...]
    session: turn.Session | None = None  # what to go on with; None: nothing changes


@dataclass(frozen=True, slots=True)
class Say:
    """Take a turn."""

    utterance: str = field(repr=False)  # what is said, as if it had been typed
    plan: turn.Plan | None = None  # what to do where nothing has to be understood; None leaves it to the planner
    question: turn.Question | None = None  # what the utterance answers, in place of the open question and proposal
    agrees: bool = False  # whether the open proposal was agreed to before


@dataclass(frozen=True, slots=True)
class SaveCalendar:
    """Ask for the person's appointments, and write one of them, or all, as a calendar."""

    path: Path
    only: turn.Appointment | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """Show what an MCP client proposed, and make it after a yes."""

    proposal: str  # its id


class Request(Enum):
    """What needs no further words."""

    SHOW_RECORD = auto()  # print the record of the last turn, a line of JSON
    DONE = auto()  # forget the patient who is served
    LOG_OUT = auto()  # forget everything of the person, and ask who speaks
    RELOAD = auto()  # read the registry of the agents again
    OPEN_DESK = auto()  # open the research desk, and come back
    LEAVE = auto()


Action = Show | Say | SaveCalendar | Confirm | turn.Served | Request  # `Served` leaves this conversation for another


def show_text(words: str, session: turn.Session | None = None) -> Show:
    """Return the action that draws one paragraph."""
    return Show((turn.Paragraph(words),), session)


@dataclass(frozen=True, slots=True)
class ClinicServices:
    """What the terminal of the clinics needs besides, and what is kept of who is at it, where."""

    conversation: Callable[[], TurnTaker]  # returns who takes the turns, waiting until it is loaded
    events: EventChannel
    directory: turn.Directory
    registry: LiveRegistry
    up: Callable[[], frozenset[str]]  # returns the ids of those that answer
    # returns a turn's record by its number, the reply, and the session before and after
    record: Callable[[int, turn.Reply, turn.Session, turn.Session], str]
    history: HistoryKind  # what outlives the session of the prompt's history
    history_file: Path  # the file of that
    log_dir: Path | None  # the folder of the log; None where no line of a turn is written
    # writes what a session knows, or one appointment of it, as a calendar, and returns what to say of it
    save_calendar: Callable[[Path, turn.Appointment | None, turn.Session], str]
    # reads what a command notes; None: nothing is remembered
    noted: Callable[[str, turn.Language], turn.SaveMemory] | None = None
    # returns whom an operator's sentence begins to serve, or that it ends serving; None for any other sentence
    serving: Callable[[str, turn.Session], turn.Served | Request | None] = lambda _said, _session: None
    # makes what waits under an id if the person agrees to its words, and returns what became of it
    confirm: Callable[[str, turn.Session, Callable[[str], bool]], str] = lambda *_: ""
    research: Callable[[turn.Session], None] = lambda _: None  # opens the desk until the person leaves it


@dataclass(frozen=True, slots=True)
class ClinicView:
    """What there is at the moment."""

    session: turn.Session
    services: ClinicServices
    clinics: tuple[turn.Clinic, ...]
    since: datetime  # when the person's identity was known; real time, aware
    history: PromptHistory  # of what was entered at the prompt
    trace: TurnTrace  # of the last turn

    @property
    def texts(self) -> Texts:
        """The terminal's own texts."""
        return texts_in(self.session.spoken_language)

    def clinic_name(self, clinic: str) -> str:
        """Return a clinic's name, by its id."""
        return turn.clinic_name(clinic, self.clinics)
