"""The understanding of one utterance: intent, names, moments and references."""

from orchestrator.planner.understanding.cues import Intent, answer, facts_in, is_closing, is_only, row_said, rows_said
from orchestrator.planner.understanding.danger import find_danger, helped, settled
from orchestrator.planner.understanding.understanding import *
