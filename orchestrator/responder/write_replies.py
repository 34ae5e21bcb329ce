"""Word writes: proposals, receipts, refusals with other openings, unknown outcomes. A CPF is masked."""

from collections.abc import Iterator, Sequence

from orchestrator.responder.opening_list import choosing, offer_table
from orchestrator.responder.reply_context import Label, ReplyContext, no_answer, refusal, write_failure
from orchestrator.texts import clock_time
from orchestrator.turn import (
    Appointment,
    Block,
    Card,
    Openings,
    Paragraph,
    Part,
    Plan,
    Proposal,
    Receipt,
    ReceiptKind,
    Session,
    SlotPreference,
    Step,
    StepResult,
    StepStatus,
    receipt_of,
    receipts_of,
)

_NOT_HELD = frozenset({"APPOINTMENT_NOT_FOUND", "APPOINTMENT_IN_PAST"})  # it may not be held any more


def writes(
    results: Sequence[StepResult], openings: Openings, reminders: Sequence[SlotPreference], context: ReplyContext
) -> tuple[Block, ...]:
    """Return the blocks for write steps, receipts first."""
    receipts = receipts_of(results)
    failed = [result for result in results if receipt_of(result) is None]
    by_id = {result.step.step_id: result for result in results}
    problems = tuple(Paragraph(_problem(one, by_id.get(one.step.after or 0), context), Part.NOTICE) for one in failed)
    closing = receipt_blocks(receipts, context, closing=not failed)
    return (*closing, *problems, *_alternatives(failed, openings, reminders, context))


def receipt_blocks(receipts: Sequence[Receipt], context: ReplyContext, *, closing: bool) -> tuple[Block, ...]:
    """Return a card for each receipt and, if `closing`, what the person can say next."""
    cards = tuple(receipt_card(receipt, context) for receipt in receipts)
    if not (cards and closing):
        return cards
    return (*cards, Paragraph(context.texts.text(f"responder.consent.after_receipt.{receipts[-1].kind}")))


def _problem(result: StepResult, before: StepResult | None, context: ReplyContext) -> str:
    words = write_failure(result, context) if before is None else _not_given_back(result, before, context)
    return f"{step_words(result.step, context)}.\n{words}"


def _not_given_back(result: StepResult, before: StepResult, context: ReplyContext) -> str:
    texts = context.texts
    if before.status is not StepStatus.DONE:
        return f"{texts.text('responder.failures.skipped')} {texts.text('responder.failures.old_stays')}"
    match result.status:
        case StepStatus.REFUSED if result.error is not None and result.error.reason in _NOT_HELD:
            return refusal(result.error, context)
        case StepStatus.REFUSED:
            return f"{refusal(result.error, context)} {texts.text('responder.failures.old_still_booked')}"
        case StepStatus.UNREACHED:
            return f"{no_answer(result, context)} {texts.text('responder.failures.old_still_booked')}"
        case StepStatus.SKIPPED:
            return texts.text("responder.failures.old_still_booked")
        case _:
            return write_failure(result, context)


def _alternatives(
    failed: Sequence[StepResult], openings: Openings, reminders: Sequence[SlotPreference], context: ReplyContext
) -> Iterator[Block]:
    texts = context.texts
    if openings.alternatives:
        yield Paragraph(texts.text("responder.listing.alternatives"))
        yield offer_table(openings.alternatives, reminders, context, Part.ALTERNATIVES, says_earliest=False)
        yield from choosing(openings.alternatives, context)
    elif any(result.error is not None and result.error.reason == "SLOT_UNAVAILABLE" for result in failed):
        yield Paragraph(texts.text("responder.listing.no_alternatives"), Part.NOTICE)


