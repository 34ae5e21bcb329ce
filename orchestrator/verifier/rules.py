"""The verifier without a model: a table of rules, each a small function over data or text (blueprint 2.3.2).

A rule returns what it found, in English and without repeating it, or None. The first finding blocks; the note names
its rule, so that the rates of the blueprint's section 5 can be counted from the log.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from orchestrator.turn import (
    SAFE,
    Answers,
    Clinic,
    Draft,
    Language,
    Paragraph,
    Plan,
    Reply,
    Rule,
    Session,
    TurnOutcome,
    Verdict,
)
from orchestrator.verifier.advice import diagnosis_in_data, diagnosis_or_advice
from orchestrator.verifier.claims import claimed_without_receipt
from orchestrator.verifier.drafts import DraftReview, fault_of
from orchestrator.verifier.grounding import (
    groundless_denial,
    missing_opening,
    missing_patient,
    ungrounded,
    untold_filter,
)
from orchestrator.verifier.medication import dosage_outside_record, invented_dosage, invented_drug, treatment
from orchestrator.verifier.personal import (
    foreign_address,
    foreign_birth_date,
    foreign_name,
    foreign_number,
    foreign_record,
    foreign_text,
)
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


_RULE_NUMBER = re.compile(r"\(?\b(?:regra|rule)s? \d+\)?", re.IGNORECASE)
_HANDLE = re.compile(r"\b(?:slot|appointment|named):\d+\b", re.IGNORECASE)


class RuleVerifier:
    """The `Verifier` whose rules are code: the same verdict for the same input."""

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        """Return whether the clinics' answers may be shown to who speaks."""
        review = DataReview(answers.evidence, session)
        return next((_verdict(rule, note) for rule, check in _DATA_RULES if (note := check(review))), SAFE)

    def check_reply(self, text: str, answers: Answers, session: Session, plan: Plan) -> Verdict:
        """Return whether a plain reply says nothing but what answers, receipts, session and plan hold."""
        fault = _reply_fault(review_of(text, answers, session, plan))
        return SAFE if fault is None else _verdict(*fault)

    def check_draft(
        self, draft: Draft, answers: Answers, session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> Verdict:
        """Return whether a model's text may stand in for the template's."""
        if draft.missing or draft.unknown:
            return _verdict(Rule.R4, "a part was left out" if draft.missing else "a part that there is not")
        review = review_of(draft.reply.plain, answers, session, plan)
        fault = _reply_fault(review) or fault_of(DraftReview.of(draft, answers, review, clinics))
        return SAFE if fault is None else _verdict(*fault)

    def check_reasoning(
        self, reasoning: Sequence[str], session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> tuple[str, ...]:
        """Return those lines of a planning model's reasoning that may be shown (/why).

        They are held to what a draft is held to: nobody confirms them, and they are read before any clinic has
        answered. There are none when together they say what no line says alone.
        """
        answers = Answers.of("")

        def is_safe(text: str) -> bool:
            review = review_of(text, answers, session, plan)
            # A model may think in either language, whatever the person speaks.
            drafts = (Draft(Reply(language, TurnOutcome.OK, (Paragraph(text),)), text) for language in Language)
            reviews = (DraftReview.of(draft, answers, review, clinics) for draft in drafts)
            return _reply_fault(review) is None and any(fault_of(one, answered=False) is None for one in reviews)

        kept = [line for line in reasoning if is_safe(_spelled_out(line, clinics))]
        together = (_spelled_out(between.join(kept), clinics) for between in ("\n", " "))
        return tuple(kept) if all(map(is_safe, together)) else ()


def _spelled_out(reasoning: str, clinics: Sequence[Clinic]) -> str:
    """Return a text with clinics' names for their ids, and without the rules and handles that only reasons name."""
    text = _HANDLE.sub("", _RULE_NUMBER.sub("", unicodedata.normalize("NFKC", reasoning)))
    for clinic in clinics:
        text = re.sub(rf"\b{re.escape(clinic.id)}\b", clinic.name, text)
    return text


def _reply_fault(review: ReplyReview) -> tuple[Rule, str] | None:
    return next(((rule, note) for rule, check in _REPLY_RULES if (note := check(review))), None)


def _verdict(rule: Rule, finding: str) -> Verdict:
    return Verdict(rule, f"{rule}: {finding}")
