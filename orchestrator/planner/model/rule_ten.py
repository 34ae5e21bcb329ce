"""Rule 10 of the blueprint (1.5, 2.3.1) over the reads that a model proposed: every clinic of a specialty is asked.

Unless the words narrowed it to a clinic or a doctor. What the words themselves name, the grammar knows: its own steps
of the same kind are kept. Writes pass untouched, and nothing is invented: what is added is a step that is there, at
another clinic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from orchestrator.planner.dialogue import Situation
from orchestrator.planner.model.tool_forms import DOCTOR
from orchestrator.turn import Step

_Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """What clinics of one specialty are asked alike."""

    action: str
    specialty: str
    parameters: _Parameters


def completed(steps: Sequence[Step], here: Situation, grammar: Sequence[Step]) -> tuple[tuple[Step, ...], list[str]]:
    """Return reads with what Rule 10 adds, in the order of the registry, numbered from 1, and what was done to them.

    Args:
        steps: Checked reads of a model; empty when all were dropped.
        here: The turn.
        grammar: The steps of the grammar's own plan.
    """
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
    """The steps of one kind: clinic by clinic the grammar's, else the model's, else the same without a doctor."""
    meant = [step for step in grammar if _kind_of(step, here) == kind]
    narrowed = meant or here.said.clinics or here.doctors or any(DOCTOR in step.parameters for step in own)
    for clinic in here.clinics_of(kind.specialty):
        there = _at(clinic, meant) or _at(clinic, own)
        yield from there or ([] if narrowed else [Step(0, clinic, kind.action, dict(kind.parameters))])


def _at(clinic: str, steps: Iterable[Step]) -> list[Step]:
    return [step for step in steps if step.clinic == clinic]


def _in_specialties(steps: Iterable[Step], here: Situation, notes: list[str]) -> Iterator[Step]:
    """The steps within the specialties, clinics and doctors that the words name, if they name specialties."""
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
    """The steps, without a doctor that neither the words nor the talk before name."""
    meant = {doctor.name for doctor in (*here.doctors, here.chosen_doctor, here.doctor_talked_of) if doctor is not None}
    meant |= {step.parameters[DOCTOR] for step in grammar if DOCTOR in step.parameters}
    for step in steps:
        if step.parameters.get(DOCTOR, "") in {"", *meant}:
            yield step
        else:
            notes.append(f"The doctor was dropped at {step.clinic}: nobody named one.")
            yield replace(step, parameters={name: text for name, text in step.parameters.items() if name != DOCTOR})


def _forgotten(steps: Sequence[Step], here: Situation, grammar: Sequence[Step]) -> list[Step]:
    """The grammar's steps for specialties that the words name and no step is for."""
    actions = {step.action for step in steps}
    asked = {here.specialty_of(step.clinic) for step in steps}
    missed = set(here.said.specialties) - asked
    return [step for step in grammar if step.action in actions and here.specialty_of(step.clinic) in missed]
