"""Text as the planner reads it: folded, corrected, cut into clauses, matched against phrases."""

from orchestrator.planner.text.normalised_text import (
    MAX_CHARS,
    Text,
    Word,
    blanked,
    fold_phrase,
    guess_language,
    normalise,
    respell,
    words_of,
)
from orchestrator.planner.text.spelling import correct, is_known

__all__ = [
    "MAX_CHARS",
    "Text",
    "Word",
    "blanked",
    "correct",
    "fold_phrase",
    "guess_language",
    "is_known",
    "normalise",
    "respell",
    "words_of",
]
