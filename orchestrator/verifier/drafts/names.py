"""R2 and R4 for drafts: clinics, specialties, patients and doctors that a model names are those of the data.

Doctors with their title are held against the data by `grounding`; a name that nobody bears is a word that the
vocabulary lacks.
"""

from __future__ import annotations

import re

from orchestrator.verifier.drafts.facts import clinic_names_in
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.drafts.vocabulary import SPECIALTIES
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import name_words

_AFTER_OF = re.compile(r"^d[aeo]s? ")  # "clínicas de Cardiologia" names no clinic
_PATIENT_ID = re.compile(r"\b[A-Za-z]{2,}-[A-Za-z]?\d+\b")
_SMALL_DOCTOR = re.compile(r"\b[Dd]ra?\.?\s+(?=[a-zà-öø-ÿ])")
_CAPITALISED = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?: (?:d[aeo]s? |e )?[A-ZÀ-ÖØ-Þ][\w'’-]+)+")


def unknown_clinic(review: DraftReview) -> str | None:
    """Return a note when a clinic is named that the turn is not about, or that there is not."""
    named = (name for name in clinic_names_in(review.words) if not _is_specialty(_AFTER_OF.sub("", name)))
    unknown = any(review.reader.clinic(name) not in review.asked for name in named)
    return "a clinic that is not in the data" if unknown else None


def unknown_patient(review: DraftReview) -> str | None:
    """Return a note when a patient's id is told that is not in the data."""
    held = folded("\n".join(review.reply.evidence.strings))
    unknown = any(folded(patient_id) not in held for patient_id in _PATIENT_ID.findall(review.words))
    return "a patient who is not in the data" if unknown else None


def unknown_specialty(review: DraftReview) -> str | None:
    """Return a note when a specialty is named that none of the clinics asked has."""
    codes = (clinic.specialty for clinic in review.clinics if clinic.id in review.asked)
    held = folded("\n".join((*codes, *review.reply.evidence.strings, *review.reply.plan.facts.values())))
    said = "\n".join(review.lines)
    unknown = any(specialty.search(said) and not specialty.search(held) for specialty in SPECIALTIES)
    return "a specialty that none of the clinics asked has" if unknown else None


def mixed_name(review: DraftReview) -> str | None:
    """Return a note when words of several doctors' names stand as one name, or one in small letters."""
    if _SMALL_DOCTOR.search(review.words):
        return "a doctor's name that is not written as one"
    doctors = review.grounds.doctors
    of_doctors = frozenset().union(*doctors)
    for match in _CAPITALISED.finditer(review.words):
        words = name_words(match[0]) & of_doctors
        if words and not any(words <= doctor for doctor in doctors):
            return "a doctor's name put together from several"
    return None


def _is_specialty(name: str) -> bool:
    return any(specialty.match(name) for specialty in SPECIALTIES)
