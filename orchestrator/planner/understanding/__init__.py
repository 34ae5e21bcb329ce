"""The understanding of one utterance: intent, names, moments and references."""

from orchestrator.planner.understanding.cues import Intent, Pointer, answer, is_closing
from orchestrator.planner.understanding.named_entities import (
    NamedDoctor,
    doctors_of,
    find_body_parts,
    find_clinics,
    find_complaints,
    find_doctors,
    find_specialties,
)
from orchestrator.planner.understanding.understanding import Understanding, understand

__all__ = [
    "Intent",
    "NamedDoctor",
    "Pointer",
    "Understanding",
    "answer",
    "doctors_of",
    "find_body_parts",
    "find_clinics",
    "find_complaints",
    "find_doctors",
    "find_specialties",
    "is_closing",
    "understand",
]
