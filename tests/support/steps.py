"""Steps from texts, as a test writes them."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.turn.plan import Step
from orchestrator.turn.step_actions import action_of

NO_PARAMETERS: Mapping[str, str] = {}


def step_of(
    step_id: int,
    clinic: str,
    action: str,
    parameters: Mapping[str, str] = NO_PARAMETERS,
    request_id: str | None = None,
    after: int | None = None,
) -> Step:
    """Return the step that calls a tool with these arguments."""
    return Step(step_id, clinic, action_of(action, parameters), request_id, after)
