"""Draws one thing as a card: a proposal, a receipt, a patient's record. CPFs are masked on every card."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.responder.voice import Label, Voice
from orchestrator.responder.wording import clock_time, long_date, moment, plain_date
from orchestrator.turn import Card, Identity, Part, Receipt, Step


def proposal_card(step: Step, voice: Voice) -> Card:
    """Return what a write will do, for the person to agree to."""
    given = step.parameters
    rows = [(Label.CLINIC, voice.clinic(step.clinic)), (Label.DOCTOR, given.get("doctor", ""))]
    if "new_date" in given:
        rows += [
            (Label.FROM, _moment(given.get("original_date", ""), given.get("original_time", ""), voice)),
            (Label.TO, _moment(given["new_date"], given.get("new_time", ""), voice)),
        ]
    else:
        rows += [
            (Label.DATE, _date(given.get("date", ""), voice)),
            (Label.TIME, given.get("time", "")),
        ]
    return _card(voice.texts.text(f"responder.consent.titles.{step.action}"), [*rows, *_patient(voice)], voice)


def step_words(step: Step, voice: Voice) -> str:
    """Return a write in one line, to say which of several is meant."""
    given = step.parameters
    day, at = given.get("new_date") or given.get("date", ""), given.get("new_time") or given.get("time", "")
    words = (given.get("doctor", ""), _moment(day, at, voice), voice.clinic(step.clinic))
    return f"{voice.texts.text(f'responder.consent.titles.{step.action}')}: {', '.join(word for word in words if word)}"


def receipt_card(receipt: Receipt, voice: Voice) -> Card:
    """Return a write that a clinic acknowledged."""
    held, original = receipt.appointment, receipt.original
    rows = [
        (Label.CLINIC, voice.clinic(held.clinic)),
        (Label.DOCTOR, held.doctor),
        (Label.SPECIALTY, voice.specialty_of(held.clinic)),
    ]
    if original is not None:
        rows.append((Label.FROM, moment(original.date, original.time, voice.language)))
        rows.append((Label.TO, moment(held.date, held.time, voice.language)))
    else:
        rows += [(Label.DATE, long_date(held.date, voice.language)), (Label.TIME, clock_time(held.time))]
    return _card(
        voice.texts.text(f"responder.consent.receipts.{receipt.kind}"), [*rows, *_patient(voice)], voice, Part.RECEIPT
    )


def record_card(patient: pb.Patient, clinic: str, voice: Voice) -> Card:
    """Return a patient's record, all of it but the CPF in full."""
    birth = plain_date(date.fromisoformat(patient.birth_date), voice.language) if patient.birth_date else ""
    rows = [
        (Label.CLINIC, voice.clinic(clinic)),
        (Label.PATIENT, patient.name),
        (Label.CPF, Identity(patient.name, patient.cpf).masked_cpf if patient.cpf else ""),
        (Label.BIRTH_DATE, birth),
        (Label.CONDITION, patient.condition),
        (Label.MEDICATIONS, "; ".join(f"{drug.name} ({drug.dosage})" for drug in patient.medications)),
        (Label.EXAMS, "; ".join(patient.exams)),
        (Label.ADDRESS, patient.address),
        (Label.PHONE, patient.phone),
    ]
    title = voice.texts.text("responder.patients.record", patient_id=patient.patient_id)
    return replace(_card(title, rows, voice, Part.RECORD), private=True)


def _card(title: str, rows: list[tuple[Label, str]], voice: Voice, part: Part | None = None) -> Card:
    return Card(title, tuple((voice.label(label), value) for label, value in rows if value), part=part)


def _patient(voice: Voice) -> list[tuple[Label, str]]:
    return [(Label.PATIENT, voice.identity.name), (Label.CPF, voice.identity.masked_cpf)]


def _moment(day: str, at: str, voice: Voice) -> str:
    return ", ".join(words for words in (_date(day, voice), _time(at)) if words)


def _date(day: str, voice: Voice) -> str:
    # A clinic may have refused just this value; then it is shown as it was asked for.
    try:
        return long_date(date.fromisoformat(day), voice.language)
    except ValueError:
        return day


def _time(at: str) -> str:
    try:
        return clock_time(time.fromisoformat(at))
    except ValueError:
        return at
