"""Text as the planner reads it: folded, corrected, cut into clauses, matched against phrases."""

from orchestrator.planner.text.clause_cutter import (
    Clause,
    after_leads,
    clauses,
    end_without_reason,
    is_filler,
    is_idle,
    is_reported,
)
from orchestrator.planner.text.language_guess import guess_language
from orchestrator.planner.text.normalised_text import MAX_CHARS, Text, Word, fold, normalise, respell, words_of
from orchestrator.planner.text.phrase_tables import phrases, table
from orchestrator.planner.text.spelling import correct, is_known

__all__ = [
    "MAX_CHARS",
    "Clause",
    "Text",
    "Word",
    "after_leads",
    "clauses",
    "correct",
    "end_without_reason",
    "fold",
    "guess_language",
    "is_filler",
    "is_idle",
    "is_known",
    "is_reported",
    "normalise",
    "phrases",
    "respell",
    "table",
    "words_of",
]
