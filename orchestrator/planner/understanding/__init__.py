"""The understanding of one utterance: intent, names, moments and references."""

from orchestrator.planner.understanding.cues import Intent, answer, is_closing
from orchestrator.planner.understanding.danger import find_danger
from orchestrator.planner.understanding.understanding import Understanding, understand

__all__ = ["Intent", "Understanding", "answer", "find_danger", "is_closing", "understand"]
