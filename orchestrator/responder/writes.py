"""Words what became of writes: receipts, refusals with what is open instead, unknown outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.offers import Openings
from orchestrator.receipts import receipt_of, receipts_of
from orchestrator.reply import Block, Paragraph
from orchestrator.responder.cards import receipt_card, step_words
from orchestrator.responder.failures import write_failure
from orchestrator.responder.listing import offer_table
from orchestrator.responder.voice import Voice
from orchestrator.result import StepResult
from orchestrator.session import Receipt


def writes(results: Sequence[StepResult], openings: Openings, voice: Voice) -> tuple[Block, ...]:
    """Return the blocks for write steps, receipts first."""
    receipts = receipts_of(results)
    failed = [result for result in results if receipt_of(result) is None]
    problems = tuple(Paragraph(_problem(result, voice)) for result in failed)
    closing = receipt_blocks(receipts, voice, closing=not failed)
    return (*closing, *problems, *_alternatives(failed, openings, voice))


def receipt_blocks(receipts: Sequence[Receipt], voice: Voice, *, closing: bool) -> tuple[Block, ...]:
    """Return a card a receipt and, when `closing`, what can be said next."""
    cards = tuple(receipt_card(receipt, voice) for receipt in receipts)
    if not (cards and closing):
        return cards
    return (*cards, Paragraph(voice.texts.consent.after_receipt[receipts[-1].kind]))


def _problem(result: StepResult, voice: Voice) -> str:
    return f"{step_words(result.step, voice)}.\n{write_failure(result, voice)}"


def _alternatives(failed: Sequence[StepResult], openings: Openings, voice: Voice) -> Iterator[Block]:
    texts = voice.texts.listing
    if openings.alternatives:
        yield Paragraph(texts.alternatives)
        yield offer_table(openings.alternatives, voice)
        yield Paragraph(texts.choose)
    elif any(result.error is not None and result.error.reason == "SLOT_UNAVAILABLE" for result in failed):
        yield Paragraph(texts.no_alternatives)
