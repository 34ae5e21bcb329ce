"""Choose agents from a classification, and let through the steps of a plan that go to those.

Each subtask of a classification has its own candidates. Agents of a specialty that score alike are one group, because
Rule 10 of the blueprint asks all of them: `topk` counts groups.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from orchestrator import turn
from orchestrator.agents.registry import Agent, ConflictPolicy, Registry, RoutingRules

_INTENT = 50  # in hundredths: 0.5 + 0.3 - 0.2 of binary fractions is not quite 0.6
_DOMAIN = 30
_MOST_FOR_DOMAINS = 60
_VIOLATION = 20

_UNSURE = "What is wanted is not certain enough for any agent to be called."
_UNMATCHED = "No agent was chosen for this."
_SEVERAL = "Several different things are wanted at once; which comes first is asked."

_EXCHANGE = frozenset({turn.BOOK, turn.CANCEL, turn.MOVE})


def score_agents(classification: turn.Classification, registry: Registry, *, tokens: int) -> tuple[turn.Candidate, ...]:
    """Return every agent with its score, best first, ties by policy, then order; `tokens` is the request's length."""
    wanted = dict.fromkeys(domain.casefold() for domain in classification.domains)
    scored = [_candidate(classification.intent, wanted, agent, tokens) for agent in registry.values()]
    specific_first = registry.routing.conflict_policy is ConflictPolicy.PREFER_SPECIFIC
    return tuple(sorted(scored, key=lambda one: (-one.score, -one.in_common if specific_first else 0)))


def choose_agents(candidates: Sequence[turn.Candidate], rules: RoutingRules) -> tuple[turn.Candidate, ...]:
    """Return those of some scored agents that a subtask may go to: the best `topk` groups above the threshold."""
    groups: dict[tuple[float, int, str], list[turn.Candidate]] = {}
    for one in candidates:
        if one.score >= rules.confidence_threshold:
            groups.setdefault((one.score, one.in_common, one.specialty), []).append(one)
    kept = {one.agent for group in [*groups.values()][: rules.topk] for one in group}
    return tuple([one for one in candidates if one.agent in kept])


def _candidate(intent: str, wanted: Collection[str], agent: Agent, tokens: int) -> turn.Candidate:
    own = {domain.casefold(): domain for domain in agent.domains}
    in_common = [own[domain] for domain in wanted if domain in own]
    score = min(_DOMAIN * len(in_common), _MOST_FOR_DOMAINS)
    score += _INTENT if agent.takes(intent) else 0
    score -= _VIOLATION if agent.max_tokens is not None and tokens > agent.max_tokens else 0
    return turn.Candidate(agent.id, score / 100, in_common[0] if in_common else agent.specialty, len(in_common))


@dataclass(frozen=True, slots=True)
class RoutedSubtask:
    """A part of a classification, and who may take it."""

    subtask: turn.Subtask
    candidates: tuple[turn.Candidate, ...]  # every agent, the best first
    chosen: tuple[turn.Candidate, ...]  # those that may be called


def route(classification: turn.Classification, registry: Registry, *, tokens: int) -> tuple[RoutedSubtask, ...]:
    """Return the agents that each subtask of a classification may go to; one without subtasks is a single one."""
    routed = []
    for part in classification.subtasks or (turn.Subtask("", "", classification.intent, ""),):
        # Domains of the other subtasks count, so that an agent for all of them fits best.
        domains = (part.domain, *classification.domains, *(one.domain for one in classification.subtasks))
        candidates = score_agents(turn.Classification(part.intent, domains), registry, tokens=tokens)
        fitting = [one for one in candidates if part.domain.casefold() in {"", one.specialty.casefold()}]
        routed.append(RoutedSubtask(part, candidates, choose_agents(fitting, registry.routing)))
    return tuple(routed)


