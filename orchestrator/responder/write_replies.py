"""Word writes: proposals, receipts, refusals with other openings, unknown outcomes. A CPF is masked."""

from collections.abc import Iterator, Sequence

from orchestrator import turn
from orchestrator.responder.opening_list import choosing, offer_table
from orchestrator.responder.reply_context import Label, ReplyContext, failure, write_failure

_NOT_HELD = frozenset({"APPOINTMENT_NOT_FOUND", "APPOINTMENT_IN_PAST"})  # it may not be held any more


def writes(
    results: Sequence[turn.StepResult], context: ReplyContext, openings: turn.Openings, plan: turn.Plan
) -> Iterator[turn.Block]:
    """Yield the blocks for write steps, receipts first."""
    receipts = turn.receipts_of(results)
    failed = [result for result in results if turn.receipt_of(result) is None]
    by_id = {result.step.step_id: result for result in results}
    yield from receipt_blocks(receipts, context)
    if receipts and not failed:
        yield turn.Paragraph(context.texts.text(f"responder.consent.after_receipt.{receipts[-1].kind}"))
    for one in failed:
        before = by_id.get(one.step.after or 0)
        why = write_failure(one, context) if before is None else _not_given_back(one, before, context)
        yield turn.Paragraph(f"{step_words(one.step, context)}.\n{why}")
    yield from _alternatives(failed, openings, plan, context)


def _not_given_back(result: turn.StepResult, before: turn.StepResult, context: ReplyContext) -> str:
    texts = context.texts
    if before.status is not turn.StepStatus.DONE:
        return f"{texts.text('responder.failures.skipped')} {texts.text('responder.failures.old_stays')}"
    match result.status:
        case turn.StepStatus.REFUSED if result.error is not None and result.error.reason in _NOT_HELD:
            return failure(result, context)
        case turn.StepStatus.REFUSED | turn.StepStatus.UNREACHED:
            return f"{failure(result, context)} {texts.text('responder.failures.old_still_booked')}"
        case turn.StepStatus.SKIPPED:
            return texts.text("responder.failures.old_still_booked")
        case _:
            return write_failure(result, context)


def _alternatives(
    failed: Sequence[turn.StepResult], openings: turn.Openings, plan: turn.Plan, context: ReplyContext
) -> Iterator[turn.Block]:
    texts = context.texts
    if openings.alternatives:
        yield turn.Paragraph(texts.text("responder.listing.alternatives"))
        yield offer_table(openings.alternatives, plan, context, says_earliest=False)
        yield from choosing(openings.alternatives, context)
    elif any(result.error is not None and result.error.reason == "SLOT_UNAVAILABLE" for result in failed):
        yield turn.Paragraph(texts.text("responder.listing.no_alternatives"))


def proposal_card(step: turn.Step, context: ReplyContext) -> turn.Card:
    """Return the card of a write that the person is asked to confirm."""
    title = context.texts.text(f"responder.consent.titles.{step.action}")
    rows = [(Label.CLINIC, context.clinic(step.clinic)), (Label.DOCTOR, step.doctor or "")]
    return card(title, [*rows, *_when(step.slots, context), *_patient(context)], context)


def _when(slots: Sequence[turn.Appointment], context: ReplyContext) -> list[tuple[Label, str]]:
    texts = context.texts
    match slots:
        case (old, new):
            return [(Label.FROM, texts.moment(old.date, old.time)), (Label.TO, texts.moment(new.date, new.time))]
        case (slot,):
            return [(Label.DATE, texts.long_date(slot.date)), (Label.TIME, turn.clock(slot.time))]
        case _:
            return []


def close_visit_notes(proposal: turn.Proposal, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield what is to be minded: what the person holds close to a slot, which no longer changes, who did not say."""
    texts = context.texts
    for one in proposal.close:
        held = one.held
        words = f"{texts.moment(held.date, held.time)}, {held.doctor}, {context.clinic(held.clinic)}"
        beside = "alike" if one.alike else "overlaps" if one.gap_min < 0 else "leaves"
        of = {"minutes": one.gap_min, "specialty": context.specialty_of(held.clinic)}
        yield turn.Paragraph(texts.text(f"responder.consent.close.{beside}", held=words, **of))
    for slot in proposal.lasting:
        at = {"when": texts.moment(slot.date, slot.time), "clinic": context.clinic(slot.clinic)}
        yield turn.Paragraph(texts.text("responder.consent.close.lasting", **at))
    if proposal.unchecked:
        said = texts.text("responder.consent.unchecked", clinics=context.clinic_names(proposal.unchecked))
        yield turn.Paragraph(said)


def step_words(step: turn.Step, context: ReplyContext) -> str:
    """Return a write in one line."""
    slot = step.taken or step.given_back
    when = "" if slot is None else context.texts.moment(slot.date, slot.time)
    words = (step.doctor or "", when, context.clinic(step.clinic))
    title = context.texts.text(f"responder.consent.titles.{step.action}")
    return f"{title}: {', '.join(filter(None, words))}"


def receipt_blocks(receipts: Sequence[turn.Receipt], context: ReplyContext) -> Iterator[turn.Card]:
    """Yield a card for each write that a clinic acknowledged."""
    for receipt in receipts:
        held = receipt.appointment
        rows = [
            (Label.CLINIC, context.clinic(held.clinic)),
            (Label.DOCTOR, held.doctor),
            (Label.SPECIALTY, context.specialty_of(held.clinic)),
            *_when(receipt.slots[::-1], context),
        ]
        if receipt.kind is not turn.ReceiptKind.CANCELLED:
            rows += _what_to_know(held, context)
        title = context.texts.text(f"responder.consent.receipts.{receipt.kind}")
        yield card(title, [*rows, *_patient(context)], context, turn.Part.RECEIPT)


def _what_to_know(held: turn.Appointment, context: ReplyContext) -> Iterator[tuple[Label, str]]:
    """Yield what the clinic states that a visit needs; `card` leaves out what it does not state."""
    if held.duration_min:
        yield Label.DURATION, f"{held.duration_min} min"
    for clinic in context.clinics:
        if clinic.id == held.clinic:
            yield Label.ADDRESS, clinic.place
            yield Label.BRING, "; ".join(clinic.stated("bring"))
            end = held.begin - clinic.change_notice
            yield Label.CHANGE_UNTIL, context.texts.moment(end.date(), end.time()) if clinic.change_notice else ""


def card(title: str, rows: list[tuple[Label, str]], context: ReplyContext, part: turn.Part | None = None) -> turn.Card:
    """Return a card of the rows that have a value."""
    return turn.Card(title, tuple((context.label(label), value) for label, value in rows if value), part=part)


def _patient(context: ReplyContext) -> list[tuple[Label, str]]:
    return [(Label.PATIENT, context.identity.name), (Label.CPF, context.identity.masked_cpf)]
