"""What commands of the clinics and the toolbar see, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from orchestrator.settings import HistoryKind
from orchestrator.turn import Block, Clinic, Language, Plan, Session


@dataclass(frozen=True, slots=True)
class Retention:
    """Since when a person is at the terminal, and what is kept of them, where.

    Attributes:
        since: When their identity was known; real time, aware.
        history: What outlives the session of the prompt's history.
        history_file: The file of that.
        log_dir: The folder of the log; None where no line of a turn is written.
    """

    since: datetime
    history: HistoryKind
    history_file: Path
    log_dir: Path | None


@dataclass(frozen=True, slots=True)
class ClinicHealth:
    """A clinic, where it is, and whether it answers.

    Attributes:
        clinic: Who it is.
        address: Where it is called, as host:port.
        is_up: Whether its last health check was good.
    """

    clinic: Clinic
    address: str
    is_up: bool


@dataclass(frozen=True, slots=True)
class ClinicView:
    """What there is at the moment.

    Attributes:
        session: The conversation so far.
        retention: Since when, and what is kept of it.
        clinics: Every clinic of the registry, in its order.
        trace: How the last turn went, as blocks; empty before the first.
        unanswered: The reads of the last turn that a clinic did not answer; None when there are none.
        remembers: Whether what the person says of themselves may be remembered.
    """

    session: Session
    retention: Retention
    clinics: tuple[ClinicHealth, ...]
    trace: tuple[Block, ...] = field(default=(), repr=False)
    unanswered: Plan | None = None
    remembers: bool = False

    @property
    def language(self) -> Language:
        """The language of the terminal's own texts: the pinned one, else that of the last answer."""
        return self.session.spoken_language

    @property
    def specialties(self) -> tuple[str, ...]:
        """The codes of the specialties of all clinics, each once."""
        return tuple(dict.fromkeys(one.clinic.specialty for one in self.clinics))

    def clinic_name(self, clinic: str) -> str:
        """Return what people call a clinic, by its id."""
        return next((each.clinic.name for each in self.clinics if each.clinic.id == clinic), clinic)
