"""Text as the planner reads it: folded, corrected, cut into clauses, matched against phrases."""

from orchestrator.planner.text.normalised_text import (
    MAX_CHARS,
    Text,
    Word,
    blanked,
    calendar_language,
    correct,
    fold_phrase,
    guess_language,
    is_known,
    is_nearly_known,
    is_spanish,
    normalise,
    respell,
    words_of,
)
