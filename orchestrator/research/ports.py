"""What a front end needs of the research desk: whether it is installed, its type, its sessions. Loads no LangGraph."""

from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, TypeAlias

from mesh.errors import UsageError
from orchestrator.texts import texts_in
from orchestrator.turn import Language

if TYPE_CHECKING:  # it loads LangGraph
    from orchestrator.research.graph import Desk

ResearchDesk: TypeAlias = "Desk"
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
