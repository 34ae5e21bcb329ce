"""What a turn asks the clinics of its own accord: what the person holds, and whether a slot is still open."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, time
from operator import attrgetter

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.evidence import Evidence
from orchestrator.turn.plan import Plan, Step
from orchestrator.turn.proposals import plan_of_openings
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Session
from orchestrator.turn.step_actions import LIST_APPOINTMENTS, Appointment, ToolCall

Lookup = Callable[[Sequence[Step]], tuple[StepResult, ...]]
"""Send reads to the clinics."""


def openings_instead(plan: Plan, look_up: Lookup) -> tuple[Plan | None, tuple[Appointment, ...]]:
    """Return the plan that shows what is open, where a plan is to take a slot that is not; else what it takes."""
    taken = [step.taken for step in plan.steps if step.taken is not None]
    if not taken:
        return None, ()
    looked_up = plan_of_openings(plan, taken)
    open_slots = {slot: slot for slot in Evidence.of(look_up(looked_up.steps)).listed}
    return (None, tuple(open_slots[slot] for slot in taken)) if open_slots.keys() >= {*taken} else (looked_up, ())


def with_own_appointments(session: Session, clinics: Sequence[Clinic], look_up: Lookup) -> Session:
    """Return the session with what all clinics list, asked once a turn; what silent ones are known to hold stays."""
    if session.knows_own:
        return session
    # Numbered below the steps of any plan. A clinic that asks for no token cannot know who asks.
    asked = [one.id for one in clinics if one.knows_callers]
    results = look_up([Step(-number, one, ToolCall(LIST_APPOINTMENTS)) for number, one in enumerate(asked, 1)])
    answered = {result.step.clinic for result in results if isinstance(result.response, pb.ListAppointmentsResponse)}
    found = [held for result in results for held in own_appointments_of(result)]
    latest = {held: held for held in found}  # a slot that was given back and taken again has another id
    known = [latest.get(held, held) for held in session.appointments if held in latest or held.clinic not in answered]
    new = sorted(set(found).difference(known), key=attrgetter("date", "time", "clinic", "doctor"))
    return replace(
        session,
        listed=(*new, *known),
        listed_receipts=len(session.receipts),
        silent=tuple(result.step.clinic for result in results if result.step.clinic not in answered),
        knows_own=True,
    )


def own_appointments_of(result: StepResult) -> tuple[Appointment, ...]:
    """Return the appointments that a clinic lists, in its order; none for another answer."""
    if not isinstance(result.response, pb.ListAppointmentsResponse):
        return ()
    return tuple(appointment_of(result.step.clinic, one) for one in result.response.appointments)


def appointment_of(clinic: str, message: pb.Appointment | pb.AppointmentSummary) -> Appointment:
    """Return an appointment as the rest of the program knows it; raise ValueError for a malformed date or time."""
    at = date.fromisoformat(message.date), time.fromisoformat(message.time)
    return Appointment(clinic, message.doctor, *at, message.appointment_id, message.revision, message.duration_min)
