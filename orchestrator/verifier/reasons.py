"""Which lines of a planning model's reasoning a person may be shown (/why).

They are held to what a draft is held to: nobody confirms them, and they are read before any clinic has answered. Ids of
clinics and numbers of rules, which a reason names and an answer does not, are read as what they stand for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from orchestrator.turn import Clinic

_RULE = re.compile(r"\(?\b(?:regra|rule)s? \d+\)?", re.IGNORECASE)
_HANDLE = re.compile(r"\b(?:slot|appointment|named):\d+\b", re.IGNORECASE)


def tellable(reasoning: Sequence[str], clinics: Sequence[Clinic], is_safe: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the lines that may be shown; none when together they say what no line says alone.

    Args:
        reasoning: What the model says that it thought, a sentence a line.
        clinics: The clinics that there are.
        is_safe: Whether a text could be shown as a model's answer.
    """
    names = {clinic.id: clinic.name for clinic in clinics}

    def may_be_told(lines: Sequence[str], between: str) -> bool:
        plain = unicodedata.normalize("NFKC", between.join(lines))
        text = _HANDLE.sub("", _RULE.sub("", plain))
        for clinic_id, name in names.items():
            text = re.sub(rf"\b{re.escape(clinic_id)}\b", name, text)
        return is_safe(text)

    kept = tuple(line for line in reasoning if may_be_told([line], ""))
    return kept if all(may_be_told(kept, between) for between in ("\n", " ")) else ()
