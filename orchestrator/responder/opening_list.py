"""Word an answer about openings: one numbered table over all clinics, and what the filter left out (Rule 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.responder.filter_words import filter_words
from orchestrator.responder.memory_replies import contradicts_preference
from orchestrator.responder.reply_context import Label, ReplyContext, unanswered
from orchestrator.texts import clock_time
from orchestrator.turn import (
    Block,
    Offer,
    Openings,
    Paragraph,
    Part,
    Plan,
    SlotPreference,
    StepResult,
    StepStatus,
    Table,
)

_SCREENFUL = 15  # in a longer table the earliest opening, its first row, may scroll away: it is said again at the end


def listing(results: Sequence[StepResult], openings: Openings, plan: Plan, context: ReplyContext) -> tuple[Block, ...]:
    """Return the blocks for list steps; only clinics that answered are said to have nothing free."""
    texts = context.texts
    answered = [result.step.clinic for result in results if result.status is StepStatus.DONE]
    if not answered:
        return unanswered(results, context)
    if not openings.listed:
        none_free = texts.text("responder.listing.none_free", specialties=context.specialties(answered))
        return (Paragraph(none_free, Part.NOTICE), *unanswered(results, context))
    hidden = (
        (Paragraph(texts.counted("responder.listing.hidden", openings.hidden), Part.NOTICE),) if openings.hidden else ()
    )
    earliest_again = [_earliest(openings.listed[0], context)] if len(openings.listed) > _SCREENFUL else []
    return (
        _opening(openings, answered, plan, context),
        *unanswered(results, context),
        offer_table(openings.listed, plan.reminders, context, Part.SLOTS),
        *hidden,
        Paragraph(" ".join([*earliest_again, texts.text("responder.listing.choose")])),
    )


def _opening(openings: Openings, answered: Sequence[str], plan: Plan, context: ReplyContext) -> Paragraph:
    texts = context.texts
    conditions = filter_words(openings.filter if openings.fits else plan.wish.filter, context)
    if not openings.fits:
        return Paragraph(texts.text("responder.listing.none_fits", filter=conditions), Part.NOTICE)
    sentences = [
        texts.counted(
            "responder.listing.found",
            len(openings.listed),
            specialties=context.specialties(answered),
            clinics=context.clinic_names(answered),
        )
    ]
    if conditions:
        sentences.append(texts.text("responder.listing.filtered", filter=conditions))
    if plan.nearest:
        sentences.append(_earliest(openings.listed[0], context))
    return Paragraph(" ".join(sentences))


def _earliest(offer: Offer, context: ReplyContext) -> str:
    return context.texts.text(
        "responder.listing.earliest",
        moment=context.texts.moment(offer.date, offer.time),
        doctor=offer.doctor,
        clinic=context.clinic(offer.clinic),
    )


def offer_table(
    offers: Sequence[Offer], reminders: Sequence[SlotPreference], context: ReplyContext, part: Part
) -> Table:
    """Return openings as a numbered table; remarks name the earliest and those that do not suit."""
    mixed = len({context.specialty_of(offer.clinic) for offer in offers}) > 1
    labels = (Label.NUMBER, Label.DATE, Label.TIME, Label.DOCTOR, Label.CLINIC)
    return Table(
        columns=tuple(map(context.label, (*labels, *([Label.SPECIALTY] if mixed else []), Label.REMARK))),
        rows=tuple(
            (
                str(offer.number),
                context.texts.long_date(offer.date),
                clock_time(offer.time),
                offer.doctor,
                context.clinic(offer.clinic),
                *([context.specialty_of(offer.clinic)] if mixed else []),
                ", ".join(_remarks(offer, reminders, context, is_earliest=position == 0)),
            )
            for position, offer in enumerate(offers)
        ),
        marked=0,
        part=part,
    )


def _remarks(
    offer: Offer, reminders: Sequence[SlotPreference], context: ReplyContext, *, is_earliest: bool
) -> Iterator[str]:
    if is_earliest:
        yield context.texts.text("responder.listing.earliest_mark")
    if contradicts_preference(offer, reminders):
        yield context.texts.text("responder.memory.mark")
