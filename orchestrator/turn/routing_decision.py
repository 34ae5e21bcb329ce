"""How a turn was routed: candidates, tasks for agents, and the result of each task.

A task lives inside the orchestrator: on the wire it is a typed call with the trace id in its metadata. These values
hold no identity and nothing that an agent answered, only ids, counts, statuses and times, so that they can be logged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from orchestrator.turn.plan import Classification, Step
from orchestrator.turn.result import StepResult, StepStatus


@dataclass(frozen=True, slots=True)
class Task:
    """A subtask on its way to the agents of one domain.

    Attributes:
        intent: The tool.
        domains: Codes of the specialties that it is about.
        subtask_title: What is to be done, in words of the contract.
        inputs: The arguments for each agent, by its id and in the order of its calls; without the injected ones.
        trace_id: The turn's id, all that travels besides the arguments.
    """

    intent: str
    domains: tuple[str, ...]
    subtask_title: str
    inputs: Mapping[str, tuple[Mapping[str, str], ...]] = field(repr=False)
    trace_id: str


class TaskStatus(StrEnum):
    """What became of a task."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What the agents made of a task.

    Attributes:
        task: The task.
        status: Whether all calls were answered with a yes, none, or some.
        data: Entries that each agent answered with; agents whose answer is no list are not there.
        logs: A line a call: the agent, how it ended, milliseconds.
        metrics: Counts of calls by their status; "elapsed_ms" is the slowest agent's.
        explanations: Why calls failed: the agent and the reason of the contract.
    """

    task: Task
    status: TaskStatus
    data: Mapping[str, int]
    logs: tuple[str, ...]
    metrics: Mapping[str, float]
    explanations: tuple[str, ...]


def task_of(intent: str, domain: str, steps: Sequence[Step], trace_id: str) -> Task:
    """Return the task of some steps that call one tool for one domain."""
    inputs: dict[str, tuple[Mapping[str, str], ...]] = {}
    for step in steps:
        inputs[step.clinic] = (*inputs.get(step.clinic, ()), step.parameters)
    return Task(intent, (domain,), f"{intent} ({domain})", inputs, trace_id)


def task_result(task: Task, results: Sequence[StepResult]) -> TaskResult:
    """Return what became of a task.

    Args:
        task: The task.
        results: Those of a turn; other tasks' are left out.
    """
    own = [one for one in results if one.step.action == task.intent and one.step.clinic in task.inputs]
    done = sum(one.status is StepStatus.DONE for one in own)
    by_agent: dict[str, float] = {}
    for one in own:
        by_agent[one.step.clinic] = by_agent.get(one.step.clinic, 0.0) + one.elapsed_s * 1000
    counts = {status.value: float(sum(one.status is status for one in own)) for status in StepStatus}
    return TaskResult(
        task,
        TaskStatus.FAILURE if not done else TaskStatus.SUCCESS if done == len(own) else TaskStatus.PARTIAL,
        data={one.step.clinic: count for one in own if (count := one.entries) is not None},
        logs=tuple(f"{one.step.clinic}: {one.status} after {one.elapsed_s * 1000:.1f} ms" for one in own),
        metrics={name: count for name, count in counts.items() if count}
        | {"elapsed_ms": round(max(by_agent.values(), default=0.0), 3)},
        explanations=tuple(
            f"{one.step.clinic}: {one.error.reason if one.error else one.status}"
            for one in own
            if one.status is not StepStatus.DONE
        ),
    )


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
