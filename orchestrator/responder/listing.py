"""Words an answer about openings: one numbered table over all clinics, and what the filter hid (Rule 9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.responder.failures import unanswered
from orchestrator.responder.filters import filter_words
from orchestrator.responder.memories import is_against
from orchestrator.responder.voice import Label, Voice
from orchestrator.responder.wording import clock_time, long_date, moment
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

_SCREENFUL = 15
"""Rows after which the first one, the earliest, may have scrolled away; it is then said again at the end."""


def listing(results: Sequence[StepResult], openings: Openings, plan: Plan, voice: Voice) -> tuple[Block, ...]:
    """Return the blocks for list steps; that nothing is free is said only of clinics that answered."""
    texts = voice.texts
    answered = [result.step.clinic for result in results if result.status is StepStatus.DONE]
    if not answered:
        return unanswered(results, voice)
    if not openings.listed:
        none_free = texts.text("responder.listing.none_free", specialties=voice.specialties(answered))
        return (Paragraph(none_free, Part.NOTICE), *unanswered(results, voice))
    hidden = (
        (Paragraph(texts.counted("responder.listing.hidden", openings.hidden), Part.NOTICE),) if openings.hidden else ()
    )
    earliest_again = [_earliest(openings.listed[0], voice)] if len(openings.listed) > _SCREENFUL else []
    return (
        _opening(openings, answered, plan, voice),
        *unanswered(results, voice),
        offer_table(openings.listed, plan.reminders, voice, Part.SLOTS),
        *hidden,
        Paragraph(" ".join([*earliest_again, texts.text("responder.listing.choose")])),
    )


def _opening(openings: Openings, answered: Sequence[str], plan: Plan, voice: Voice) -> Paragraph:
    texts = voice.texts
    conditions = filter_words(plan.filters, voice.texts, voice.language)
    if not openings.fits:
        return Paragraph(texts.text("responder.listing.none_fits", filter=conditions), Part.NOTICE)
    sentences = [
        texts.counted(
            "responder.listing.found",
            len(openings.listed),
            specialties=voice.specialties(answered),
            clinics=voice.clinic_names(answered),
        )
    ]
    if conditions:
        sentences.append(texts.text("responder.listing.filtered", filter=conditions))
    if plan.nearest:
        sentences.append(_earliest(openings.listed[0], voice))
    return Paragraph(" ".join(sentences))


def _earliest(offer: Offer, voice: Voice) -> str:
    return voice.texts.text(
        "responder.listing.earliest",
        moment=moment(offer.date, offer.time, voice.language),
        doctor=offer.doctor,
        clinic=voice.clinic(offer.clinic),
    )


def offer_table(offers: Sequence[Offer], reminders: Sequence[SlotPreference], voice: Voice, part: Part) -> Table:
    """Return openings as a numbered table with the earliest marked; the specialty is told where there are several.

    Remarks name the earliest and those that do not suit by what the person said before.
    """
    mixed = len({voice.specialty_of(offer.clinic) for offer in offers}) > 1
    labels = (Label.NUMBER, Label.DATE, Label.TIME, Label.DOCTOR, Label.CLINIC)
    return Table(
        columns=tuple(map(voice.label, (*labels, *([Label.SPECIALTY] if mixed else []), Label.REMARK))),
        rows=tuple(
            (
                str(offer.number),
                long_date(offer.date, voice.language),
                clock_time(offer.time),
                offer.doctor,
                voice.clinic(offer.clinic),
                *([voice.specialty_of(offer.clinic)] if mixed else []),
                ", ".join(_remarks(offer, reminders, voice, is_earliest=position == 0)),
            )
            for position, offer in enumerate(offers)
        ),
        marked=0,
        part=part,
    )


def _remarks(offer: Offer, reminders: Sequence[SlotPreference], voice: Voice, *, is_earliest: bool) -> Iterator[str]:
    if is_earliest:
        yield voice.texts.text("responder.listing.earliest_mark")
    if is_against(offer, reminders):
        yield voice.texts.text("responder.memory.mark")
