"""What is known of a person's stay at the terminal besides the session: since when, and what is kept of it, where."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from orchestrator.settings import HistoryKind


@dataclass(frozen=True, slots=True)
class Stay:
    """The time from one person's identity to their leaving.

    Attributes:
        since: When it began; real time, aware.
        history: What outlives it of the prompt's history.
        history_file: The file of that.
        log_dir: The folder of the log; None where no line of a turn is written.
    """

    since: datetime
    history: HistoryKind
    history_file: Path
    log_dir: Path | None
