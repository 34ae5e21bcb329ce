"""The research desk: an observation becomes a research question that can be tested.

The desk writes nothing to a clinic and knows no patient: the clinics give it counts. Everything that loads LangGraph is
in here, and only those who open the desk load it.
"""

from orchestrator.research.checkpoints import CheckpointError
from orchestrator.research.composition import NOBODY, open_desk
from orchestrator.research.installed import NotInstalledError, is_installed
from orchestrator.research.ports import ResearchDesk
from orchestrator.research.sessions import SessionSummary, UnknownSessionError

__all__ = [
    "NOBODY",
    "CheckpointError",
    "NotInstalledError",
    "ResearchDesk",
    "SessionSummary",
    "UnknownSessionError",
    "is_installed",
    "open_desk",
]
