"""The understanding of one utterance: intent, names, moments and references."""

from orchestrator.planner.understanding.cues import Intent, answer, is_closing
from orchestrator.planner.understanding.understanding import Understanding, understand

__all__ = ["Intent", "Understanding", "answer", "is_closing", "understand"]
