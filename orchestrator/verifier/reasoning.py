"""Whether a line of a model's reasoning may be shown: nothing but words that can claim nothing, and what is true.

Lies in good prose cannot be told from the truth by patterns, so that only known words pass.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.turn import Clinic, Language
from orchestrator.verifier.literals import folded, words_of

_KNOWN = frozenset(words_of("reason_words.txt"))
_UNPLACED = frozenset(words_of("reason_words_unplaced.txt"))
_PLACES = frozenset({"clinica", "clinic"})
_WORD = re.compile(r"\w+")
# It denies nothing that could be open.
_NO_COMBINATION = "nenhuma combinacao"


def is_of_known_words(line: str, clinics: Sequence[Clinic]) -> bool:
    """Return whether a line holds known words and names of the directory alone, and joins the names rightly."""
    rest = folded(line).replace(_NO_COMBINATION, " ")
    named: list[_Name] = []
    for one in _names(clinics):
        pattern = rf"(?<!\w){re.escape(one.text)}(?!\w)"
        if re.search(pattern, rest):
            named.append(one)
            rest = re.sub(pattern, " ", rest)
    joined = all(one.clinics & other.clinics for one in named for other in named if one.kind != other.kind)
    words = frozenset(_WORD.findall(rest))
    # Where or with whom an opening or an appointment is, no line can know.
    is_placed = any(one.kind != "specialty" for one in named) or bool(words & _PLACES)
    return joined and not (is_placed and words & _UNPLACED) and words <= _KNOWN


@dataclass(frozen=True, slots=True)
class _Name:
    text: str  # folded
    kind: str
    clinics: frozenset[str]  # the ids of those that it belongs to


def _names(clinics: Sequence[Clinic]) -> Sequence[_Name]:
    found: dict[tuple[str, str], set[str]] = {}
    for clinic in clinics:
        specialties = {clinic.specialty_name(language) for language in Language}
        names = {"clinic": (clinic.id, clinic.name), "doctor": clinic.doctors, "specialty": specialties}
        for kind, texts in names.items():
            for text in texts:
                found.setdefault((folded(text), kind), set()).add(clinic.id)
    longest_first = sorted(found.items(), key=lambda item: -len(item[0][0]))
    return [_Name(text, kind, frozenset(ids)) for (text, kind), ids in longest_first]
