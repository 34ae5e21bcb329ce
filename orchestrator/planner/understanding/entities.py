"""Finds what an utterance names besides doctors and times: specialties, complaints, clinics, patients, list numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from orchestrator.planner.lexicon import sections
from orchestrator.planner.text import Text, fold, table
from orchestrator.turn import Clinic

_PATIENT_ID = re.compile(r"(?<![a-z0-9])(?P<prefix>[a-z]{4})[ -]?(?P<silo>[a-z]?)(?P<digits>\d{3})(?!\d)")
_CLINIC = re.compile(r"(?<![a-z])(?:clinica|clinic)(?P<mark>[ _-]+)(?P<letter>[a-z])(?![a-z0-9'])")
_LETTERS_THAT_ARE_WORDS = "aeo"


@cache
def _patterns(kind: str) -> dict[str, re.Pattern[str]]:
    """Specialty code -> pattern, of all sections of a kind ("names", "complaints" or "body")."""
    parted = {name: name.partition(".") for name in sections("specialties")}
    return {code: table("specialties", name) for name, (head, _, code) in parted.items() if head == kind}


def find_specialties(folded: str) -> tuple[str, ...]:
    """Codes of our specialties that are named, in the order of the sentence."""
    return _found("names", folded)


def find_complaints(folded: str) -> tuple[str, ...]:
    """Codes of the specialties that a complaint is usually seen in, in the order of the sentence."""
    return _found("complaints", folded)


def find_body_parts(folded: str) -> tuple[str, ...]:
    """Codes of the specialties that see a part of the body that is named, in the order of the sentence."""
    return _found("body", folded)


def _found(kind: str, folded: str) -> tuple[str, ...]:
    places = {code: pattern.search(folded) for code, pattern in _patterns(kind).items()}
    found = [(match.start(), code) for code, match in places.items() if match is not None]
    return tuple(code for _, code in sorted(found))


def names_other_specialty(folded: str) -> bool:
    """Whether a specialty or service is named that no clinic has."""
    return table("specialties", "others").search(folded) is not None


def find_clinics(text: Text, clinics: Sequence[Clinic]) -> tuple[tuple[str, ...], bool]:
    """Ids of the clinics that are named, and whether one is named that does not exist.

    "Clínica A" is a clinic; "na clínica a tarde" is not: a letter that is also a word counts only as a capital, after
    an underscore, or at the end of a phrase.
    """
    by_name = {fold(clinic.name): clinic.id for clinic in clinics} | {clinic.id: clinic.id for clinic in clinics}
    found = [clinic_id for name, clinic_id in by_name.items() if _has_word(text.folded, name)]
    unknown = False
    for match in _CLINIC.finditer(text.folded):
        letter = match["letter"]
        start, _ = text.original_span(match.start("letter"), match.end("letter"))
        is_name = (
            letter not in _LETTERS_THAT_ARE_WORDS
            or "_" in match["mark"]
            or text.original[start].isupper()
            or re.match(r" *($|[,.;?!])", text.folded[match.end() :]) is not None
        )
        if not is_name:
            found = [clinic_id for clinic_id in found if clinic_id != f"clinic_{letter}"]
        elif any(clinic.id == f"clinic_{letter}" for clinic in clinics):
            found.append(f"clinic_{letter}")
        else:
            unknown = True
    return tuple(clinic.id for clinic in clinics if clinic.id in found), unknown


def _has_word(folded: str, name: str) -> bool:
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", folded) is not None


def find_patient_ids(folded: str, clinics: Sequence[Clinic]) -> tuple[tuple[str, str], ...]:
    """Patient ids as the clinics write them ("CARD-001", "ORTH-D001"), each with its specialty's code."""
    codes = tuple(dict.fromkeys(clinic.specialty for clinic in clinics))
    found: dict[str, str] = {}
    for match in _PATIENT_ID.finditer(folded):
        code = next((code for code in codes if code.lower().startswith(match["prefix"])), None)
        if code is not None:
            found[f"{match['prefix']}-{match['silo']}{match['digits']}".upper()] = code
    return tuple(found.items())
