"""The verifier without a model: a table of rules, each a small function over data or text (blueprint 2.3.2).

A rule returns what it found, in English and without repeating it, or None. The first finding blocks; the note names
its rule, so that the rates of the blueprint's section 5 can be counted from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from orchestrator.turn import (
    SAFE,
    Clinic,
    Draft,
    Language,
    Paragraph,
    Plan,
    Receipt,
    Reply,
    Rule,
    Session,
    TurnOutcome,
    Verdict,
    payload_of,
)
from orchestrator.verifier.advice import diagnosis_in_data, diagnosis_or_advice
from orchestrator.verifier.claims import claimed_without_receipt
from orchestrator.verifier.completeness import groundless_denial, missing_opening, missing_patient, untold_filter
from orchestrator.verifier.drafts import DraftReview, fault_of
from orchestrator.verifier.evidence import Evidence
from orchestrator.verifier.grounding import ungrounded
from orchestrator.verifier.medication import dosage_outside_record, invented_dosage, invented_drug, treatment
from orchestrator.verifier.personal import (
    foreign_address,
    foreign_birth_date,
    foreign_name,
    foreign_number,
    foreign_record,
    foreign_text,
)
from orchestrator.verifier.reasons import tellable
from orchestrator.verifier.review import DataReview, ReplyReview, review_of

_DATA_RULES: tuple[tuple[Rule, Callable[[DataReview], str | None]], ...] = (
    (Rule.R1, dosage_outside_record),
    (Rule.R2, foreign_record),
    (Rule.R2, foreign_text),
    (Rule.R3, diagnosis_in_data),
)

_REPLY_RULES: tuple[tuple[Rule, Callable[[ReplyReview], str | None]], ...] = (
    (Rule.R1, invented_dosage),
    (Rule.R1, invented_drug),
    (Rule.R1, treatment),
    (Rule.R2, foreign_number),
    (Rule.R2, foreign_address),
    (Rule.R2, foreign_birth_date),
    (Rule.R2, foreign_name),
    (Rule.R3, diagnosis_or_advice),
    (Rule.R4, claimed_without_receipt),
    (Rule.R4, ungrounded),
    (Rule.R4, missing_opening),
    (Rule.R4, untold_filter),
    (Rule.R4, groundless_denial),
    (Rule.R4, missing_patient),
)


class RuleVerifier:
    """The `Verifier` whose rules are code: the same verdict for the same input, in milliseconds."""

    def check_data(self, payload: str, session: Session) -> Verdict:
        """Return whether a turn's payload may be shown to who speaks.

        Args:
            payload: The JSON of `orchestrator.turn.payload`.
            session: Who speaks, and in which role.

        Raises:
            ValueError: The payload is not such JSON.
        """
        review = DataReview(Evidence.of(payload), session)
        return next((_verdict(rule, note) for rule, check in _DATA_RULES if (note := check(review))), SAFE)

    def check_reply(
        self, text: str, payload: str, session: Session, receipts: Sequence[Receipt], plan: Plan
    ) -> Verdict:
        """Return whether a text says nothing but what the data, this turn's receipts and the plan hold.

        Args:
            text: The plain reply, by template or model.
            payload: The JSON that it rests on.
            session: Who speaks, and what the conversation holds already.
            receipts: The writes of this turn that a clinic acknowledged.
            plan: The turn's plan: its filters, and what it is about to do.

        Raises:
            ValueError: The payload is not such JSON.
        """
        fault = _reply_fault(review_of(text, Evidence.of(payload), session, receipts, plan))
        return SAFE if fault is None else _verdict(*fault)

    def check_draft(
        self,
        draft: Draft,
        payload: str,
        session: Session,
        receipts: Sequence[Receipt],
        plan: Plan,
        clinics: Sequence[Clinic],
    ) -> Verdict:
        """Return whether a model's text may stand in for the template's.

        Args:
            draft: The text, and which of the template's parts it left out.
            payload: The JSON that it rests on.
            session: Who speaks, and what the conversation holds already.
            receipts: The writes of this turn that a clinic acknowledged.
            plan: The turn's plan.
            clinics: The clinics that there are.

        Raises:
            ValueError: The payload is not such JSON.
        """
        if draft.missing or draft.unknown:
            return _verdict(Rule.R4, "a part was left out" if draft.missing else "a part that there is not")
        review = review_of(draft.reply.plain, Evidence.of(payload), session, receipts, plan)
        fault = _reply_fault(review) or fault_of(DraftReview.of(draft, payload, review, clinics))
        return SAFE if fault is None else _verdict(*fault)

    def check_reasoning(
        self, reasoning: Sequence[str], session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> tuple[str, ...]:
        """Return those lines of a planning model's reasoning that may be shown.

        Args:
            reasoning: A sentence a line.
            session: Who speaks, and what the conversation holds already.
            plan: What came of it.
            clinics: The clinics that there are.
        """
        payload = payload_of("", ())

        def is_safe(text: str) -> bool:
            review = review_of(text, Evidence.of(payload), session, (), plan)
            # A model may think in either language, whatever the person speaks.
            drafts = (Draft(Reply(language, TurnOutcome.OK, (Paragraph(text),)), text) for language in Language)
            reviews = (DraftReview.of(draft, payload, review, clinics) for draft in drafts)
            return _reply_fault(review) is None and any(fault_of(one, answered=False) is None for one in reviews)

        return tellable(reasoning, clinics, is_safe)


def _reply_fault(review: ReplyReview) -> tuple[Rule, str] | None:
    return next(((rule, note) for rule, check in _REPLY_RULES if (note := check(review))), None)


def _verdict(rule: Rule, finding: str) -> Verdict:
    return Verdict(rule, f"{rule}: {finding}")
