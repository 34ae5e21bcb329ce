"""What is told of a session without opening it; loads no LangGraph, so that a front end may know it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.research.state import MultiAgentState, Stage


class UnknownSessionError(Exception):
    """There is no session with this id, or several begin so."""

    def __init__(self) -> None:
        super().__init__("there is no such session, or several whose ids begin so; --list shows them")


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in a list.

    Attributes:
        session_id: Its id.
        stage: Where the work stands.
        versions: How many versions there are.
        question: The last version's; before there is one, what the person said first.
        status: What the methodologist said last; empty before.
    """

    session_id: str
    stage: Stage
    versions: int
    question: str = field(repr=False)
    status: str


def summary_of(state: MultiAgentState) -> SessionSummary:
    """Return what is told of a session."""
    versions = state["hypothesis_versions"]
    judged = state["methodologist_output"]
    first = next((saying["text"] for saying in state["conversation_history"]), "")
    return SessionSummary(
        session_id=state["session_id"],
        stage=state["current_stage"],
        versions=len(versions),
        question=versions[-1]["question"] if versions else first,
        status="" if judged is None else judged["status"],
    )
