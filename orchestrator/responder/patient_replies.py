"""Word answers about patients: lists by anonymous id, and one record. A CPF is masked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.responder.reply_context import Label, ReplyContext, left_out, read_failure, unanswered
from orchestrator.responder.write_replies import card
from orchestrator.turn import Block, Card, Identity, Paragraph, Part, StepResult, StepStatus, Table


def patient_list(results: Sequence[StepResult], context: ReplyContext) -> tuple[Block, ...]:
    """Return the blocks for list and search steps; only clinics that answered are said to have found nobody."""
    if all(result.status is not StepStatus.DONE for result in results):
        return unanswered(results, context)
    texts = context.texts
    rows = tuple(
        (summary.patient_id, summary.condition, context.clinic(clinic)) for clinic, summary in _summaries(results)
    )
    if not rows:
        return (Paragraph(texts.text("responder.patients.none"), Part.NOTICE), *unanswered(results, context))
    columns = (Label.PATIENT_ID, Label.CONDITION, Label.CLINIC)
    return (
        Paragraph(texts.counted("responder.patients.found", len(rows))),
        *unanswered(results, context),
        Table(tuple(map(context.label, columns)), rows, private=True, part=Part.PATIENTS),
    )


def _summaries(results: Sequence[StepResult]) -> Iterator[tuple[str, pb.PatientSummary]]:
    for result in results:
        match result.response:
            case pb.ListPatientsResponse(patients=summaries) | pb.QueryResponse(matches=summaries):
                for summary in summaries:
                    yield result.step.clinic, summary


def record(results: Sequence[StepResult], context: ReplyContext) -> tuple[Block, ...]:
    """Return the blocks for one id asked of several clinics.

    If the clinic of the id answers, the others do not count; the id is unknown only if all of them answered so.
    """
    texts = context.texts
    cards = tuple(
        _record_card(result.response.patient, result.step.clinic, context)
        for result in results
        if isinstance(result.response, pb.GetPatientResponse)
    )
    if cards:
        return (*cards, *left_out(results, context))
    failed = [one for one in results if one.error is None or one.error.reason != "PATIENT_NOT_FOUND"]
    if not failed:
        return (Paragraph(texts.text("responder.patients.not_found"), Part.NOTICE),)
    sentences = [read_failure(result, context) for result in failed]
    if len(failed) < len(results):
        sentences.append(texts.text("responder.patients.not_found_so_far"))
    elif any(result.status is not StepStatus.REFUSED for result in failed):
        sentences.append(context.texts.text("responder.failures.all_down"))
    return (Paragraph(" ".join(sentences), Part.NOTICE),)


def _record_card(patient: pb.Patient, clinic: str, context: ReplyContext) -> Card:
    birth = context.texts.plain_date(date.fromisoformat(patient.birth_date)) if patient.birth_date else ""
    rows = [
        (Label.CLINIC, context.clinic(clinic)),
        (Label.PATIENT, patient.name),
        (Label.CPF, Identity(patient.name, patient.cpf).masked_cpf if patient.cpf else ""),
        (Label.BIRTH_DATE, birth),
        (Label.CONDITION, patient.condition),
        (Label.MEDICATIONS, "; ".join(f"{drug.name} ({drug.dosage})" for drug in patient.medications)),
        (Label.EXAMS, "; ".join(patient.exams)),
        (Label.ADDRESS, patient.address),
        (Label.PHONE, patient.phone),
    ]
    title = context.texts.text("responder.patients.record", patient_id=patient.patient_id)
    return replace(card(title, rows, context, Part.RECORD), private=True)
