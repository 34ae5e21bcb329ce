"""The ports of the research desk: what it needs of the clinics, and what a front end needs of it; no LangGraph."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from orchestrator.research.feasibility_table import FeasibilityTable
from orchestrator.research.sessions import SessionSummary
from orchestrator.stages import TurnScope
from orchestrator.turn import Block, Language, Reply


class Feasibility(Protocol):
    """Counts patients over the clinics."""

    def counts(self, population: str, language: Language) -> FeasibilityTable:
        """Return how many patients of each specialty belong to a population.

        Args:
            population: Whom a question is about, in the person's words.
            language: The language of those words.
        """
        ...


FeasibilityOfTurn = Callable[[TurnScope], Feasibility]
"""Returns who counts for a turn: its calls are bound to the turn."""


class ResearchDesk(Protocol):
    """Sessions, and the turns of one."""

    def start(self) -> str:
        """Return the id of a new session."""
        ...

    def find(self, session_id: str) -> str:
        """Return the whole id of the one session whose id begins so.

        Raises:
            UnknownSessionError: There is none, or more than one.
        """
        ...

    def sessions(self) -> tuple[SessionSummary, ...]:
        """Return all sessions, the one that was worked on last first."""
        ...

    def delete(self, session_id: str) -> None:
        """Delete a session.

        Raises:
            UnknownSessionError: There is no such session.
        """
        ...

    def resume(self, session_id: str) -> Reply | None:
        """Return the last answer of a session, finishing a turn that was broken off; None: nothing was said yet."""
        ...

    def answer(self, session_id: str, utterance: str, cancel: threading.Event | None = None) -> Reply:
        """Take a turn and return what the agents say; `cancel`, once set, stops what is being waited for."""
        ...

    def versions(self, session_id: str) -> tuple[Block, ...]:
        """Return the versions of a session's question; nothing before the first."""
        ...

    def export(self, session_id: str) -> str:
        """Return a session as Markdown."""
        ...
