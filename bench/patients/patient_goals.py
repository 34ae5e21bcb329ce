"""What simulated patients want, drawn from what is open; the same seed gives the same goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from orchestrator.turn import Appointment, Language

ASPECTS: Mapping[str, Callable[[Appointment], object]] = {
    "weekday": lambda slot: slot.date.weekday(),
    "date": lambda slot: slot.date,
    "part": lambda slot: slot.time.hour < 12,
    "hour": lambda slot: slot.time,
    "doctor": lambda slot: slot.doctor,
    "clinic": lambda slot: slot.clinic,
}
"""In what a slot may have to be like another one."""

_ERRANDS = (
    *("book",) * 9,
    *("move",) * 3,
    *("cancel", "cancel", "book ask", "book move", "book cancel", "book book", "book book", "give_up"),
)


@dataclass(frozen=True, slots=True)
class PatientTask:
    """One errand, and the slot that a patient has in mind: one like it in specialty and `aspects` suits, too."""

    errand: str  # book, move, cancel, ask (which appointments there are), or give_up (begin to book and want nothing)
    specialty: str
    clinics: frozenset[str]  # of the specialty
    like: Appointment
    aspects: tuple[str, ...] = ()
    held: Appointment | None = None  # what is moved or cancelled
    later: Appointment | None = None  # what the visit has to be like after a change of mind

    def suits(self, slot: Appointment) -> bool:
        """Return whether a slot is what is wanted."""
        own = self.held is None or slot.doctor == self.held.doctor
        return own and slot.clinic in self.clinics and not self.differs_in(slot)

    def differs_in(self, slot: Appointment) -> list[str]:
        """Return the aspects in which a slot is not what is wanted."""
        return [name for name in self.aspects if ASPECTS[name](slot) != ASPECTS[name](self.like)]


@dataclass(frozen=True, slots=True)
class PatientGoal:
    """What one patient comes with."""

    language: Language
    tasks: tuple[PatientTask, ...]  # one after the other; two bookings are asked for at once
    held: tuple[Appointment, ...]  # appointments at the start
    known: bool  # whether this conversation made them


def draw_goal(openings: Sequence[Appointment], specialties: Mapping[str, str], chance: Random) -> PatientGoal:
    """Return a goal that can be reached; `specialties` has the code of each clinic's."""
    errands = chance.choice(_ERRANDS).split()
    held = chance.sample(openings, chance.choice((1, 1, 2))) if {"move", "cancel"} & set(errands) else []
    codes = [code for code in set(specialties.values()) if code not in {specialties[one.clinic] for one in held}]
    chance.shuffle(codes := sorted(codes))
    tasks = []
    for errand in errands:
        own = held[0] if errand in {"move", "cancel"} else None
        code = specialties[own.clinic] if own is not None else codes.pop()
        clinics = frozenset(clinic for clinic, its in specialties.items() if its == code)
        tasks.append(_detailed(PatientTask(errand, code, clinics, openings[0], held=own), openings, chance))
    known = len(errands) > 1 or chance.random() < 0.75
    return PatientGoal(chance.choice(tuple(Language)), tuple(tasks), tuple(held), known)


def _detailed(task: PatientTask, openings: Sequence[Appointment], chance: Random) -> PatientTask:
    held = task.held
    there = [one for one in openings if task.suits(one) and (held is None or one.date != held.date)]
    day, when = chance.choice(("weekday", "weekday", "date")), chance.choice(("part", "part", "hour"))
    shares = {day: 0.65 if held is None else 1.0, when: 0.5}
    if held is None:
        shares[chance.choice(("doctor", "clinic"))] = 0.25
    aspects = tuple(name for name, share in shares.items() if chance.random() < share)
    task = replace(task, like=chance.choice(there), aspects=aspects)
    others = [one for one in there if len(task.differs_in(one)) == 1]
    return replace(task, later=chance.choice(others)) if not held and others and chance.random() < 0.2 else task
