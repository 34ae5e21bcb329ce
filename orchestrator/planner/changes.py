"""Plans for giving an appointment back and for moving it.

Which appointment is `appointments`' to find, the new slot `targets`'; what is not certain is asked for. A move keeps
its doctor: a slot of somebody else is a booking of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orchestrator.plan import Plan, Question, Topic
from orchestrator.planner import appointments, targets
from orchestrator.planner.consent import answer
from orchestrator.planner.drafts import CANCEL, LIST, MOVE, ask, call, cancelling, choice, clock, moving, say, step
from orchestrator.planner.intents import Intent
from orchestrator.planner.moments import Role
from orchestrator.planner.situation import Situation
from orchestrator.session import Appointment
from orchestrator.slot_filter import SlotFilter

_ASKED = frozenset({Topic.ASK_WHICH_APPOINTMENT, Topic.ASK_APPOINTMENT, Topic.ASK_NEW_TIME})


def change(here: Situation) -> Plan | None:
    """A cancellation or a move, asked for now or continued from a question."""
    intents = here.said.cues.intents
    replaces = here.said.pointer.instead and here.session.appointments and here.said.moments
    if Intent.MOVE in intents or replaces:
        return None if _goes_elsewhere(here) else _move(here)
    if Intent.CANCEL in intents:
        return _cancel(here)
    question = here.session.question
    if question is None or question.topic not in _ASKED or not _goes_on(here, question):
        return None
    return _move(here) if question.action == MOVE else _cancel(here)


def _goes_elsewhere(here: Situation) -> bool:
    """Whether a doctor or clinic is named where nothing is held: the new slot is a booking of its own."""
    own = here.session.appointments
    doctors = {doctor.name for doctor in here.doctors}
    elsewhere = (doctors and not any(held.doctor in doctors for held in own)) or (
        here.said.clinics and not any(held.clinic in here.said.clinics for held in own)
    )
    return bool(own and elsewhere) and all(moment.role is not Role.SOURCE for moment in here.said.moments.found)


def _goes_on(here: Situation, question: Question) -> bool:
    """Whether the utterance answers an open question about an appointment."""
    said, pointer = here.said, here.said.pointer
    if question.action not in {MOVE, CANCEL}:
        return False
    if question.topic is Topic.ASK_NEW_TIME and appointments.in_question(here) is None:
        return False
    names_place = bool(said.specialties or said.clinics)
    if names_place and not (here.is_asked(Topic.ASK_WHICH_APPOINTMENT) and Intent.BOOK not in said.cues.intents):
        return False
    points = pointer.numbers or pointer.earliest or pointer.latest or pointer.this or pointer.same_time or here.chosen
    agrees = answer(said.text.original) is True
    return bool(said.moments or said.doctors.found or points or agrees or names_place)


def _cancel(here: Situation) -> Plan:
    proposal, said = here.session.proposal, here.said.moments.found
    if proposal is not None and not said and not here.said.doctors.found:
        if any(one.action == CANCEL for one in proposal.plan.steps):
            return proposal.plan
        return say(here, Topic.NOTHING_DONE, "The open proposal is dropped; it was not made.")
    held = appointments.held(here, said)
    if here.said.pointer.all and len(held) > 1:
        return call(here, [cancelling(one) for one in held], "All appointments of this conversation were meant.")
    if len(held) == 1:
        return call(here, [cancelling(held[0])], "One appointment fits what was said.")
    return _ask_which(here, held, CANCEL, appointments.partly_known(here, said))


def _move(here: Situation) -> Plan:
    old, new = targets.ends(here)
    held = appointments.held(here, old) or appointments.held(here, targets.on_the_same_day(old, new))
    if len(held) != 1:
        return _ask_which(here, held, MOVE, appointments.partly_known(here, old) | targets.partly_known(new))
    appointment = held[0]
    target = targets.target_of(here, appointment, new)
    if target is None or target == (appointment.date, appointment.time):
        return _list_for(here, appointment, targets.filter_of(here, appointment, new))
    if here.is_past(*target):
        return say(here, Topic.MOMENT_IN_PAST, "The new slot has already begun.")
    return call(
        here,
        [moving(appointment, *target)],
        "One appointment and one new slot fit what was said.",
        question=_question_for(appointment),
    )


def _list_for(here: Situation, held: Appointment, filters: SlotFilter) -> Plan:
    """The doctor's openings, to choose the new slot from."""
    return call(
        here,
        [step(held.clinic, LIST, doctor=held.doctor)],
        "The new slot is not certain yet; the doctor's openings settle it.",
        question=_question_for(held),
        filters=filters,
        nearest=here.said.pointer.earliest,
    )


def _question_for(held: Appointment) -> Question:
    known = {
        "doctor": held.doctor,
        "original_date": held.date.isoformat(),
        "original_time": clock(held.time),
    }
    return Question(Topic.ASK_NEW_TIME, MOVE, known)


def _ask_which(here: Situation, held: Sequence[Appointment], action: str, known: Mapping[str, str]) -> Plan:
    """Which appointment: one of several of this conversation, or else any, with doctor, day and time."""
    own = held or here.session.appointments
    if own:
        choices = [choice(one, here.language) for one in own]
        why = "Several appointments of this conversation could be meant."
        return ask(here, Topic.ASK_WHICH_APPOINTMENT, why, action=action, known=known, choices=choices)
    why = "This conversation knows of no appointment; doctor, day and time are needed."
    return ask(here, Topic.ASK_APPOINTMENT, why, action=action, known=known)
