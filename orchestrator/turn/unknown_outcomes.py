"""Writes whose outcome is not known: how they stay so until a clinic tells, and are never made twice by asking.

Pure; it decides nothing about wording. What a router makes of one answer is the router's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.turn.actions import Action
from orchestrator.turn.plan import Plan, Step
from orchestrator.turn.proposals import IdentifiedPlan
from orchestrator.turn.result import StepResult, StepStatus
from orchestrator.turn.session import Proposal
from orchestrator.turn.tools import is_decision, is_write


def has_unknown(results: Sequence[StepResult]) -> bool:
    """Return whether a write may or may not have been made."""
    return any(result.status is StepStatus.UNKNOWN for result in results)


def unsettled(proposal: Proposal | None) -> Proposal | None:
    """Return a proposal that was tried and whose outcome is not known; None for any other."""
    return proposal if proposal is not None and proposal.attempted else None


def with_ids_in_doubt(plan: Plan, proposal: Proposal | None) -> Plan:
    """Return a plan in which each write that is in doubt has its own request_id again.

    Args:
        plan: A new plan, each write with a request_id.
        proposal: What was proposed before.
    """
    tried = unsettled(proposal)
    in_doubt = [step for step in tried.plan.steps if step.request_id in tried.in_doubt] if tried is not None else []

    def request_id(step: Step) -> str | None:
        return next((one.request_id for one in in_doubt if _wish(one) == _wish(step)), step.request_id)

    return replace(plan, steps=tuple(replace(step, request_id=request_id(step)) for step in plan.steps))


def proposal_of(sealed: IdentifiedPlan, proposal: Proposal | None) -> Proposal:
    """Return the proposal of a plan's writes; those that were in doubt before are in doubt still."""
    ids = {step.request_id for step in sealed.plan.steps}
    in_doubt = frozenset(one for one in proposal.in_doubt if one in ids) if proposal else frozenset()
    return Proposal(sealed.plan, in_doubt, sealed.id)


def proposal_to_find_out(
    sealed: IdentifiedPlan, results: Sequence[StepResult], proposal: Proposal | None
) -> Proposal | None:
    """Return what is asked of the clinics again under the same request_ids when a write's outcome is not known.

    That is the write itself and what was skipped behind it; what was answered is not asked twice. A write in doubt from
    before stays so, too, where the plan was carried out without asking and is about something else.

    Args:
        sealed: What was carried out.
        results: What came of it.
        proposal: What was proposed before.
    """
    left = _left_in_doubt(sealed.plan, proposal)
    asked_again = (StepStatus.UNKNOWN, StepStatus.SKIPPED)
    again = [result.step for result in results if result.status in asked_again] if has_unknown(results) else []
    if not left and not again:
        return None
    unknown = [result.step for result in results if result.status is StepStatus.UNKNOWN]
    return Proposal(
        replace(sealed.plan, steps=(*again, *left)),
        in_doubt=frozenset(str(step.request_id) for step in (*unknown, *left)),
        id=sealed.id if again or proposal is None else proposal.id,
    )


def only_in_doubt(proposal: Proposal) -> tuple[Proposal, Plan | None]:
    """Part a proposal into the writes whose outcome is not known and those that were never sent.

    Returns:
        The proposal that asks the clinics about the former and sends nothing new, and a plan of the latter to be
        proposed afresh; None when there are none.
    """
    steps = proposal.plan.steps
    doubtful = tuple(step for step in steps if step.request_id in proposal.in_doubt)
    unsent = tuple(replace(step, after=None) for step in steps if step.request_id not in proposal.in_doubt)
    asking = replace(proposal, plan=replace(proposal.plan, steps=doubtful))
    return asking, replace(proposal.plan, steps=unsent) if unsent else None


def with_doubts_kept(results: Sequence[StepResult], proposal: Proposal | None) -> tuple[StepResult, ...]:
    """Return results in which a write that was in doubt stays so, unless its repeat shows what came of the first try.

    An acknowledgement does, and a clinic's own no: it would have answered a write that it has made by repeating its
    answer.
    """
    in_doubt = proposal.in_doubt if proposal is not None else frozenset()

    def is_settled(result: StepResult) -> bool:
        decided = result.status is StepStatus.REFUSED and result.error is not None and is_decision(result.error)
        return result.status is StepStatus.DONE or decided

    return tuple(
        replace(result, status=StepStatus.UNKNOWN)
        if result.step.request_id in in_doubt and not is_settled(result)
        else result
        for result in results
    )


def _left_in_doubt(plan: Plan, proposal: Proposal | None) -> list[Step]:
    """The steps in doubt that a plan does not repeat, numbered behind its own; none of a plan that writes nothing."""
    own = {step.request_id for step in plan.steps if is_write(step.action)}
    in_doubt = proposal.in_doubt - own if proposal is not None and own else frozenset()
    offset = max((step.step_id for step in plan.steps), default=0)
    return [
        replace(step, step_id=step.step_id + offset, after=None)
        for step in (proposal.plan.steps if proposal is not None else ())
        if step.request_id in in_doubt
    ]


def _wish(step: Step) -> tuple[str, Action]:
    return step.clinic, step.call
