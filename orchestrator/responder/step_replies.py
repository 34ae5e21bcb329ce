"""Word what a model chose for a reply: courtesies, fixed answers and questions about openings, then the table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from orchestrator.responder.opening_list import listing
from orchestrator.responder.question_refusals import OpeningSnapshot
from orchestrator.responder.question_words import words_of
from orchestrator.responder.reply_context import ReplyContext, unanswered
from orchestrator.turn import (
    ANY_OPENING,
    ANYTHING,
    Block,
    Clinic,
    ListOpenings,
    Openings,
    Paragraph,
    Plan,
    ReplySteps,
    Session,
    StepResult,
    StepStatus,
    openings_of,
)


def said_first(reply: ReplySteps | None, context: ReplyContext) -> Iterator[Block]:
    """Yield the courtesies, in one paragraph, and the fixed answers of a reply."""
    if reply is None:
        return
    courtesies = context.texts.table("responder.courtesies")
    if reply.courtesies:
        yield Paragraph(" ".join(courtesies[one] for one in reply.courtesies))
    for topic in reply.topics:
        yield Paragraph(context.texts.text(f"responder.topics.{topic}", **context.of_all_clinics()))


def snapshot_of(
    results: Sequence[StepResult], plan: Plan, session: Session, clinics: Sequence[Clinic]
) -> OpeningSnapshot:
    """Return what a turn knows of the openings: those read, with the numbers that they have on the screen."""
    numbers = {offer.slot: offer for offer in session.printed}
    read = (numbers.get(offer.slot, replace(offer, number=0)) for offer in openings_of(results, ANYTHING).listed)
    listings = [result for result in results if isinstance(result.step.call, ListOpenings)]
    asked = frozenset(result.step.clinic for result in listings)
    return OpeningSnapshot(
        openings=tuple(read),
        clinics=tuple(clinics),
        asked=asked,
        today=date.min if plan.reply is None else plan.reply.today,
        silent=asked - {result.step.clinic for result in listings if result.status is StepStatus.DONE},
        shown=frozenset(offer.number for offer in session.printed),
        list_filter=session.question.wish.filter if session.question is not None else ANY_OPENING,
    )


def openings_told(
    results: Sequence[StepResult], openings: Openings, plan: Plan, session: Session, context: ReplyContext
) -> tuple[Block, ...]:
    """Return the answers to the questions about openings and their table, as far as the reply has them."""
    reply = plan.reply
    if reply is None or not (reply.questions or reply.shown):
        return listing(results, openings, plan, context)
    answers = words_of(reply.questions, snapshot_of(results, plan, session, context.clinics), context)
    table = listing(results, openings, plan, context) if reply.shown else unanswered(results, context)
    return (*answers, *table)
