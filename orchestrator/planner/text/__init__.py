"""Text as the planner reads it: folded, corrected, cut into clauses, matched against phrases."""

from orchestrator.planner.text.normalised_text import (
    MAX_CHARS,
    Text,
    Word,
    blanked,
    correct,
    fold_phrase,
    is_known,
    is_nearly_known,
    is_spanish,
    normalise,
    respell,
    with_slip_mended,
    words_of,
)
from orchestrator.planner.text.written_language import calendar_language, guess_language
