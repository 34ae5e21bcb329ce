"""Check each plan before any call: nothing is sent to an agent that the registry does not give it to.

Each tool that a plan calls for a specialty is a subtask with its own candidates. Agents of a specialty that score alike
are one group, because Rule 10 of the blueprint asks all of them: `topk` counts groups.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from orchestrator.agents.registry import Agent, ConflictPolicy, Registry
from orchestrator.turn import (
    UNKNOWN,
    Candidate,
    Classification,
    Plan,
    PlanKind,
    RoutingDecision,
    Step,
    Topic,
    estimated_tokens,
    is_write,
    task_of,
)

# In hundredths: 0.5 + 0.3 - 0.2 of binary fractions is not quite 0.6.
_INTENT = 50
_DOMAIN = 30
_MOST_FOR_DOMAINS = 60
_VIOLATION = 20


def score_agents(classification: Classification, registry: Registry, *, tokens: int = 0) -> tuple[Candidate, ...]:
    """Return every agent with its score, the best first.

    Ties go by the registry's conflict policy, then its order. `tokens` is the request's length, by an estimate.
    """
    scored = [_candidate(classification, agent, tokens) for agent in registry.values()]
    specific_first = registry.routing.conflict_policy is ConflictPolicy.PREFER_SPECIFIC
    return tuple(sorted(scored, key=lambda one: (-one.score, -one.in_common if specific_first else 0)))


def choose_agents(candidates: Sequence[Candidate], registry: Registry) -> tuple[Candidate, ...]:
    """Return those of some scored agents that a request may go to: the best `topk` groups above the threshold."""
    eligible = [one for one in candidates if one.score >= registry.routing.confidence_threshold]
    groups = list(dict.fromkeys(_group(one) for one in eligible))[: registry.routing.topk]
    return tuple(one for one in eligible if _group(one) in groups)


def _group(candidate: Candidate) -> tuple[float, int, str]:
    return candidate.score, candidate.in_common, candidate.specialty


def _candidate(classification: Classification, agent: Agent, tokens: int) -> Candidate:
    own = {domain.casefold(): domain for domain in agent.domains}
    wanted = dict.fromkeys(domain.casefold() for domain in classification.domains)
    in_common = [own[domain] for domain in wanted if domain in own]
    score = min(_DOMAIN * len(in_common), _MOST_FOR_DOMAINS)
    score += _INTENT if agent.takes(classification.intent) else 0
    score -= _VIOLATION if agent.max_tokens is not None and tokens > agent.max_tokens else 0
    return Candidate(agent.id, score / 100, in_common[0] if in_common else agent.specialty, len(in_common))


_UNSURE = "What is wanted is not certain enough for any agent to be called."
_UNMATCHED = "The registry has no agent for this."
_SEVERAL = "Several different things are wanted at once; which comes first is asked."


@dataclass(frozen=True, slots=True)
class _Part:
    """The steps of a plan for one tool and one specialty, and who may take them."""

    intent: str
    domain: str
    steps: tuple[Step, ...]
    candidates: tuple[Candidate, ...]
    allowed: frozenset[str]


class Gate:
    """Let plans through, whole or in part; read the registry anew for each plan."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def check(self, plan: Plan, utterance: str, trace_id: str) -> tuple[Plan, RoutingDecision]:
        """Return the allowed part of a plan and how it was routed.

        A plan passes whole when all of its steps do, or it has none. Else it has fewer reads, asks which of several
        things comes first, or is of the kind OUT_OF_SCOPE. Writes pass together or not at all.
        """
        classification = plan.classification or Classification(plan.steps[0].action if plan.steps else UNKNOWN)
        if plan.kind is not PlanKind.STEPS:
            return plan, RoutingDecision(classification)
        parts = self._parts(plan.steps, classification, estimated_tokens(utterance))
        candidates = _best_of_each(candidate for part in parts for candidate in part.candidates)
        seen = RoutingDecision(classification, candidates)
        rules = self._registry.routing
        if classification.confidence < rules.confidence_threshold:
            return _unsupported(plan, _UNSURE), seen
        if not rules.auto_split_if_conflict and _diverges(plan.steps):
            return _instead(plan, PlanKind.CLARIFY, Topic.ASK_WHICH_FIRST, _SEVERAL), seen
        allowed = _allowed(plan, parts)
        if allowed.kind is not PlanKind.STEPS:
            return allowed, seen
        left = {(step.clinic, step.action) for step in allowed.steps}
        tasks = tuple(
            task_of(part.intent, part.domain, steps, trace_id)
            for part in parts
            if (steps := [step for step in part.steps if (step.clinic, step.action) in left])
        )
        return allowed, replace(seen, tasks=tasks)

    def _parts(self, steps: Sequence[Step], classification: Classification, tokens: int) -> tuple[_Part, ...]:
        grouped: dict[tuple[str, str], list[Step]] = {}
        for step in steps:
            grouped.setdefault((step.action, self._domain(step.clinic, classification)), []).append(step)
        return tuple(self._part(intent, domain, own, tokens) for (intent, domain), own in grouped.items())

    def _part(self, intent: str, domain: str, steps: Sequence[Step], tokens: int) -> _Part:
        wanted = Classification(intent, (domain,) if domain else ())
        candidates = score_agents(wanted, self._registry, tokens=tokens)
        allowed = frozenset(one.agent for one in choose_agents(candidates, self._registry))
        return _Part(intent, domain, tuple(steps), candidates, allowed)

    def _domain(self, agent_id: str, classification: Classification) -> str:
        # The first domain of the turn that is the agent's own, else its specialty.
        agent = self._registry.get(agent_id)
        if agent is None:
            return ""
        return next((domain for domain in classification.domains if domain in agent.domains), agent.specialty)


