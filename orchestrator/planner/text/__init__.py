"""Text as the planner reads it: folded, corrected, cut into clauses, matched against phrases."""

from orchestrator.planner.text.normalised_text import *
from orchestrator.planner.text.written_language import NAME_PARTICLES, calendar_language, guess_language
