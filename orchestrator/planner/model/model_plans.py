"""Make the plan of a turn from a model's checked steps, or its topic, and the grammar's own plan (blueprint 2.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from orchestrator.planner.dialogue import Situation, ask, ask_question, call, say
from orchestrator.planner.model.plan_answer import MAX_STEPS
from orchestrator.planner.model.plan_form import DOCTOR, TOPICS
from orchestrator.turn import (
    BOOK,
    GET_PATIENT,
    LIST,
    MOVE,
    QUERY,
    Move,
    Plan,
    PlanKind,
    Question,
    Step,
    Topic,
    Wish,
    action_of,
    is_write,
)

_WHY_READ = "A language model chose what to ask; its clinics and tools were checked against registry and catalogue."
_WHY_WRITE = "A language model chose a change; its slots are known in this conversation. It is asked about first."


@dataclass(frozen=True, slots=True)
class Made:
    """The outcome of a model's steps."""

    plan: Plan | None
    used: bool = False  # whether it is made from them and not from the grammar's plan
    notes: tuple[str, ...] = ()  # what was done to them; where there is no plan, why


def made_of(steps: Sequence[Step], here: Situation, offline: Plan) -> Made:
    """Return what comes of sound steps, all of them reads or all of them writes."""
    return _writing(steps, here, offline) if is_write(steps[0].action) else _reading(steps, here, offline)


def _writing(steps: Sequence[Step], here: Situation, offline: Plan) -> Made:
    # Even where consent was given beforehand, unless the words alone make the same writes.
    if _writes(steps) == _writes(offline.steps):
        return Made(offline, used=True)
    plan = call(here, steps, _WHY_WRITE, question=_question_after(steps))
    return Made(replace(plan, asks_first=True), used=True, notes=("The words alone do not bear out the writes.",))


def _reading(steps: Sequence[Step], here: Situation, offline: Plan) -> Made:
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
    listed = [step for step in offline.steps if step.action == LIST]
    wish = offline.wish if listed else here.wish
    nearest = offline.nearest if listed else here.said.pointer.earliest
    if listed and _specialties(listed, here) == _specialties(steps, here):
        question = offline.question
    else:
        question = _question_of(steps, here, wish, nearest=nearest)
    return call(here, steps, _WHY_READ, question=question, wish=wish, nearest=nearest)


def _specialties(steps: Sequence[Step], here: Situation) -> set[str]:
    return {here.specialty_of(step.clinic) or "" for step in steps}


def _question_of(steps: Sequence[Step], here: Situation, wish: Wish, *, nearest: bool) -> Question:
    open_question = here.session.question
    if open_question is not None and open_question.topic is Topic.ASK_NEW_TIME and here.awaits_answer:
        return replace(open_question, wish=wish)
    doctors = {step.doctor or "" for step in steps}
    specialties = " ".join(sorted(_specialties(steps, here)))
    known = {DOCTOR: doctors.pop()} if len(doctors) == 1 and "" not in doctors else {"specialty": specialties}
    return Question(Topic.ASK_WHICH_OFFER, BOOK, known | ({"nearest": "yes"} if nearest else {}), wish)


def _question_after(steps: Sequence[Step]) -> Question | None:
    match steps:
        case [Step(call=Move()) as moving]:
            known = {name: moving.parameters[name] for name in (DOCTOR, "original_date", "original_time")}
            return Question(Topic.ASK_NEW_TIME, MOVE, known)
        case _:
            return None


def _writes(steps: Sequence[Step]) -> set[tuple[str, str, frozenset[tuple[str, str]]]]:
    return {(step.clinic, step.action, frozenset(step.parameters.items())) for step in steps}


_Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What clinics of one specialty are asked alike."""

    action: str
    specialty: str
    parameters: _Parameters


def completed(steps: Sequence[Step], here: Situation, grammar: Sequence[Step]) -> tuple[tuple[Step, ...], list[str]]:
    """Return reads completed by Rule 10, in the registry's order, and notes of what was done to them."""
    notes: list[str] = []
    asked = list(_in_specialties(_of_doctors_meant(steps, here, grammar, notes), here, notes))
    kinds: dict[_Kind, list[Step]] = {}
    for step in (*asked, *_forgotten(asked, here, grammar)):
        kinds.setdefault(_kind_of(step, here), []).append(step)
    found = [step for kind, own in kinds.items() for step in _of_kind(kind, own, here, grammar)]
    unique = {(step.clinic, step.action, tuple(sorted(step.parameters.items()))): step for step in found}
    added = sorted({step.clinic for step in found} - {step.clinic for step in asked})
    notes += [f"Rule 10 added {clinic}." for clinic in added]
    return tuple(replace(step, step_id=number) for number, step in enumerate(unique.values(), 1)), notes


def _kind_of(step: Step, here: Situation) -> _Kind:
    rest = tuple(sorted((name, text) for name, text in step.parameters.items() if name != DOCTOR))
    return _Kind(step.action, here.specialty_of(step.clinic) or "", rest)


def _of_kind(kind: _Kind, own: Sequence[Step], here: Situation, grammar: Sequence[Step]) -> Iterator[Step]:
    meant = [step for step in grammar if _kind_of(step, here) == kind]
    narrowed = meant or here.said.clinics or here.doctors or any(step.doctor for step in own)
    for clinic in here.clinics_of(kind.specialty):
        there = _at(clinic, meant) or _at(clinic, own)
        yield from there or ([] if narrowed else [Step(0, clinic, action_of(kind.action, dict(kind.parameters)))])


def _at(clinic: str, steps: Iterable[Step]) -> list[Step]:
    return [step for step in steps if step.clinic == clinic]


def _in_specialties(steps: Iterable[Step], here: Situation, notes: list[str]) -> Iterator[Step]:
    said = here.said
    named = {*said.clinics, *(doctor.clinic for doctor in here.doctors)}
    for step in steps:
        if not said.specialties or here.specialty_of(step.clinic) in said.specialties or step.clinic in named:
            yield step
        else:
            notes.append(f"{step.clinic} was dropped: not of the specialty that was named.")


def _of_doctors_meant(
    steps: Iterable[Step], here: Situation, grammar: Sequence[Step], notes: list[str]
) -> Iterator[Step]:
    # A doctor that neither the words nor the talk before name is left out.
    meant = {doctor.name for doctor in (*here.doctors, here.chosen_doctor, here.doctor_talked_of) if doctor is not None}
    meant |= {step.doctor for step in grammar if step.doctor}
    for step in steps:
        if not step.doctor or step.doctor in meant:
            yield step
        else:
            notes.append(f"The doctor was dropped at {step.clinic}: nobody named one.")
            rest = {name: text for name, text in step.parameters.items() if name != DOCTOR}
            yield replace(step, call=action_of(step.action, rest))


def _forgotten(steps: Sequence[Step], here: Situation, grammar: Sequence[Step]) -> list[Step]:
    actions = {step.action for step in steps}
    asked = {here.specialty_of(step.clinic) for step in steps}
    missed = set(here.said.specialties) - asked
    return [step for step in grammar if step.action in actions and here.specialty_of(step.clinic) in missed]


_ACTIONS = {Topic.ASK_SPECIALTY: LIST, Topic.ASK_PATIENT_ID: GET_PATIENT, Topic.ASK_QUERY: QUERY}
"""What the answer to a question leads to."""

_WHY = "A language model found nothing to ask the clinics for."


def talk_of(here: Situation, offline: Plan, topic: Topic) -> Plan:
    """Return what to say where a model would call no clinic.

    The grammar's plan stands when it calls clinics, for a topic not in `TOPICS`, and when both have the same kind.
    """
    chosen = _plan_for(here, topic)
    if offline.kind is PlanKind.STEPS or offline.topic not in TOPICS:
        return offline
    if offline.kind is chosen.kind and offline.topic is not Topic.ASK_REQUEST:
        return offline
    return chosen


def _plan_for(here: Situation, topic: Topic) -> Plan:
    if topic in _ACTIONS:
        return ask_question(here, Question(topic, _ACTIONS[topic], {}, here.wish), _WHY)
    if topic is Topic.ASK_CHANGE:
        return ask(here, topic, _WHY)
    return say(here, topic, _WHY)
