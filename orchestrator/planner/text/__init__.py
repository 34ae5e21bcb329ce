"""Text as the planner reads it: folded and corrected, and the language that it is in."""

from orchestrator.planner.text.normalised_text import *
from orchestrator.planner.text.written_language import NAME_PARTICLES, calendar_language, guess_language
