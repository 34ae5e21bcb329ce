"""What the desk does not work on, recognised by its words before anything is structured (`lexicon/screening.txt`).

The patterns err towards refusing: the answer gives the reason, and the person may put it differently. A topic alone is
no reason: "ideação suicida em adolescentes" can be studied.
"""

from __future__ import annotations

import re
from enum import StrEnum

from orchestrator.planner.lexicon import sections
from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.relations import LEXICON, any_of


class ScreeningRefusal(StrEnum):
    """Why the desk does not work on a text; tried in this order."""

    CRISIS = "crisis"  # a person in danger: help comes first
    IDENTIFIES = "identifies"  # asks for patients' identities or records
    HARMFUL = "harmful"  # would harm the people who are studied
    ADVICE = "advice"  # asks for a diagnosis or a treatment
    ERRAND = "errand"  # asks for an appointment: the clinics' desk does that
    VALUES = "values"  # asks what is right, which no data answer


_PATTERNS = tuple(
    (refusal, re.compile(rf"(?<!\w){any_of(sections('screening', LEXICON)[refusal])}(?!\w)"))
    for refusal in ScreeningRefusal
)


def refusal_of(text: str) -> ScreeningRefusal | None:
    """Return why the desk does not work on a text; None if it does."""
    folded = FoldedText.of(text).folded
    return next((refusal for refusal, pattern in _PATTERNS if pattern.search(folded)), None)
