"""Word an answer about openings: one numbered table over all clinics, and what the filter left out (Rule 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, time
from operator import attrgetter

from orchestrator.responder.memory_replies import contradicts_preference
from orchestrator.responder.reply_context import Label, ReplyContext, unanswered
from orchestrator.texts import Texts, clock_time
from orchestrator.turn import (
    Block,
    DateRange,
    Offer,
    Openings,
    Paragraph,
    Part,
    Plan,
    SlotFilter,
    SlotPreference,
    StepResult,
    StepStatus,
    Table,
    TimeRange,
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
    conditions = filter_words(plan.filters, context.texts)
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


_END_OF_DAY = time(23, 59)
_IN_ORDER = attrgetter("first", "last")


def filter_words(filters: SlotFilter, texts: Texts) -> str:
    """Return the conditions of a filter, joined by semicolons; empty for a filter that admits all."""
    conditions = (
        [_dates(span, texts) for span in sorted(filters.dates, key=_IN_ORDER)],
        [_weekdays(filters.weekdays, texts)] if filters.weekdays else [],
        [_times(span, texts) for span in sorted(filters.times, key=_IN_ORDER)],
        [texts.text("responder.filters.excluded", days=days) for days in _excluded(filters, texts)],
    )
    return "; ".join(texts.all_of(group) for group in conditions if group)


def _dates(span: DateRange, texts: Texts) -> str:
    first, last = texts.long_date(span.first), texts.long_date(span.last)
    if span.first == span.last:
        return texts.text("responder.filters.day", day=first)
    if span.last == date.max:
        return texts.text("responder.filters.from_day", first=first)
    if span.first == date.min:
        return texts.text("responder.filters.until_day", last=last)
    return texts.text("responder.filters.day_range", first=first, last=last)


def _times(span: TimeRange, texts: Texts) -> str:
    first, last = clock_time(span.first), clock_time(span.last)
    if span.first == span.last:
        return texts.text("responder.filters.time", time=first)
    if span.last >= _END_OF_DAY:
        return texts.text("responder.filters.from_time", first=first)
    if span.first == time.min:
        return texts.text("responder.filters.until_time", last=last)
    return texts.text("responder.filters.time_range", first=first, last=last)


def _weekdays(days: frozenset[int], texts: Texts) -> str:
    return texts.text("responder.filters.weekdays", weekdays=texts.all_of(map(texts.weekday, sorted(days))))


def _excluded(filters: SlotFilter, texts: Texts) -> Iterator[str]:
    if filters.excluded_weekdays:
        yield _weekdays(filters.excluded_weekdays, texts)
    for span in filters.excluded_dates:
        yield _dates(span, texts)
