"""Builds plans: the shapes that the planning rules share, each once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, time

from orchestrator.planner.dialogue.situation import Situation
from orchestrator.texts import clock_time, texts_in
from orchestrator.turn import Appointment, Language, Offer, Plan, PlanKind, Question, SlotFilter, Step, Topic

LIST = "list_available_slots"
BOOK = "book_appointment"
MOVE = "reschedule_appointment"
CANCEL = "cancel_appointment"
LIST_PATIENTS = "list_patients"
GET_PATIENT = "get_patient"
QUERY = "query"

_KINDS: dict[Topic, PlanKind] = {
    Topic.DIAGNOSIS: PlanKind.REFUSE,
    Topic.DOSAGE: PlanKind.REFUSE,
    Topic.OTHER_PERSON: PlanKind.REFUSE,
    Topic.OPERATORS_ONLY: PlanKind.REFUSE,
    Topic.INSTRUCTIONS: PlanKind.REFUSE,
    Topic.OTHER_SPECIALTY: PlanKind.OUT_OF_SCOPE,
    Topic.OFF_TOPIC: PlanKind.OUT_OF_SCOPE,
    Topic.GREETING: PlanKind.SMALLTALK,
    Topic.THANKS: PlanKind.SMALLTALK,
    Topic.FAREWELL: PlanKind.SMALLTALK,
    Topic.HELP: PlanKind.SMALLTALK,
    Topic.HOW_IT_WORKS: PlanKind.SMALLTALK,
    Topic.NOTHING_DONE: PlanKind.SMALLTALK,
    Topic.WHAT_ELSE: PlanKind.SMALLTALK,
    Topic.NO_HEALTH_MEMORY: PlanKind.SMALLTALK,
    Topic.MEDICAL_EMERGENCY: PlanKind.EMERGENCY,
    Topic.SELF_HARM: PlanKind.EMERGENCY,
}
"""Every other topic is a question."""


def say(here: Situation, topic: Topic, why: str, *, question: Question | None = None) -> Plan:
    """Return a plan that calls no clinic; `question`, or else what is open, can be gone on with afterwards."""
    return Plan(
        kind=_KINDS.get(topic, PlanKind.CLARIFY),
        language=here.language,
        topic=topic,
        question=question or _still_open(here),
        reasoning=(why,),
    )


def _still_open(here: Situation) -> Question | None:
    """Return the open question; where a proposal is open, whether to go on with it: a yes proposes it again."""
    proposal = here.session.proposal
    if proposal is None or proposal.attempted:
        return here.session.question
    match proposal.plan.steps:
        case (write,):
            return Question(Topic.ASK_GO_ON, write.action, write.parameters)
        case (taking, giving) if giving.after == taking.step_id:
            known = {
                "doctor": giving.parameters["doctor"],
                "original_date": giving.parameters["date"],
                "original_time": giving.parameters["time"],
                "to_doctor": taking.parameters["doctor"],
                "new_date": taking.parameters["date"],
                "new_time": taking.parameters["time"],
            }
            return Question(Topic.ASK_GO_ON, MOVE, known)
        case _:
            return here.session.question


def ask(
    here: Situation,
    topic: Topic,
    why: str,
    *,
    action: str | None = None,
    known: Mapping[str, str] | None = None,
    choices: Sequence[str] = (),
    filters: SlotFilter | None = None,
    facts: Mapping[str, str] | None = None,
) -> Plan:
    """Return a question that the next turn may answer."""
    kept = here.said.filter if filters is None else filters
    question = Question(topic, action, known or {}, kept, tuple(choices))
    return Plan(
        kind=PlanKind.CLARIFY,
        language=here.language,
        topic=topic,
        facts=facts or {},
        choices=tuple(choices),
        question=question,
        reasoning=(why,),
    )


def call(
    here: Situation,
    steps: Iterable[Step],
    *why: str,
    question: Question | None = None,
    filters: SlotFilter | None = None,
    nearest: bool = False,
) -> Plan:
    """Return a plan of steps, numbered in their order."""
    numbered = tuple(replace(step, step_id=n) for n, step in enumerate(steps, 1))
    return Plan(
        kind=PlanKind.STEPS,
        language=here.language,
        steps=numbered,
        question=question,
        filters=filters or SlotFilter(),
        nearest=nearest,
        reasoning=why,
    )


def step(clinic: str, action: str, **parameters: str) -> Step:
    """Return a step that `call` will number."""
    return Step(0, clinic, action, parameters)


def booking_step(clinic: str, doctor: str, day: date, at: time) -> Step:
    """Return the step that books a slot."""
    return step(clinic, BOOK, doctor=doctor, date=day.isoformat(), time=clock(at))


def cancelling(held: Appointment) -> Step:
    """Return the step that cancels an appointment."""
    return step(held.clinic, CANCEL, doctor=held.doctor, date=held.date.isoformat(), time=clock(held.time))


def slot_taken(proposed: Step) -> Appointment | None:
    """Return the appointment that a booking would make."""
    if proposed.action != BOOK:
        return None
    given = proposed.parameters
    day, at = date.fromisoformat(given["date"]), time.fromisoformat(given["time"])
    return Appointment(proposed.clinic, given["doctor"], day, at)


def moving(held: Appointment, day: date, at: time) -> Step:
    """Return the step that moves an appointment to another slot of its doctor."""
    return step(
        held.clinic,
        MOVE,
        original_date=held.date.isoformat(),
        original_time=clock(held.time),
        doctor=held.doctor,
        new_date=day.isoformat(),
        new_time=clock(at),
    )


def exchanging(held: Appointment, wanted: Appointment) -> list[Step]:
    """Return the steps that book a slot of another doctor and then cancel the appointment."""
    taking = booking_step(wanted.clinic, wanted.doctor, wanted.date, wanted.time)
    return [taking, replace(cancelling(held), after=1)]


def clock(at: time) -> str:
    """Return a time of day as the contract writes it."""
    return at.strftime("%H:%M")


def choice(slot: Offer | Appointment, language: Language) -> str:
    """Return one line for a slot among several to choose from."""
    texts = texts_in(language)
    return texts.text("planner.opening", doctor=slot.doctor, day=texts.long_date(slot.date), time=clock_time(slot.time))
