"""The research desk: an observation becomes a research question that can be tested, and patients are counted for it.

The desk writes nothing to a clinic and knows no patient: clinics give it counts. What needs LangGraph is in `graph`,
which only who opens the desk loads.
"""

from orchestrator.research.feasibility import Feasibility, FeasibilityOfTurn
from orchestrator.research.ports import (
    CheckpointError,
    NotInstalledError,
    ResearchDesk,
    SessionSummary,
    UnknownSessionError,
    is_installed,
)

__all__ = [
    "CheckpointError",
    "Feasibility",
    "FeasibilityOfTurn",
    "NotInstalledError",
    "ResearchDesk",
    "SessionSummary",
    "UnknownSessionError",
    "is_installed",
]
