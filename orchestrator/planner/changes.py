"""Plans for giving an appointment back and for moving it.

The appointment is one of this conversation's, or one named in full; a target is certain or is asked for. A move keeps
its doctor: a slot of somebody else is a booking of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, time

from orchestrator.plan import Plan, Question, Topic
from orchestrator.planner.consent import answer
from orchestrator.planner.drafts import CANCEL, LIST, MOVE, ask, call, cancelling, choice, clock, moving, say, step
from orchestrator.planner.intents import Intent
from orchestrator.planner.moments import Moment, Role
from orchestrator.planner.situation import Situation, slot_of
from orchestrator.session import Appointment, Offer, Receipt, ReceiptKind

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
    if question is None or question.topic not in _ASKED or _changes_subject(here, question):
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


def _changes_subject(here: Situation, question: Question) -> bool:
    """Whether the utterance is no answer to a question about an appointment."""
    said = here.said
    if question.topic is Topic.ASK_NEW_TIME and _from_question(here) is None:
        return True
    if question.topic is Topic.ASK_WHICH_APPOINTMENT and Intent.BOOK not in said.cues.intents:
        return not (_answers(here) or said.specialties or said.clinics)
    return bool(said.specialties or said.clinics) or not _answers(here)


def _answers(here: Situation) -> bool:
    said = here.said
    agrees = answer(said.text.original) is True
    return bool(said.moments or said.doctors.found or here.chosen or agrees or _points(here))


def _points(here: Situation) -> bool:
    pointer = here.said.pointer
    return bool(pointer.numbers or pointer.earliest or pointer.latest or pointer.this or pointer.same_time)


def _cancel(here: Situation) -> Plan:
    proposal = here.session.proposal
    if proposal is not None and not here.said.moments and not here.said.doctors.found:
        if any(one.action == CANCEL for one in proposal.plan.steps):
            return proposal.plan
        return say(here, Topic.NOTHING_DONE, "The open proposal is dropped; it was not made.")
    held = _held(here, here.said.moments.found)
    if here.said.pointer.all and len(held) > 1:
        return call(here, [cancelling(one) for one in held], "All appointments of this conversation were meant.")
    if len(held) == 1:
        return call(here, [cancelling(held[0])], "One appointment fits what was said.")
    return _ask_which(here, held, CANCEL, _partly_known(here, here.said.moments.found))


def _move(here: Situation) -> Plan:
    sources, targets = _ends(here)
    held = _held(here, sources) or _held(here, _on_the_same_day(sources, targets))
    if len(held) != 1:
        return _ask_which(here, held, MOVE, _partly_known(here, sources) | _target_known(targets))
    appointment = held[0]
    target = _target(here, appointment, targets)
    if target is None or target == (appointment.date, appointment.time):
        return _list_for(here, appointment)
    if here.is_past(*target):
        return say(here, Topic.MOMENT_IN_PAST, "The new slot has already begun.")
    return call(
        here,
        [moving(appointment, *target)],
        "One appointment and one new slot fit what was said.",
        question=_question_for(appointment),
    )


def _ends(here: Situation) -> tuple[tuple[Moment, ...], tuple[Moment, ...]]:
    """Which moments describe the appointment as it is, and which the new one."""
    found = here.said.moments.found
    question = here.session.question
    if question is not None and question.topic is Topic.ASK_APPOINTMENT and Intent.MOVE not in here.said.cues.intents:
        return found[:1], found[1:]
    if len(found) > 1:
        return (found[1:2], found[:1]) if _runs_backwards(found) else (found[:1], found[1:2])
    if found and found[0].role is Role.SOURCE and not _said_before(here):
        return found, ()
    return (), found


def _on_the_same_day(sources: Sequence[Moment], targets: Sequence[Moment]) -> tuple[Moment, ...]:
    """The appointment as it is when only its time was said: "das 9h para as 10:30 do dia 21"."""
    days = targets[0].dates if targets else ()
    return tuple(replace(source, dates=source.dates or days) for source in sources if source.times)


def _runs_backwards(found: Sequence[Moment]) -> bool:
    """The new slot comes first: "para sexta às 10 a consulta do dia 18"."""
    return found[0].role is Role.TARGET and found[1].role is not Role.TARGET


def _said_before(here: Situation) -> bool:
    """Whether the appointment to move is already settled, so that a lone moment can only be the new one."""
    return _from_question(here) is not None


def _held(here: Situation, said: Sequence[Moment]) -> tuple[Appointment, ...]:
    """The appointments that fit: of this conversation, or the one that was named in full."""
    settled = _from_question(here)
    if settled is not None and not said:
        return (settled,)
    own = here.session.appointments
    doctors = {doctor.name for doctor in here.doctors}
    fitting = tuple(
        held
        for held in own
        if (not doctors or held.doctor in doctors)
        and (not here.said.clinics or held.clinic in here.said.clinics)
        and (not here.said.specialties or here.specialty_of(held.clinic) in here.said.specialties)
        and (all(moment.matches(held.date, held.time) for moment in said) or _is_chosen(here, held))
    )
    if fitting:
        return _numbered(here, fitting)
    named = _named_in_full(here, said)
    return (named,) if named is not None else ()


def _numbered(here: Situation, fitting: tuple[Appointment, ...]) -> tuple[Appointment, ...]:
    """Those that an answer to "which one?" points at."""
    question, pointer = here.session.question, here.said.pointer
    if question is None or question.topic is not Topic.ASK_WHICH_APPOINTMENT:
        return fitting
    chosen = tuple(held for held in fitting if _is_chosen(here, held) and not here.said.pointer.perhaps)
    if pointer.earliest or pointer.latest:
        ordered = sorted(fitting, key=lambda held: (held.date, held.time))
        chosen = (ordered[0] if pointer.earliest else ordered[-1],)
    return chosen or fitting


def _is_chosen(here: Situation, held: Appointment) -> bool:
    """Whether the answer may name the row of an appointment among those that were shown."""
    question = here.session.question
    if question is None or question.topic is not Topic.ASK_WHICH_APPOINTMENT:
        return False
    return choice(held, here.language) in {question.choices[number - 1] for number in here.chosen}


def _named_in_full(here: Situation, said: Sequence[Moment]) -> Appointment | None:
    """An appointment of which doctor, day and time are certain, now or together with what was said before."""
    known = here.known if _asks_appointment(here) else {}
    doctor = here.doctor or here.doctor_called(known.get("doctor", ""))
    day = next((moment.date for moment in said if moment.date), None) or _day(known.get("date"))
    at = next((moment.time for moment in said if moment.time), None) or _time(known.get("time"))
    if doctor is None or day is None or at is None or any(not moment.exists for moment in said):
        return None
    return Appointment(doctor.clinic, doctor.name, day, at)


def _asks_appointment(here: Situation) -> bool:
    question = here.session.question
    return question is not None and question.topic is Topic.ASK_APPOINTMENT


def _from_question(here: Situation) -> Appointment | None:
    """The appointment that an open move is about, unless it has been given back since."""
    known = here.known
    doctor = here.doctor_called(known.get("doctor", ""))
    day, at = _day(known.get("original_date")), _time(known.get("original_time"))
    if doctor is None or day is None or at is None:
        return None
    appointment = Appointment(doctor.clinic, doctor.name, day, at)
    return None if any(_given_back(receipt, appointment) for receipt in here.session.receipts) else appointment


def _given_back(receipt: Receipt, appointment: Appointment) -> bool:
    if receipt.kind is ReceiptKind.CANCELLED:
        return receipt.appointment == appointment
    return receipt.original == appointment


def _target(here: Situation, held: Appointment, targets: Sequence[Moment]) -> tuple[date, time] | None:
    """The new slot, when it is certain: said in full, taken over in part, or settled by what was shown."""
    moment = targets[0] if targets else _target_said_before(here)
    pointer = here.said.pointer
    offered = [offer for offer in here.session.offers if offer.doctor == held.doctor]
    if moment is not None and not moment.exists:
        return None
    if moment is None:
        return _pointed_at(here, offered)
    if pointer.same_time and moment.date is not None:
        return moment.date, held.time
    fitting = {(offer.date, offer.time) for offer in offered if moment.matches(offer.date, offer.time)}
    settled = fitting.pop() if len(fitting) == 1 and moment.times else None
    if moment.dates or moment.days or moment.time is None:
        return slot_of(moment) or settled
    return settled if _from_question(here) is not None and settled else (held.date, moment.time)


def _pointed_at(here: Situation, offered: Sequence[Offer]) -> tuple[date, time] | None:
    """The opening that is meant without naming a time: by number, as the earliest, or as the only one shown."""
    pointer = here.said.pointer
    ordered = sorted(offered, key=lambda offer: (offer.date, offer.time))
    if pointer.numbers:
        ordered = [offer for offer in ordered if offer.number in pointer.numbers]
    elif pointer.earliest or pointer.latest:
        ordered = ordered[:1] if pointer.earliest else ordered[-1:]
    elif not (pointer.this or answer(here.said.text.original)):
        return None
    return (ordered[0].date, ordered[0].time) if len(ordered) == 1 else None


def _target_said_before(here: Situation) -> Moment | None:
    """The new slot that was said before it was asked which appointment is meant."""
    day, at = _day(here.known.get("new_date")), _time(here.known.get("new_time"))
    if day is None and at is None:
        return None
    return Moment(0, 0, dates=(day,) if day else (), times=(at,) if at else ())


def _list_for(here: Situation, held: Appointment) -> Plan:
    """The doctor's openings, to choose the new slot from."""
    return call(
        here,
        [step(held.clinic, LIST, doctor=held.doctor)],
        "The new slot is not certain yet; the doctor's openings settle it.",
        question=_question_for(held),
        filters=here.said.filter if not any(m.role is Role.SOURCE for m in here.said.moments.found) else None,
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


def _partly_known(here: Situation, said: Sequence[Moment]) -> dict[str, str]:
    """What is settled of the appointment so far."""
    known = {name: here.known[name] for name in ("doctor", "date", "time") if name in here.known}
    if here.doctor is not None:
        known["doctor"] = here.doctor.name
    for moment in said:
        if moment.date is not None:
            known["date"] = moment.date.isoformat()
        if moment.time is not None:
            known["time"] = clock(moment.time)
    return known if _asks_appointment(here) or said or here.doctor else {}


def _target_known(targets: Sequence[Moment]) -> dict[str, str]:
    """What is settled of the new slot so far."""
    known: dict[str, str] = {}
    for moment in targets:
        if moment.date is not None:
            known["new_date"] = moment.date.isoformat()
        if moment.time is not None:
            known["new_time"] = clock(moment.time)
    return known


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _time(text: str | None) -> time | None:
    return None if text is None else time.fromisoformat(text)
