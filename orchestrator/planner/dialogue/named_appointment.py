"""Finds the appointment that somebody wants to change: one of this conversation's, or one named in full.

What the clinics hold is not asked for; an appointment of another day is changed when doctor, day and time are certain,
said at once or bit by bit.
"""

from __future__ import annotations

from dataclasses import replace

from orchestrator.planner.calendar import Moment
from orchestrator.planner.dialogue.move_ends import End
from orchestrator.planner.dialogue.plan_builders import choice, clock
from orchestrator.planner.dialogue.situation import Situation, day_of, time_of
from orchestrator.turn import Appointment, Topic

_SHOWN = frozenset({Topic.ASK_WHICH_APPOINTMENT, Topic.MY_APPOINTMENTS})
"""Questions that show the appointments of this conversation as numbered rows."""

_DESCRIBING = frozenset({Topic.ASK_WHICH_DOCTOR, Topic.ASK_APPOINTMENT, Topic.ASK_CHANGE, Topic.ASK_GO_ON})
"""Questions whose answer goes on with what was said of an appointment before."""


def held(here: Situation, end: End) -> tuple[Appointment, ...]:
    """The appointments that fit what was said of them; one when it is certain which.

    Args:
        here: The turn.
        end: What describes the appointment as it is.
    """
    settled = here.in_question
    named = {doctor.name for doctor in end.doctors}
    if settled is not None and not end.moments and (not named or settled.doctor in named):
        return (settled,)
    moments = end.moments or _said_before(here)
    for described in (moments, tuple(_in_any_week(here, moment) for moment in moments)):
        fitting = tuple(one for one in here.session.appointments if _fits(here, one, end, described))
        if fitting:
            return _chosen(here, fitting)
    in_full = _named_in_full(here, end, moments)
    return (in_full,) if in_full is not None else ()


def _said_before(here: Situation) -> tuple[Moment, ...]:
    """When it is, as far as it was said before the open question."""
    question = here.session.question
    if question is None or question.topic not in _DESCRIBING:
        return ()
    day, at = day_of(here.known.get("date")), time_of(here.known.get("time"))
    return (Moment(0, 0, dates=(day,) if day else (), times=(at,) if at else ()),) if day or at else ()


def _in_any_week(here: Situation, moment: Moment) -> Moment:
    """A bare weekday need not be the coming one when it describes what is held: "cancela a de quinta"."""
    held = tuple(one.date for one in here.session.appointments if one.date.weekday() == moment.weekday)
    return replace(moment, dates=held) if held and moment.dates else moment


def fits(here: Situation, one: Appointment, end: End) -> bool:
    """Whether an appointment is what was said of it in this turn or before."""
    return _fits(here, one, end, end.moments or _said_before(here))


def _fits(here: Situation, one: Appointment, end: End, moments: tuple[Moment, ...]) -> bool:
    doctors = {doctor.name for doctor in end.doctors} or _doctor_said_before(here)
    return (
        (not doctors or one.doctor in doctors)
        and (not end.clinics or one.clinic in end.clinics)
        and (all(moment.matches(one.date, one.time) for moment in moments) or _may_be_chosen(here, one))
    )


def _doctor_said_before(here: Situation) -> set[str]:
    question = here.session.question
    describing = question is not None and question.topic in _DESCRIBING and "doctor" in question.known
    return {here.known["doctor"]} if describing else set()


def _chosen(here: Situation, fitting: tuple[Appointment, ...]) -> tuple[Appointment, ...]:
    """Those that an answer to "which one?" points at; a weekday that may be a row leaves it open."""
    pointer, question = here.said.pointer, here.session.question
    if question is None or question.topic not in _SHOWN:
        return fitting
    if pointer.earliest or pointer.latest:
        ordered = sorted(fitting, key=lambda one: (one.date, one.time))
        return (ordered[0] if pointer.earliest else ordered[-1],)
    return tuple(one for one in fitting if _may_be_chosen(here, one) and not pointer.perhaps) or fitting


def _may_be_chosen(here: Situation, one: Appointment) -> bool:
    """Whether an answer may name the row of an appointment among those that were shown."""
    question = here.session.question
    if question is None or question.topic not in _SHOWN:
        return False
    return choice(one, here.language) in {question.choices[number - 1] for number in here.chosen}


def _named_in_full(here: Situation, end: End, moments: tuple[Moment, ...]) -> Appointment | None:
    """An appointment of which doctor, day and time are certain, now or together with what was said before."""
    known = partly_known(here, End(moments, end.doctors))
    doctor, day, at = here.doctor_called(known.get("doctor", "")), day_of(known.get("date")), time_of(known.get("time"))
    if doctor is None or day is None or at is None or any(not moment.exists for moment in moments):
        return None
    return Appointment(doctor.clinic, doctor.name, day, at)


def partly_known(here: Situation, end: End) -> dict[str, str]:
    """What is settled so far of an appointment that is not known yet."""
    question = here.session.question
    describing = question is not None and question.topic in _DESCRIBING
    known = {name: here.known[name] for name in ("doctor", "date", "time") if describing and name in here.known}
    if len(end.doctors) == 1:
        known["doctor"] = end.doctors[0].name
    for moment in end.moments:
        if moment.date is not None:
            known["date"] = moment.date.isoformat()
        if moment.time is not None:
            known["time"] = clock(moment.time)
    return known
