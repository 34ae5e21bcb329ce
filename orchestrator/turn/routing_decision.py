"""How a turn was routed, as a value for those who tell of it: progress, log, figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from orchestrator.turn.classification import Classification
from orchestrator.turn.tasks import Task


class FallbackPolicy(StrEnum):
    """What a request comes to that no agent is for."""

    ANSWER = "answer"  # a short answer by a language model, behind a fixed preamble
    UNSUPPORTED = "unsupported"  # that it is not supported, and what is
    PROPOSE = "propose"  # the same, and a record of what an agent for it would need


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent and how well it fits.

    Attributes:
        agent: Its id.
        score: From -0.2 to 1.1.
        specialty: The code of the domain as which it fits: the first in common, else its own first.
        in_common: How many domains it has in common with the classification.
    """

    agent: str
    score: float
    specialty: str
    in_common: int


@dataclass(frozen=True, slots=True)
class RoutingDecision:
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
