"""Texts regardless of case and accents, and keys to compare names of people and CPF numbers; keys are never shown."""

import re
import unicodedata
from collections.abc import Iterable

# Portuguese and English, both genders.
_TITLES = frozenset(["dr", "dra", "doutor", "doutora", "doctor", "prof", "profa", "professor", "professora"])
_NOT_A_DIGIT = re.compile(r"[^0-9]")


def fold(text: str) -> str:
    """Return `text` without case and accents, in plain characters: "Hipertensão Ω" gives "hipertensao ω"."""
    if text.isascii():
        return text.lower()
    # Folding case may undo the decomposition and the other way round: done twice, folding again changes nothing.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).casefold()
    for character in set(folded):
        if unicodedata.combining(character):
            folded = folded.replace(character, "")
    return folded


def words(text: str) -> list[str]:
    """Return the words of letters and digits, folded: "Hipertensão (grau 2)" gives ["hipertensao", "grau", "2"]."""
    kept = (char if char.isalnum() else "" if char in "'’" else " " for char in fold(text))
    return "".join(kept).split()


def doctor_key(name: str) -> str:
    """Return what two spellings of one doctor have in common: no case, accents, titles or spacing."""
    parts = words(name)
    while len(parts) > 1 and parts[0] in _TITLES:
        del parts[0]
    return "".join(parts)


def doctors_called(name: str, doctors: Iterable[str]) -> list[str]:
    """Return the doctors who have a name in full, or else all who have it in part: "Dr. Ricardo"."""
    known, parts = list(doctors), set(words(name)) - _TITLES
    exact = [doctor for doctor in known if doctor_key(doctor) == doctor_key(name)]
    return exact or [doctor for doctor in known if parts and parts <= set(words(doctor))]


def person_key(name: str, cpf: str) -> tuple[str, str]:
    """Return what identifies a patient here: the CPF's digits, and the name without case, accents and spacing."""
    return cpf_digits(cpf), "".join(words(name))


def cpf_digits(cpf: str) -> str:
    """Return a CPF without dots and dash."""
    return _NOT_A_DIGIT.sub("", cpf)


def snake_case(name: str) -> str:
    """Return a name like ListAvailableSlots as list_available_slots."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
