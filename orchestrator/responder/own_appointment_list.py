"""Word what a person holds: one table over all clinics."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from orchestrator.responder.reply_context import Label, ReplyContext, unanswered
from orchestrator.texts import clock_time
from orchestrator.turn import (
    Appointment,
    Block,
    Paragraph,
    Part,
    Plan,
    Session,
    StepResult,
    StepStatus,
    Table,
    Topic,
    fits,
    own_appointments_of,
)


def appointment_list(results: Sequence[StepResult], context: ReplyContext) -> tuple[Block, ...]:
    """Return the blocks for steps that list the person's appointments, in order of date, time and clinic."""
    if all(result.status is not StepStatus.DONE for result in results):
        return unanswered(results, context)
    texts = context.texts
    held = [one for result in results for one in own_appointments_of(result)]
    if not held:
        return (Paragraph(texts.text("responder.topics.no_appointments"), Part.NOTICE), *unanswered(results, context))
    said = (Paragraph(texts.text("responder.topics.my_appointments")), *unanswered(results, context))
    return (*said, appointment_table(sorted(held, key=attrgetter("date", "time", "clinic")), context))


def appointments_asked_about(plan: Plan, session: Session, context: ReplyContext) -> Table:
    """Return what the person holds of what was asked about, else all of it, in the order of the plan's choices."""
    own = sorted(session.appointments, key=attrgetter("begin"))
    return appointment_table([one for one in own if fits(plan.wish.filter, one)] or own, context)


def appointment_table(held: Iterable[Appointment], context: ReplyContext) -> Table:
    """Return appointments as a table, numbered from 1."""
    rows = tuple(
        (str(number), context.texts.long_date(one.date), clock_time(one.time), one.doctor, context.clinic(one.clinic))
        for number, one in enumerate(held, 1)
    )
    columns = (Label.NUMBER, Label.DATE, Label.TIME, Label.DOCTOR, Label.CLINIC)
    return Table(tuple(map(context.label, columns)), rows)


_OF_OWN = frozenset(
    {
        *(Topic.MY_APPOINTMENTS, Topic.NO_APPOINTMENT_THEN, Topic.NO_APPOINTMENTS),
        *(Topic.ASK_WHICH_APPOINTMENT, Topic.ASK_APPOINTMENT),
    }
)


def not_listed(plan: Plan, session: Session, context: ReplyContext) -> tuple[Block, ...]:
    """Return which clinics did not list the person's appointments, where those are spoken of."""
    if plan.topic not in _OF_OWN or not session.silent:
        return ()
    clinics = context.texts.all_of(map(context.clinic, session.silent))
    said = context.texts.counted("responder.appointments.silent", len(session.silent), clinics=clinics)
    if any(one.clinic in session.silent for one in session.appointments):
        said = f"{said} {context.texts.text('responder.appointments.remembered')}"
    return (Paragraph(said, Part.NOTICE),)