def _allowed(plan: Plan, parts: Sequence[_Part]) -> Plan:
    refused = {step.step_id for part in parts for step in part.steps if step.clinic not in part.allowed}
    if not refused:
        return plan
    dropped = _with_dependents(refused, plan.steps)
    kept = [step for step in plan.steps if step.step_id not in dropped]
    # Half of a change is another change: to book the new without giving back the old was not asked for.
    if not kept or any(is_write(step.action) for step in plan.steps if step.step_id in dropped):
        return _unsupported(plan, _UNMATCHED)
    left_out = dict.fromkeys(step.clinic or "a clinic without a name" for step in plan.steps if step.step_id in dropped)
    notes = (f"{clinic} was left out: the registry does not give it this." for clinic in left_out)
    number = {step.step_id: place for place, step in enumerate(kept, 1)}
    steps = tuple(
        replace(step, step_id=number[step.step_id], after=None if step.after is None else number.get(step.after))
        for step in kept
    )
    return replace(plan, steps=steps, reasoning=(*plan.reasoning, *notes))


def _with_dependents(refused: set[int], steps: Sequence[Step]) -> set[int]:
    dropped = set(refused)
    for step in steps:  # what a step waits for stands before it
        if step.after in dropped:
            dropped.add(step.step_id)
    return dropped


def _unsupported(plan: Plan, why: str) -> Plan:
    return _instead(plan, PlanKind.OUT_OF_SCOPE, Topic.UNSUPPORTED, why)


def _instead(plan: Plan, kind: PlanKind, topic: Topic, why: str) -> Plan:
    # What was to be asked next falls with the steps.
    return replace(plan, kind=kind, topic=topic, steps=(), question=None, reasoning=(*plan.reasoning, why))


def _diverges(steps: Sequence[Step]) -> bool:
    # One thing is done by one tool, or by steps that wait for each other, as booking the new and giving back the old.
    linked = {step.step_id for step in steps if step.after is not None} | {step.after for step in steps}
    free = {step.action for step in steps if step.step_id not in linked}
    return len(free) + any(step.step_id in linked for step in steps) > 1


def _best_of_each(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ordered = sorted(candidates, key=lambda one: (-one.score, -one.in_common))
    best: dict[str, Candidate] = {}
    for one in ordered:
        best.setdefault(one.agent, one)
    return tuple(best.values())
