"""What a language model proposed, measured before code completed and checked it; and what its calls consumed.

The blueprint's TCA and MCRA over these steps are the model's own; over the plan that went to the router they are the
system's (docs/evaluation.md). Without a model there is nothing to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.agents import Registry
from orchestrator.evaluation.matching import reaches_all
from orchestrator.evaluation.suite import Query
from orchestrator.evaluation.turn_log import LoggedModelCall, LoggedTurn
from orchestrator.turn import CATALOGUE


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a model proposed in one query.

    Attributes:
        plans: Turns in which it answered with something.
        used: Those of them whose plan was made from it.
        steps: Steps that it proposed; an answer that is no plan counts as one.
        valid: Those of them whose tool and clinic exist (blueprint 5.2).
        multi_clinic: Blueprint 5.5 for the turns in which it answered; None where one clinic was enough.
    """

    plans: int = 0
    used: int = 0
    steps: int = 0
    valid: int = 0
    multi_clinic: bool | None = None


NO_PROPOSALS = Proposals()
"""Of a query for which no model answered."""


def proposals_of(query: Query, logged: Sequence[LoggedTurn], registry: Registry) -> Proposals:
    """Return what a model proposed in the turns of a query.

    Args:
        query: The query.
        logged: The lines of its session, in order.
        registry: The clinics that exist.
    """
    answered = [
        (turn, proposed)
        for turn, line in zip(query.turns, logged, strict=False)
        if line.plan is not None and (proposed := line.plan.proposed) is not None
    ]
    steps = [step for _, proposed in answered for step in proposed.steps]
    reached = [reaches_all(turn, proposed.steps, registry) for turn, proposed in answered]
    asked = [answer for answer in reached if answer is not None]
    return Proposals(
        plans=len(answered),
        used=sum(proposed.used for _, proposed in answered),
        steps=len(steps),
        valid=sum(step.action in CATALOGUE and step.clinic in registry for step in steps),
        multi_clinic=all(asked) if asked else None,
    )


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What the calls of a model came to.

    Attributes:
        calls: Calls, those that failed among them.
        failures: How many failed, by reason.
        prompt_tokens: Tokens read, as far as the server counted.
        completion_tokens: Tokens written, as far as the server counted.
        cost_usd: US dollars; None without prices.
    """

    calls: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


def model_use(turns: Iterable[LoggedTurn]) -> ModelUse:
    """Return what the calls of some turns came to."""
    return use_of([call for turn in turns for call in turn.model_calls])


def use_of(calls: Sequence[LoggedModelCall]) -> ModelUse:
    """Return what some calls came to."""
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    return ModelUse(
        calls=len(calls),
        failures=dict(sorted(Counter(call.failure.value for call in calls if call.failure is not None).items())),
        prompt_tokens=sum(call.prompt_tokens or 0 for call in calls),
        completion_tokens=sum(call.completion_tokens or 0 for call in calls),
        cost_usd=sum(costs) if costs else None,
    )
