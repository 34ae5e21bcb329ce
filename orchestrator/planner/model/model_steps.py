"""Turn a model's steps into steps of a plan; the faults of others say what there is and repeat nothing it wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from orchestrator.llm import TOKEN
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.model.known_slots import KnownSlot, KnownSlots, Origin, doctor_called
from orchestrator.planner.model.plan_answer import GivenStep
from orchestrator.planner.model.plan_form import DOCTOR, SlotForm, ToolForm, tool_forms
from orchestrator.turn import BOOK, CANCEL, GET_PATIENT, LIST_PATIENTS, QUERY, Step, ToolCall, action_of

MAX_WRITES = 2  # writes that one consent may cover when a model proposed them: an exchange of two appointments
_STAFF_ONLY = frozenset({LIST_PATIENTS, QUERY})  # whose record an id opens, clinics and verifier decide

_TEXT_CHARACTERS = 200
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class CheckedStep:
    """A step of a model, as far as it makes sense."""

    # with handles resolved to doctor, date and time, and without what makes no sense, so that it can be logged
    step: Step
    slots: tuple[KnownSlot, ...]  # the slots that it writes, in the contract's order
    faults: tuple[str, ...]


def check_steps(given: Sequence[GivenStep], known: KnownSlots, here: Situation) -> tuple[CheckedStep, ...]:
    """Return each step checked by itself, numbered from 1."""
    return tuple(_check(step, number, known, here) for number, step in enumerate(given, 1))


def faults_of(checked: Sequence[CheckedStep]) -> tuple[str, ...]:
    """Return the faults of some steps and of the plan that they make."""
    single = [f"step {one.step.step_id}: {fault}" for one in checked for fault in one.faults]
    return tuple(single or _faults_together(checked))


def ordered(checked: Sequence[CheckedStep]) -> tuple[Step, ...]:
    """Return the steps of a sound plan, each once; a booking goes before the cancellation that it replaces."""
    steps = tuple({_identity(one.step): one.step for one in checked}.values())
    if {step.action for step in steps} == {BOOK, CANCEL}:
        taking, giving = sorted(steps, key=lambda step: step.action != BOOK)
        steps = (taking, replace(giving, after=1))
    return tuple(replace(step, step_id=number) for number, step in enumerate(steps, 1))


def _identity(step: Step) -> tuple[str, str, frozenset[tuple[str, str]]]:
    return step.clinic, step.action, frozenset(step.parameters.items())


def _faults_together(checked: Sequence[CheckedStep]) -> Iterator[str]:
    forms = tool_forms()
    writes = {_identity(one.step): one for one in checked if forms[one.step.action].writes}
    if writes and any(not forms[one.step.action].writes for one in checked):
        yield "a plan asks or changes, never both: what is changed must be known before"
    if len(writes) > MAX_WRITES:
        yield f"more than {MAX_WRITES} steps that change something"
    slots = [known.slot for one in writes.values() for known in one.slots]
    if len(set(slots)) < len(slots):
        yield "one slot is used twice"


def _check(given: GivenStep, number: int, known: KnownSlots, here: Situation) -> CheckedStep:
    form = tool_forms().get(given.action)
    clinic = given.clinic if here.specialty_of(given.clinic) is not None else None
    faults: list[str] = []
    if given.mistyped:
        faults.append("clinic, action and every parameter are texts, and parameters is an object")
    if clinic is None:
        faults.append(f"no such clinic; the clinics are: {', '.join(one.id for one in here.clinics)}")
    if form is None:
        faults.append(f"no such action; the actions are: {', '.join(tool_forms())}")
        return CheckedStep(Step(number, _name(given.clinic), ToolCall(_name(given.action))), (), tuple(faults))
    texts, slots = _texts(given, form, here), _slots(given, form, known, here)
    faults += [*_name_faults(given, form), *texts.faults, *slots.faults, *_role_faults(form, texts.values, given, here)]
    return CheckedStep(
        Step(number, _name(given.clinic), action_of(form.tool.name, {**slots.values, **texts.values})),
        slots.slots,
        tuple(faults),
    )


def _name(text: str) -> str:
    return text if _NAME.fullmatch(text) else ""


def _name_faults(given: GivenStep, form: ToolForm) -> Iterator[str]:
    names = set(given.parameters)
    if names & form.injected:
        yield f"{', '.join(sorted(names & form.injected))}: filled in by the system, never by a plan"
    if names - form.injected - {*form.parameters, *form.literals}:
        yield f"unknown parameters; {form.tool.name} takes: {', '.join(form.parameters) or 'none'}"


@dataclass(frozen=True, slots=True)
class _Filled:
    """Arguments in the contract's names, the slots among them, and what is wrong."""

    values: Mapping[str, str]
    slots: tuple[KnownSlot, ...]
    faults: tuple[str, ...]


