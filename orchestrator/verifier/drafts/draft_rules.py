"""The rules for a model's text, on top of those for every reply: each fact that it states must be borne out.

A draft that is refused costs only its wording, because the template answers.
"""

from __future__ import annotations

from collections.abc import Callable

from orchestrator.turn import Rule
from orchestrator.verifier.drafts.comparisons import lumped_together, mismatched, misoffered, not_extreme, wrong_only
from orchestrator.verifier.drafts.days import (
    impossible_moment,
    ungrounded_month,
    ungrounded_period,
    ungrounded_relative_day,
    ungrounded_weekday,
)
from orchestrator.verifier.drafts.denials import denied_opening, denied_write, misreported_answer, said_closed
from orchestrator.verifier.drafts.draft_claims import claimed_memory, completed, misclaimed
from orchestrator.verifier.drafts.draft_numbers import ungrounded_number, unheld_time
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.forbidden_topics import (
    beyond_the_data,
    health_topic,
    other_language,
    strange_sign,
    unknown_code,
    unreadable_letters,
)
from orchestrator.verifier.drafts.names import mixed_name, unknown_clinic, unknown_name, unknown_specialty, wrong_title

_RULES: tuple[tuple[Rule, Callable[[DraftReview], str | None]], ...] = (
    (Rule.R4, unreadable_letters),
    (Rule.R4, other_language),
    (Rule.R2, mixed_name),
    (Rule.R2, unknown_name),
    (Rule.R2, wrong_title),
    (Rule.R2, unknown_code),
    (Rule.R3, health_topic),
    (Rule.R4, strange_sign),
    (Rule.R4, beyond_the_data),
    (Rule.R4, unknown_clinic),
    (Rule.R4, unknown_specialty),
    (Rule.R4, ungrounded_number),
    (Rule.R4, unheld_time),
    (Rule.R4, impossible_moment),
    (Rule.R4, ungrounded_weekday),
    (Rule.R4, ungrounded_month),
    (Rule.R4, ungrounded_relative_day),
    (Rule.R4, ungrounded_period),
    (Rule.R4, wrong_only),
    (Rule.R4, misclaimed),
    (Rule.R4, completed),
    (Rule.R4, claimed_memory),
    (Rule.R4, denied_write),
    (Rule.R4, denied_opening),
    (Rule.R4, misreported_answer),
    (Rule.R4, said_closed),
    (Rule.R4, not_extreme),
    (Rule.R4, misoffered),
    (Rule.R4, mismatched),
    (Rule.R4, lumped_together),
)


_OF_ANSWERS = frozenset(
    {
        denied_opening,
        denied_write,
        lumped_together,
        misoffered,
        misreported_answer,
        not_extreme,
        said_closed,
        wrong_only,
    }
)
"""What can be right or wrong only once clinics have answered."""


def fault_of(review: DraftReview, *, answered: bool = True) -> tuple[Rule, str] | None:
    """Return the rule that a model's own words break and what was found, in English and without repeating it."""
    rules = ((rule, check) for rule, check in _RULES if answered or check not in _OF_ANSWERS)
    return next(((rule, note) for rule, check in rules if (note := check(review))), None)
