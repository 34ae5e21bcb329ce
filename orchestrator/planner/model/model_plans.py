"""Makes the plan of a turn from a model's checked steps and the grammar's own plan.

When it suits, which question stays open and whether words bear out a write are the grammar's to know; which clinics,
tools and known slots are meant, the model may know better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orchestrator.planner.dialogue import BOOK, LIST, MOVE, Situation, call
from orchestrator.planner.model.model_output import MAX_STEPS
from orchestrator.planner.model.rule_ten import completed
from orchestrator.planner.model.tool_forms import DOCTOR
from orchestrator.turn import Plan, Question, SlotFilter, Step, Topic, is_write

_WHY_READ = "A language model chose what to ask; its clinics and tools were checked against registry and catalogue."
_WHY_WRITE = "A language model chose a change; its slots are known in this conversation. It is asked about first."


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a model's steps.

    Attributes:
        plan: The plan; None where they make none.
        used: Whether it is made from them, rather than being the grammar's over them.
        notes: What was done to them; where there is no plan, why.
    """

    plan: Plan | None
    used: bool = False
    notes: tuple[str, ...] = ()


def made_of(steps: Sequence[Step], here: Situation, offline: Plan) -> Made:
    """Return what comes of sound steps, all of them reads or all of them writes."""
    return _writing(steps, here, offline) if is_write(steps[0].action) else _reading(steps, here, offline)


def _writing(steps: Sequence[Step], here: Situation, offline: Plan) -> Made:
    """Writes, which are proposed even where consent was given beforehand, unless the words alone make the same ones."""
    if _writes(steps) == _writes(offline.steps):
        return Made(offline, used=True)
    plan = call(here, steps, _WHY_WRITE, question=_question_after(steps))
    return Made(replace(plan, asks_first=True), used=True, notes=("The words alone do not bear out the writes.",))


def _reading(steps: Sequence[Step], here: Situation, offline: Plan) -> Made:
    """Reads, completed; a change that the words name in full is not put off by them."""
    if any(is_write(step.action) for step in offline.steps):
        return Made(offline, notes=("The words name a change in full; a plan that only asks does not put it off.",))
    whole, notes = completed(steps, here, offline.steps)
    if not whole:
        return Made(None, notes=("no step is for the specialty that the words name",))
    if len(whole) > MAX_STEPS:
        return Made(None, notes=(f"more than {MAX_STEPS} steps once every clinic is asked",))
    if any(step.action == LIST for step in whole):
        plan = _listing(whole, here, offline)
    else:
        plan = call(here, whole, _WHY_READ)
    return Made(plan, used=True, notes=tuple(notes))


def _listing(steps: Sequence[Step], here: Situation, offline: Plan) -> Plan:
    """Openings; when they suit is what the grammar read, and what it lists itself goes on as it would have."""
    listed = [step for step in offline.steps if step.action == LIST]
    filters = offline.filters if listed else here.wanted
    nearest = offline.nearest if listed else here.said.pointer.earliest
    if listed and _specialties(listed, here) == _specialties(steps, here):
        question = offline.question
    else:
        question = _question_of(steps, here, filters, nearest=nearest)
    return call(here, steps, _WHY_READ, question=question, filters=filters, nearest=nearest)


def _specialties(steps: Sequence[Step], here: Situation) -> set[str]:
    return {here.specialty_of(step.clinic) or "" for step in steps}


def _question_of(steps: Sequence[Step], here: Situation, filters: SlotFilter, *, nearest: bool) -> Question:
    """What a pick from the openings goes on with: the move that is being talked of, or else a booking."""
    open_question = here.session.question
    if open_question is not None and open_question.topic is Topic.ASK_NEW_TIME and here.awaits_answer:
        return replace(open_question, filters=filters)
    doctors = {step.parameters.get(DOCTOR, "") for step in steps}
    specialties = " ".join(sorted(_specialties(steps, here)))
    known = {DOCTOR: doctors.pop()} if len(doctors) == 1 and "" not in doctors else {"specialty": specialties}
    return Question(Topic.ASK_WHICH_OFFER, BOOK, known | ({"nearest": "yes"} if nearest else {}), filters)


def _question_after(steps: Sequence[Step]) -> Question | None:
    """What goes on where the new slot of a move turns out to be taken: when else."""
    match steps:
        case [Step(action=action, parameters=given)] if action == MOVE:
            known = {name: given[name] for name in (DOCTOR, "original_date", "original_time")}
            return Question(Topic.ASK_NEW_TIME, MOVE, known)
        case _:
            return None


def _writes(steps: Sequence[Step]) -> set[tuple[str, str, frozenset[tuple[str, str]]]]:
    return {(step.clinic, step.action, frozenset(step.parameters.items())) for step in steps}
