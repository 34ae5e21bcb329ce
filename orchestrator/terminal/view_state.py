"""What commands of the clinics and the toolbar see, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from orchestrator.settings import HistoryKind
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Clinic, Language, Plan, Session


@dataclass(frozen=True, slots=True)
class Retention:
    """Since when a person is at the terminal, and what is kept of them, where."""

    since: datetime  # when their identity was known; real time, aware
    history: HistoryKind  # what outlives the session of the prompt's history
    history_file: Path  # the file of that
    log_dir: Path | None  # the folder of the log; None where no line of a turn is written


@dataclass(frozen=True, slots=True)
class ClinicHealth:
    """A clinic, where it is, and whether it answers."""

    clinic: Clinic
    address: str  # where it is called, as host:port
    is_up: bool  # whether its last health check was good


@dataclass(frozen=True, slots=True)
class ClinicView:
    """What there is at the moment."""

    session: Session
    retention: Retention  # since when, and what is kept of it
    clinics: tuple[ClinicHealth, ...]
    trace: tuple[Block, ...] = field(default=(), repr=False)  # how the last turn went; empty before the first
    unanswered: Plan | None = None  # the reads of the last turn that a clinic did not answer; None when there are none
    remembers: bool = False  # whether what the person says of themselves may be remembered

    @property
    def language(self) -> Language:
        """The language of the terminal's own texts: the pinned one, else that of the last answer."""
        return self.session.spoken_language

    @property
    def texts(self) -> Texts:
        """The terminal's own texts."""
        return texts_in(self.language)

    @property
    def specialties(self) -> tuple[str, ...]:
        """The codes of the specialties of all clinics, each once."""
        return tuple(dict.fromkeys(one.clinic.specialty for one in self.clinics))

    def clinic_name(self, clinic: str) -> str:
        """Return what people call a clinic, by its id."""
        return next((each.clinic.name for each in self.clinics if each.clinic.id == clinic), clinic)
