"""How a turn was routed, as a value for those who tell of it: progress, log, figures."""

from __future__ import annotations

from dataclasses import dataclass, field

from orchestrator.routing.candidates import Candidate
from orchestrator.routing.classification import Classification
from orchestrator.routing.contracts import Task


@dataclass(frozen=True, slots=True)
class Decision:
    """How a turn was routed.

    Attributes:
        classification: What it is about.
        candidates: Every agent with its best score over the subtasks, the best first.
        tasks: What goes to whom; none where no agent is called.
    """

    classification: Classification
    candidates: tuple[Candidate, ...] = ()
    tasks: tuple[Task, ...] = field(default=(), repr=False)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids of the agents that are called, each once."""
        return tuple(dict.fromkeys(agent for task in self.tasks for agent in task.inputs))
