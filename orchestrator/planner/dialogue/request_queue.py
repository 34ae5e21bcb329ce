"""Do one of several requests after the other: "cardio na segunda e dermato na quarta"."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.planner.dialogue.situation import Situation
from orchestrator.turn import BOOK, LIST, Book, Plan, Question, Topic, Wish, any_of, fits


def queued(here: Situation, plan: Plan) -> Plan:
    """Return the plan with the requests that wait: all that were listed together, or those that a booking leaves."""
    if len(here.requests) > 1 and plan.question is not None and any(step.action == LIST for step in plan.steps):
        waiting = tuple(request.wish for request in here.requests)
        return replace(plan, question=replace(plan.question, waiting=waiting))
    question = here.session.question
    if question is None or not question.waiting or not plan.steps:
        return plan
    taken = [step.taken for step in plan.steps if isinstance(step.call, Book) and step.taken is not None]
    if not taken:
        kept = plan.question is not None and here.wanted_before is not None
        return (
            replace(plan, question=replace(plan.question, waiting=question.waiting)) if kept and plan.question else plan
        )
    left = tuple(wish for wish in question.waiting if not any(fits(wish.widest, slot) for slot in taken))
    if not left:
        return plan
    wish = Wish(any_of(one.widest for one in left))
    return replace(plan, question=Question(Topic.ASK_WHICH_OFFER, BOOK, question.known, wish, waiting=left))
