"""Words writes: what is proposed, receipts, refusals with what is open instead, unknown outcomes. A CPF is masked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.responder.failures import no_answer, refusal, write_failure
from orchestrator.responder.opening_list import offer_table
from orchestrator.responder.voice import Label, Voice
from orchestrator.texts import clock_time
from orchestrator.turn import (
    Block,
    Card,
    Openings,
    Paragraph,
    Part,
    Receipt,
    SlotPreference,
    Step,
    StepResult,
    StepStatus,
    receipt_of,
    receipts_of,
)

_NOT_HELD = frozenset({"APPOINTMENT_NOT_FOUND", "APPOINTMENT_IN_PAST"})
"""Reasons after which it cannot be said that an appointment is still held."""


def writes(
    results: Sequence[StepResult], openings: Openings, reminders: Sequence[SlotPreference], voice: Voice
) -> tuple[Block, ...]:
    """Return the blocks for write steps, receipts first."""
    receipts = receipts_of(results)
    failed = [result for result in results if receipt_of(result) is None]
    problems = tuple(Paragraph(_problem(result, _before(result, results), voice), Part.NOTICE) for result in failed)
    closing = receipt_blocks(receipts, voice, closing=not failed)
    return (*closing, *problems, *_alternatives(failed, openings, reminders, voice))


def receipt_blocks(receipts: Sequence[Receipt], voice: Voice, *, closing: bool) -> tuple[Block, ...]:
    """Return a card a receipt and, when `closing`, what can be said next."""
    cards = tuple(receipt_card(receipt, voice) for receipt in receipts)
    if not (cards and closing):
        return cards
    return (*cards, Paragraph(voice.texts.text(f"responder.consent.after_receipt.{receipts[-1].kind}")))


def _before(result: StepResult, results: Sequence[StepResult]) -> StepResult | None:
    """Return the write that a step had to wait for, such as the booking that replaces what is cancelled."""
    return next((other for other in results if other.step.step_id == result.step.after), None)


def _problem(result: StepResult, before: StepResult | None, voice: Voice) -> str:
    words = write_failure(result, voice) if before is None else _not_given_back(result, before, voice)
    return f"{step_words(result.step, voice)}.\n{words}"


def _not_given_back(result: StepResult, before: StepResult, voice: Voice) -> str:
    """Return what became of an appointment that another one was to replace."""
    texts = voice.texts
    if before.status is not StepStatus.DONE:
        return f"{texts.text('responder.failures.skipped')} {texts.text('responder.failures.old_stays')}"
    match result.status:
        case StepStatus.REFUSED if result.error is not None and result.error.reason in _NOT_HELD:
            return refusal(result.error, voice)
        case StepStatus.REFUSED:
            return f"{refusal(result.error, voice)} {texts.text('responder.failures.old_still_booked')}"
        case StepStatus.UNREACHED:
            return f"{no_answer(result, voice)} {texts.text('responder.failures.old_still_booked')}"
        case StepStatus.SKIPPED:
            return texts.text("responder.failures.old_still_booked")
        case _:
            return write_failure(result, voice)


def _alternatives(
    failed: Sequence[StepResult], openings: Openings, reminders: Sequence[SlotPreference], voice: Voice
) -> Iterator[Block]:
    texts = voice.texts
    if openings.alternatives:
        yield Paragraph(texts.text("responder.listing.alternatives"))
        yield offer_table(openings.alternatives, reminders, voice, Part.ALTERNATIVES)
        yield Paragraph(texts.text("responder.listing.choose"))
    elif any(result.error is not None and result.error.reason == "SLOT_UNAVAILABLE" for result in failed):
        yield Paragraph(texts.text("responder.listing.no_alternatives"), Part.NOTICE)


def proposal_card(step: Step, voice: Voice) -> Card:
    """Return what a write will do, for the person to agree to."""
    rows = [(Label.CLINIC, voice.clinic(step.clinic)), (Label.DOCTOR, step.doctor or "")]
    match step.slots:
        case (original, new):
            rows.append((Label.FROM, voice.texts.moment(original.date, original.time)))
            rows.append((Label.TO, voice.texts.moment(new.date, new.time)))
        case (slot,):
            rows += [(Label.DATE, voice.texts.long_date(slot.date)), (Label.TIME, clock_time(slot.time))]
        case _:
            pass
    return card(voice.texts.text(f"responder.consent.titles.{step.action}"), [*rows, *_patient(voice)], voice)


def step_words(step: Step, voice: Voice) -> str:
    """Return a write in one line, to say which of several is meant."""
    slot = step.taken or step.given_back
    when = "" if slot is None else voice.texts.moment(slot.date, slot.time)
    words = (step.doctor or "", when, voice.clinic(step.clinic))
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
        rows.append((Label.FROM, voice.texts.moment(original.date, original.time)))
        rows.append((Label.TO, voice.texts.moment(held.date, held.time)))
    else:
        rows += [(Label.DATE, voice.texts.long_date(held.date)), (Label.TIME, clock_time(held.time))]
    return card(
        voice.texts.text(f"responder.consent.receipts.{receipt.kind}"), [*rows, *_patient(voice)], voice, Part.RECEIPT
    )


def card(title: str, rows: list[tuple[Label, str]], voice: Voice, part: Part | None = None) -> Card:
    """Return a card of the rows that have a value."""
    return Card(title, tuple((voice.label(label), value) for label, value in rows if value), part=part)


def _patient(voice: Voice) -> list[tuple[Label, str]]:
    return [(Label.PATIENT, voice.identity.name), (Label.CPF, voice.identity.masked_cpf)]
