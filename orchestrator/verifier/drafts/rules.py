"""The rules that only a model's text is held to, on top of those for every reply.

A template cannot say what it was not given; a model can say anything. So what it says in its own words must be borne
out to the letter; a draft that is refused costs nothing but its wording, because the template answers.
"""

from __future__ import annotations

from collections.abc import Callable

from orchestrator.verdict import Rule
from orchestrator.verifier.drafts.claims import misclaimed
from orchestrator.verifier.drafts.days import (
    ungrounded_month,
    ungrounded_period,
    ungrounded_relative_day,
    ungrounded_weekday,
)
from orchestrator.verifier.drafts.denials import denied_opening, denied_write, misreported_answer
from orchestrator.verifier.drafts.extremes import not_extreme, wrong_only
from orchestrator.verifier.drafts.joins import mismatched, misoffered
from orchestrator.verifier.drafts.names import mixed_name, unknown_clinic, unknown_patient, unknown_specialty
from orchestrator.verifier.drafts.numbers import ungrounded_number, unheld_time
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.drafts.vocabulary import unheard_word

_RULES: tuple[tuple[Rule, Callable[[DraftReview], str | None]], ...] = (
    (Rule.R2, mixed_name),
    (Rule.R2, unknown_patient),
    (Rule.R4, unknown_clinic),
    (Rule.R4, unknown_specialty),
    (Rule.R4, ungrounded_number),
    (Rule.R4, unheld_time),
    (Rule.R4, ungrounded_weekday),
    (Rule.R4, ungrounded_month),
    (Rule.R4, ungrounded_relative_day),
    (Rule.R4, ungrounded_period),
    (Rule.R4, wrong_only),
    (Rule.R4, misclaimed),
    (Rule.R4, denied_write),
    (Rule.R4, denied_opening),
    (Rule.R4, misreported_answer),
    (Rule.R4, not_extreme),
    (Rule.R4, misoffered),
    (Rule.R4, mismatched),
    (Rule.R4, unheard_word),
)


def fault_of(review: DraftReview) -> tuple[Rule, str] | None:
    """Return the rule that a model's own words break and what was found, in English and without repeating it."""
    return next(((rule, note) for rule, check in _RULES if (note := check(review))), None)