def proposal_card(step: Step, context: ReplyContext) -> Card:
    """Return the card of a write that the person is asked to confirm."""
    rows = [(Label.CLINIC, context.clinic(step.clinic)), (Label.DOCTOR, step.doctor or "")]
    match step.slots:
        case (original, new):
            rows.append((Label.FROM, context.texts.moment(original.date, original.time)))
            rows.append((Label.TO, context.texts.moment(new.date, new.time)))
        case (slot,):
            rows += [(Label.DATE, context.texts.long_date(slot.date)), (Label.TIME, clock_time(slot.time))]
    return card(context.texts.text(f"responder.consent.titles.{step.action}"), [*rows, *_patient(context)], context)


def close_visit_notes(proposal: Proposal, context: ReplyContext) -> Iterator[Block]:
    """Yield what the person holds close to a proposed slot, and which clinics did not say what they hold."""
    texts = context.texts
    for one in proposal.close:
        held = one.held
        words = f"{texts.moment(held.date, held.time)}, {held.doctor}, {context.clinic(held.clinic)}"
        gap = "overlaps" if one.gap_min < 0 else "leaves"
        yield Paragraph(texts.text(f"responder.consent.close.{gap}", held=words, minutes=one.gap_min), Part.NOTICE)
    if proposal.unchecked:
        said = texts.text("responder.consent.unchecked", clinics=context.clinic_names(proposal.unchecked))
        yield Paragraph(said, Part.NOTICE)


def step_words(step: Step, context: ReplyContext) -> str:
    """Return a write in one line."""
    slot = step.taken or step.given_back
    when = "" if slot is None else context.texts.moment(slot.date, slot.time)
    words = (step.doctor or "", when, context.clinic(step.clinic))
    return (
        f"{context.texts.text(f'responder.consent.titles.{step.action}')}: {', '.join(word for word in words if word)}"
    )


def receipt_card(receipt: Receipt, context: ReplyContext) -> Card:
    """Return the card of a write that a clinic acknowledged."""
    held, original = receipt.appointment, receipt.original
    rows = [
        (Label.CLINIC, context.clinic(held.clinic)),
        (Label.DOCTOR, held.doctor),
        (Label.SPECIALTY, context.specialty_of(held.clinic)),
    ]
    if original is not None:
        rows.append((Label.FROM, context.texts.moment(original.date, original.time)))
        rows.append((Label.TO, context.texts.moment(held.date, held.time)))
    else:
        rows += [(Label.DATE, context.texts.long_date(held.date)), (Label.TIME, clock_time(held.time))]
    if receipt.kind is not ReceiptKind.CANCELLED:
        rows += _what_to_know(held, context)
    title = context.texts.text(f"responder.consent.receipts.{receipt.kind}")
    return card(title, [*rows, *_patient(context)], context, Part.RECEIPT)


def _what_to_know(held: Appointment, context: ReplyContext) -> Iterator[tuple[Label, str]]:
    """Yield what the clinic states that a visit needs; `card` leaves out what it does not state."""
    if held.duration_min:
        yield Label.DURATION, f"{held.duration_min} min"
    for clinic in context.clinics:
        if clinic.id == held.clinic:
            yield Label.ADDRESS, clinic.place
            yield Label.BRING, "; ".join(clinic.stated("bring"))
            end = held.begin - clinic.change_notice
            yield Label.CHANGE_UNTIL, context.texts.moment(end.date(), end.time()) if clinic.change_notice else ""


def card(title: str, rows: list[tuple[Label, str]], context: ReplyContext, part: Part | None = None) -> Card:
    """Return a card of the rows that have a value."""
    return Card(title, tuple((context.label(label), value) for label, value in rows if value), part=part)


def _patient(context: ReplyContext) -> list[tuple[Label, str]]:
    return [(Label.PATIENT, context.identity.name), (Label.CPF, context.identity.masked_cpf)]


def still_open(plan: Plan, session: Session, context: ReplyContext) -> tuple[Block, ...]:
    """Return that the proposal waits for a yes, after a plan that keeps it."""
    if session.proposal is None or not plan.keeps_proposal:
        return ()
    writes = context.texts.all_of(step_words(step, context) for step in session.proposal.plan.steps)
    return (Paragraph(context.texts.text("responder.consent.still_open", writes=writes)),)
