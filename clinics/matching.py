"""How names of doctors and patients and CPF numbers are compared.

Keys are for comparing only: nothing here is shown, stored or logged, and nothing guesses (no partial names, no typos).
"""

from __future__ import annotations

import re
import unicodedata

# Portuguese and English, both genders.
_TITLES = frozenset(["dr", "dra", "doutor", "doutora", "doctor", "prof", "profa", "professor", "professora"])
_NOT_A_DIGIT = re.compile(r"[^0-9]")


def words(text: str) -> list[str]:
    """Splits text into words of letters and digits, without case and accents.

    Args:
        text: Any text.

    Returns:
        The folded words in order; "Hipertensão (grau 2)" gives ["hipertensao", "grau", "2"].
    """
    # Folding case may undo the decomposition and the other way round, so both are done twice.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).casefold()
    kept = (char if char.isalnum() else "" if unicodedata.combining(char) or char in "'’" else " " for char in folded)
    return "".join(kept).split()


def doctor_key(name: str) -> str:
    """Returns what two spellings of one doctor have in common: no case, accents, titles or spacing.

    Args:
        name: A doctor's full name, with or without a title.
    """
    parts = words(name)
    while len(parts) > 1 and parts[0] in _TITLES:
        del parts[0]
    return "".join(parts)


def person_key(name: str, cpf: str) -> tuple[str, str]:
    """Returns what identifies a patient here: the CPF's digits, and the name without case, accents and spacing.

    Args:
        name: The patient's full name.
        cpf: The CPF, bare or with dots and dash.
    """
    return _NOT_A_DIGIT.sub("", cpf), "".join(words(name))
