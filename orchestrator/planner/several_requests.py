"""Put the plans of two requests of one sentence together."""

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.planner.dialogue import Situation
from orchestrator.planner.dialogue.plan_builders import ask, put_off
from orchestrator.planner.understanding import OF_RECORDS
from orchestrator.turn import BOOK, LIST, Plan, PlanKind, Question, Topic, Wish, any_of


def are_apart(here: Sequence[Situation], named: Sequence[set[str]]) -> bool:
    """Return whether two halves of a sentence, which name these specialties, are requests of their own."""
    of_doctors = {bool(one.doctors) for one in here}
    of_records = any(one.said.patients or OF_RECORDS & {*one.said.cues.intents} for one in here)
    return all(named) and (of_records or (named[0].isdisjoint(named[1]) and len(of_doctors) == len(named)))


def together(whole: Situation, here: Sequence[Situation], plans: Sequence[Plan]) -> Plan:
    """Return the plan of two requests; one that asks which comes first where neither waits for the other."""
    for own, other, behind in ((plans[0], plans[1], here[1]), (plans[1], plans[0], here[0])):
        if own.kind is PlanKind.STEPS and other.topic is Topic.OPERATORS_ONLY:
            return replace(own, note=other.topic)
        if own.writes and other.steps and {step.action for step in other.steps} == {LIST}:
            return put_off(behind, own)
    if any(plan.kind is not PlanKind.STEPS or plan.writes for plan in plans):
        return ask(whole, Topic.ASK_WHICH_FIRST, "Two things are wanted.")
    steps = {(step.clinic, step.action, *step.parameters.items()): step for plan in plans for step in plan.steps}
    listing = [plan for plan in plans if any(step.action == LIST for step in plan.steps)]
    base = listing[0] if listing else plans[0]
    if len(listing) == 2:
        wish = Wish(any_of(plan.wish.widest for plan in plans))
        waiting = tuple(plan.wish for plan in plans)
        base = replace(base, wish=wish, question=Question(Topic.ASK_WHICH_OFFER, BOOK, {}, wish, waiting=waiting))
    return replace(
        base,
        steps=tuple(replace(step, step_id=number) for number, step in enumerate(steps.values(), 1)),
        unread=tuple(phrase for plan in plans for phrase in plan.unread),
        reasoning=tuple(line for plan in plans for line in plan.reasoning),
    )
