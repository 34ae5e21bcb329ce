"""The understanding of one utterance: intent, names, moments and references."""

from orchestrator.planner.understanding.consent import answer, is_closing
from orchestrator.planner.understanding.doctor_names import NamedDoctor, doctors_of, find_doctors
from orchestrator.planner.understanding.entities import find_body_parts, find_clinics, find_complaints, find_specialties
from orchestrator.planner.understanding.intents import Intent
from orchestrator.planner.understanding.references import Pointer
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
