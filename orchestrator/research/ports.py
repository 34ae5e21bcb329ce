"""What a front end needs of the research desk: whether it is installed, its sessions, its turns. Loads no LangGraph."""

import threading
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Literal, Protocol

from mesh.errors import UsageError
from orchestrator.texts import texts_in
from orchestrator.turn import Block, Language, Reply

Stage = Literal["classifying", "structuring", "validating", "done"]

_EXTRA = ("langgraph.graph", "langgraph.checkpoint.sqlite")


def check_extra(language: Language) -> None:
    """Raise `UsageError`, in this language, if the extra `research` is not installed; it is not loaded."""
    try:
        is_installed = all(find_spec(module) is not None for module in _EXTRA)
    except ModuleNotFoundError:
        is_installed = False
    if not is_installed:
        raise UsageError(texts_in(language).text("research.how_to_install"))


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in a list."""

    session_id: str
    stage: Stage
    versions: int
    question: str = field(repr=False)  # the last version's question, or the person's first words before there is one
    status: str  # the methodologist's last verdict; empty before the first
    gaps: tuple[str, ...] = ()  # the aspects of what the last version lacks
    intent: str = "test_hypothesis"  # what the work is to be


class ResearchDesk(Protocol):
    """Sessions, and the turns of one."""

    def start(self) -> str:
        """Return the id of a new session."""

    def find(self, session_id: str) -> str:
        """Return the full id of the one session that begins so; raise `UsageError` for none or several."""

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Return all sessions, the most recently used first."""

    def summary(self, session_id: str) -> SessionSummary:
        """Return what a list says of a session."""

    def delete(self, session_id: str) -> None:
        """Delete the one session that begins so; raise `UsageError` for none or several."""

    def resume(self, session_id: str) -> Reply | None:
        """Finish an interrupted turn and return the session's last answer; None if nothing was said yet."""

    def answer(self, session_id: str, utterance: str, cancel: threading.Event | None = None) -> Reply:
        """Take a turn and return what the agents say; setting `cancel` stops waiting for a model or a clinic."""

    def versions(self, session_id: str) -> tuple[Block, ...]:
        """Return the versions of a session's question; empty before the first."""

    def export(self, session_id: str) -> str:
        """Return a session as Markdown."""
