"""Which agents a classification may go to: a score each, a threshold, and the best groups. Pure functions.

An agent scores 0.5 for the intent, 0.3 for each domain in common up to 0.6, and loses 0.2 where a constraint of its is
violated. Those that score alike as one specialty are one group, because Rule 10 of the blueprint asks all of them:
`topk` counts groups.
"""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.agents.registry import Agent, ConflictPolicy, Registry
from orchestrator.turn import Candidate, Classification

# In hundredths: 0.5 + 0.3 - 0.2 of binary fractions is not quite 0.6.
_INTENT = 50
_DOMAIN = 30
_MOST_FOR_DOMAINS = 60
_VIOLATION = 20


def score_agents(classification: Classification, registry: Registry, *, tokens: int = 0) -> tuple[Candidate, ...]:
    """Return every agent with its score, the best first.

    Ties go by the registry's conflict policy, and what is equal after that stays in the registry's order.

    Args:
        classification: What is wanted.
        registry: The agents and the rules.
        tokens: How long the request is, by an estimate.
    """
    scored = [_candidate(classification, agent, tokens) for agent in registry.values()]
    specific_first = registry.routing.conflict_policy is ConflictPolicy.PREFER_SPECIFIC
    return tuple(sorted(scored, key=lambda one: (-one.score, -one.in_common if specific_first else 0)))


def match_candidates(classification: Classification, registry: Registry, *, tokens: int = 0) -> tuple[Candidate, ...]:
    """Return the agents that a request may go to: all of the best `topk` groups above the threshold, best first.

    The arguments are those of `score_agents`.
    """
    return chosen(score_agents(classification, registry, tokens=tokens), registry)


def chosen(candidates: Sequence[Candidate], registry: Registry) -> tuple[Candidate, ...]:
    """Return those of some scored agents, best first, that a request may go to."""
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
