"""Word answers about patients: lists by anonymous id, one record with its CPF masked, and what the speaker holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from operator import attrgetter

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator import turn
from orchestrator.responder.filter_words import FilterPhrases
from orchestrator.responder.reply_context import Label, ReplyContext, left_out, read_failure, unanswered
from orchestrator.responder.write_replies import card


def patient_list(results: Sequence[turn.StepResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield the blocks for list and search steps; only clinics that answered are said to have found nobody."""
    rows: tuple[tuple[str, str, str], ...] = ()
    for result in results:
        match result.response:
            case pb.ListPatientsResponse(patients=found) | pb.QueryResponse(matches=found):
                rows += tuple((one.patient_id, one.condition, context.clinic(result.step.clinic)) for one in found)
    if rows:
        yield turn.Paragraph(context.texts.counted("responder.patients.found", len(rows)))
    elif _is_answered(results):
        yield turn.Paragraph(context.texts.text("responder.patients.none"))
    yield from unanswered(results, context)
    if rows:
        yield turn.Table(context.labels(Label.PATIENT_ID, Label.CONDITION, Label.CLINIC), rows, private=True)


def _is_answered(results: Sequence[turn.StepResult]) -> bool:
    return any(result.status is turn.StepStatus.DONE for result in results)


def record(results: Sequence[turn.StepResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield the blocks for one id asked of several clinics.

    If the clinic of the id answers, the others do not count; the id is unknown only if all of them answered so.
    """
    texts = context.texts
    cards = [
        _record_card(result.response.patient, result.step.clinic, context)
        for result in results
        if isinstance(result.response, pb.GetPatientResponse)
    ]
    if cards:
        yield from cards
        yield from left_out(results, context)
        return
    failed = [one for one in results if one.error is None or one.error.reason != "PATIENT_NOT_FOUND"]
    sentences = [read_failure(result, context) for result in failed]
    if not failed:
        sentences.append(texts.text("responder.patients.not_found"))
    elif len(failed) < len(results):
        sentences.append(texts.text("responder.patients.not_found_so_far"))
    elif any(result.status is not turn.StepStatus.REFUSED for result in failed):
        sentences.append(texts.text("responder.failures.all_down"))
    yield turn.Paragraph(" ".join(sentences))


def _record_card(patient: pb.Patient, clinic: str, context: ReplyContext) -> turn.Card:
    birth = context.texts.plain_date(date.fromisoformat(patient.birth_date)) if patient.birth_date else ""
    rows = [
        (Label.CLINIC, context.clinic(clinic)),
        (Label.PATIENT, patient.name),
        (Label.CPF, turn.Identity(patient.name, patient.cpf).masked_cpf),
        (Label.BIRTH_DATE, birth),
        (Label.CONDITION, patient.condition),
        (Label.MEDICATIONS, "; ".join(f"{drug.name} ({drug.dosage})" for drug in patient.medications)),
        (Label.EXAMS, "; ".join(patient.exams)),
        (Label.ADDRESS, patient.address),
        (Label.PHONE, patient.phone),
    ]
    title = context.texts.text("responder.patients.record", patient_id=patient.patient_id)
    return replace(card(title, rows, context), private=True)


def appointment_list(results: Sequence[turn.StepResult], context: ReplyContext) -> Iterator[turn.Block]:
    """Yield the blocks for steps that list the person's appointments, in order of date, time and clinic."""
    held = [one for result in results for one in turn.own_appointments_of(result)]
    if held:
        yield turn.Paragraph(context.texts.text("responder.topics.my_appointments"))
    elif _is_answered(results):
        yield turn.Paragraph(context.texts.text("responder.topics.no_appointments"))
    yield from unanswered(results, context)
    if held:
        yield _appointment_table(sorted(held, key=attrgetter("date", "time", "clinic")), context)


def appointments_asked_about(plan: turn.Plan, session: turn.Session, context: ReplyContext) -> turn.Table:
    """Return what the person holds of what was asked about, else all of it, in the order of the plan's choices."""
    own = sorted(session.appointments, key=attrgetter("begin"))
    return _appointment_table([one for one in own if turn.fits(plan.wish.filter, one)] or own, context)


def appointments_in_words(wanted: turn.Filter, today: date, session: turn.Session, context: ReplyContext) -> str:
    """Return which of the person's appointments a filter admits, in a sentence."""
    texts, phrases = context.texts, FilterPhrases(context, today)
    found = [one for one in sorted(session.appointments, key=attrgetter("begin")) if turn.fits(wanted, one)]
    if not found:
        if said := phrases.scope(wanted):
            return texts.text("responder.appointments.none", filter=said)
        return texts.text("responder.topics.no_appointments")
    visits = (
        f"{phrases.on_day(one.date)}, {texts.text('responder.phrases.time', time=turn.clock(one.time))}, "
        f"{phrases.with_doctor(one.doctor)}"
        for one in found
    )
    return texts.text("responder.appointments.held", visits="; ".join(visits))


def _appointment_table(held: Iterable[turn.Appointment], context: ReplyContext) -> turn.Table:
    rows = tuple(
        (str(number), context.texts.long_date(one.date), turn.clock(one.time), one.doctor, context.clinic(one.clinic))
        for number, one in enumerate(held, 1)
    )
    return turn.Table(context.labels(Label.NUMBER, Label.DATE, Label.TIME, Label.DOCTOR, Label.CLINIC), rows)