def _texts(given: GivenStep, form: ToolForm, here: Situation) -> _Filled:
    values: dict[str, str] = {}
    faults: list[str] = []
    for argument in form.texts:
        text = given.parameters.get(argument.name, "").strip()
        if not text:
            faults += [f"{argument.name} is required"] if argument.required else []
        elif argument.name == DOCTOR:
            doctor = doctor_called(text, (clinic for clinic in here.clinics if clinic.id == given.clinic))
            if doctor is not None:
                values[DOCTOR] = doctor.name
            else:
                faults.append("the doctor attends at no such clinic, or is not clear")
        elif len(text) > _TEXT_CHARACTERS or not text.isprintable() or TOKEN.search(text):
            faults.append(f"{argument.name} is no short plain text")
        else:
            values[argument.name] = text
    return _Filled(values, (), tuple(faults))


def _role_faults(form: ToolForm, values: Mapping[str, str], given: GivenStep, here: Situation) -> Iterator[str]:
    if form.tool.name in _STAFF_ONLY and not here.is_operator:
        yield "only staff may list or search patients"
    if form.tool.name == GET_PATIENT:
        asked = (values.get("patient_id", ""), here.specialty_of(given.clinic))
        if asked not in here.said.patients:
            yield "only a patient id that the person has just written may be opened, at clinics of its specialty"


def _slots(given: GivenStep, form: ToolForm, known: KnownSlots, here: Situation) -> _Filled:
    found: list[tuple[SlotForm, KnownSlot]] = []
    faults: list[str] = []
    for place, slot_form in enumerate(form.slots):
        slot = _slot(given, slot_form, known, here)
        back = form.gives_back and place == 0
        if slot is None:
            faults.append(f"{slot_form.handle} is no handle of this turn")
        elif slot.slot.clinic != given.clinic:
            faults.append(f"{slot_form.handle} is a slot of another clinic")
        elif slot.origin is (Origin.OPEN if back else Origin.HELD):
            faults.append(f"{slot_form.handle} must be {'an appointment' if back else 'an opening'}")
        else:
            found.append((slot_form, slot))
    if len({slot.slot.doctor for _, slot in found}) > 1:
        faults.append("an appointment is moved within its doctor's openings; for another doctor, book one, cancel one")
    return _Filled(_literal(found), tuple(slot for _, slot in found), tuple(faults))


def _slot(given: GivenStep, form: SlotForm, known: KnownSlots, here: Situation) -> KnownSlot | None:
    literal = [given.parameters.get(name) for name in (DOCTOR, form.date, form.time)]
    if form.handle in given.parameters:
        return known.called(given.parameters[form.handle]) if literal == [None, None, None] else None
    name, day, at = literal
    if name is None or day is None or at is None:
        return None
    doctor = doctor_called(name, (clinic for clinic in here.clinics if clinic.id == given.clinic))
    return known.at(doctor, day, at)


def _literal(found: Sequence[tuple[SlotForm, KnownSlot]]) -> dict[str, str]:
    values: dict[str, str] = {}
    for form, known in found:
        slot = known.slot
        values |= {DOCTOR: slot.doctor, form.date: slot.date.isoformat(), form.time: f"{slot.time:%H:%M}"}
    return values
