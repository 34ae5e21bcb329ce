"""Finds the appointment that somebody wants to change: one of this conversation's, or one named in full.

What the clinics hold is not asked for; an appointment of another day is changed when doctor, day and time are certain,
said at once or bit by bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time

from orchestrator.plan import Topic
from orchestrator.planner.drafts import choice, clock
from orchestrator.planner.moments import Moment
from orchestrator.planner.situation import Situation
from orchestrator.session import Appointment, Receipt, ReceiptKind


def held(here: Situation, said: Sequence[Moment]) -> tuple[Appointment, ...]:
    """The appointments that fit what was said of them; one when it is certain which.

    Args:
        here: The turn.
        said: The moments that describe the appointment as it is.
    """
    settled = in_question(here)
    if settled is not None and not said:
        return (settled,)
    fitting = tuple(one for one in here.session.appointments if _fits(here, one, said))
    if fitting:
        return _chosen(here, fitting)
    named = _named_in_full(here, said)
    return (named,) if named is not None else ()


def _fits(here: Situation, one: Appointment, said: Sequence[Moment]) -> bool:
    doctors = {doctor.name for doctor in here.doctors}
    return (
        (not doctors or one.doctor in doctors)
        and (not here.said.clinics or one.clinic in here.said.clinics)
        and (not here.said.specialties or here.specialty_of(one.clinic) in here.said.specialties)
        and (all(moment.matches(one.date, one.time) for moment in said) or _may_be_chosen(here, one))
    )


def _chosen(here: Situation, fitting: tuple[Appointment, ...]) -> tuple[Appointment, ...]:
    """Those that an answer to "which one?" points at; a weekday that may be a row leaves it open."""
    pointer = here.said.pointer
    if not here.is_asked(Topic.ASK_WHICH_APPOINTMENT):
        return fitting
    if pointer.earliest or pointer.latest:
        ordered = sorted(fitting, key=lambda one: (one.date, one.time))
        return (ordered[0] if pointer.earliest else ordered[-1],)
    return tuple(one for one in fitting if _may_be_chosen(here, one) and not pointer.perhaps) or fitting


def _may_be_chosen(here: Situation, one: Appointment) -> bool:
    """Whether an answer may name the row of an appointment among those that were shown."""
    question = here.session.question
    if question is None or question.topic is not Topic.ASK_WHICH_APPOINTMENT:
        return False
    return choice(one, here.language) in {question.choices[number - 1] for number in here.chosen}


def _named_in_full(here: Situation, said: Sequence[Moment]) -> Appointment | None:
    """An appointment of which doctor, day and time are certain, now or together with what was said before."""
    known = here.known if here.is_asked(Topic.ASK_APPOINTMENT) else {}
    doctor = here.doctor or here.doctor_called(known.get("doctor", ""))
    day = next((moment.date for moment in said if moment.date), None) or day_of(known.get("date"))
    at = next((moment.time for moment in said if moment.time), None) or time_of(known.get("time"))
    if doctor is None or day is None or at is None or any(not moment.exists for moment in said):
        return None
    return Appointment(doctor.clinic, doctor.name, day, at)


def in_question(here: Situation) -> Appointment | None:
    """The appointment that an open move is about, unless it has been given back since."""
    known = here.known
    doctor = here.doctor_called(known.get("doctor", ""))
    day, at = day_of(known.get("original_date")), time_of(known.get("original_time"))
    if doctor is None or day is None or at is None:
        return None
    appointment = Appointment(doctor.clinic, doctor.name, day, at)
    return None if any(_gave_back(receipt, appointment) for receipt in here.session.receipts) else appointment


def _gave_back(receipt: Receipt, appointment: Appointment) -> bool:
    if receipt.kind is ReceiptKind.CANCELLED:
        return receipt.appointment == appointment
    return receipt.original == appointment


def partly_known(here: Situation, said: Sequence[Moment]) -> dict[str, str]:
    """What is settled so far of an appointment that is not known yet."""
    asked = here.is_asked(Topic.ASK_APPOINTMENT)
    known = {name: here.known[name] for name in ("doctor", "date", "time") if asked and name in here.known}
    if here.doctor is not None:
        known["doctor"] = here.doctor.name
    for moment in said:
        if moment.date is not None:
            known["date"] = moment.date.isoformat()
        if moment.time is not None:
            known["time"] = clock(moment.time)
    return known


def day_of(text: str | None) -> date | None:
    """A day among what a question already knows."""
    return None if text is None else date.fromisoformat(text)


def time_of(text: str | None) -> time | None:
    """A time among what a question already knows."""
    return None if text is None else time.fromisoformat(text)