def check_plan(
    registry: Registry, plan: turn.Plan, utterance: str, trace_id: str
) -> tuple[turn.Plan, turn.RoutingDecision]:
    """Return the allowed part of a plan and how it was routed, by what the registry says now.

    A plan passes whole when all of its steps do, or it has none. Else it has fewer reads, asks which of several
    things comes first, or is of the kind OUT_OF_SCOPE. Writes pass together or not at all.
    """
    specialties = {agent.id: agent.specialty for agent in registry.values()}
    classification = plan.classification or turn.classification_of(plan.steps, specialties.get)
    if plan.kind is not turn.PlanKind.STEPS:
        return plan, turn.RoutingDecision(classification)
    parts = route(classification, registry, tokens=turn.estimated_tokens(utterance))
    pairs = [(step.step_id, step.after) for step in plan.steps if step.after is not None]
    linked = frozenset(number for pair in pairs for number in pair)
    taken = {step.step_id: _part_of(step, parts, registry, linked=step.step_id in linked) for step in plan.steps}
    refused = tuple(step for step in plan.steps if taken[step.step_id] is None)
    seen = turn.RoutingDecision(classification, _best_of_each(parts), refused=refused)
    rules = registry.routing
    if classification.confidence < rules.confidence_threshold:
        return _instead(plan, turn.PlanKind.OUT_OF_SCOPE, turn.Topic.UNSUPPORTED, _UNSURE), seen
    if not rules.auto_split_if_conflict and _diverges(classification, plan.steps, linked):
        return _instead(plan, turn.PlanKind.CLARIFY, turn.Topic.ASK_WHICH_FIRST, _SEVERAL), seen
    dropped = {step.step_id for step in refused}
    for step in plan.steps:  # what a step waits for stands before it
        if step.after in dropped:
            dropped.add(step.step_id)
    allowed = _allowed(plan, dropped, classification, registry)
    if allowed.kind is not turn.PlanKind.STEPS:
        return allowed, seen
    by_part: dict[tuple[str, str], list[turn.Step]] = {}
    for step in plan.steps:
        if step.step_id not in dropped:
            by_part.setdefault((step.action, taken[step.step_id] or ""), []).append(step)
    tasks = tuple(turn.task_of(action, domain, steps, trace_id) for (action, domain), steps in by_part.items())
    return allowed, replace(seen, tasks=tasks)


def _part_of(step: turn.Step, parts: Sequence[RoutedSubtask], registry: Registry, *, linked: bool) -> str | None:
    # The domain as which a step's agent was chosen for what the step does; None where it was not.
    agent = registry.get(step.clinic)
    if agent is None or not agent.takes(step.action):
        return None
    serving = (part for part in parts if _serves(step.action, part.subtask.intent, linked=linked))
    found = [one.specialty for part in serving for one in part.chosen if one.agent == step.clinic]
    return agent.specialty if agent.specialty in found else next(iter(found), None)


def _allowed(plan: turn.Plan, dropped: set[int], classification: turn.Classification, registry: Registry) -> turn.Plan:
    if not dropped:
        return plan
    kept = [step for step in plan.steps if step.step_id not in dropped]
    # Half of a change is another change: to book the new without giving back the old was not asked for.
    if not kept or any(turn.is_write(step.action) for step in plan.steps if step.step_id in dropped):
        return _instead(plan, turn.PlanKind.OUT_OF_SCOPE, turn.Topic.UNSUPPORTED, _UNMATCHED)
    left_out = dict.fromkeys(_why_not(step, registry) for step in plan.steps if step.step_id in dropped)
    number = {step.step_id: place for place, step in enumerate(kept, 1)}
    steps = tuple(
        replace(step, step_id=number[step.step_id], after=None if step.after is None else number.get(step.after))
        for step in kept
    )
    # Still about the whole: classified by the steps that are left, it might not pass again.
    return replace(plan, steps=steps, reasoning=(*plan.reasoning, *left_out), classification=classification)


def _why_not(step: turn.Step, registry: Registry) -> str:
    agent = registry.get(step.clinic)
    does = agent is not None and agent.takes(step.action)
    why = "it was not chosen for what is wanted" if does else "the registry does not give it this"
    return f"{step.clinic or 'a clinic without a name'} was left out: {why}."


def _serves(action: str, intent: str, *, linked: bool) -> bool:
    # Openings are read on the way to a booking, and a change may be a new booking in place of the old.
    if action == intent or (action == turn.LIST and intent in {turn.BOOK, turn.MOVE}):
        return True
    return {action, intent} <= _EXCHANGE and (linked or intent == turn.MOVE)


def _instead(plan: turn.Plan, kind: turn.PlanKind, topic: turn.Topic, why: str) -> turn.Plan:
    # What was to be asked next falls with the steps.
    return replace(plan, kind=kind, topic=topic, steps=(), question=None, reasoning=(*plan.reasoning, why))


def _diverges(classification: turn.Classification, steps: Sequence[turn.Step], linked: Collection[int]) -> bool:
    # One thing is done by one tool, or by steps that wait for each other, as booking the new and giving back the old.
    done = {step.action for step in steps if step.step_id not in linked}
    wanted = {"a change" if part.intent in _EXCHANGE else part.intent for part in classification.subtasks}
    return max(len(done) + bool(linked), len(wanted)) > 1


def _best_of_each(parts: Sequence[RoutedSubtask]) -> tuple[turn.Candidate, ...]:
    if len(parts) == 1:
        return parts[0].candidates
    candidates = [candidate for part in parts for candidate in part.candidates]
    best: dict[str, turn.Candidate] = {}
    for one in sorted(candidates, key=lambda one: (-one.score, -one.in_common)):
        best.setdefault(one.agent, one)
    return tuple(best.values())
