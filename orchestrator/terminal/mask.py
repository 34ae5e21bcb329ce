"""Hides the digits of every CPF in a text that is about to be shown.

What counts as a CPF is `orchestrator.privacy`'s to say; nothing else is hidden here, for a person may see a phone
number that they asked for.
"""

from __future__ import annotations

from orchestrator.privacy import PersonalKind, Redactor
from orchestrator.turn import mask_of

_REDACTOR = Redactor()


def mask_cpf(text: str) -> str:
    """Return text with each CPF as ***.***.*89-**: all but two digits hidden."""
    parts: list[str] = []
    end = 0
    for found in _REDACTOR.find(text):
        if found.kind is PersonalKind.CPF:
            parts += (text[end : found.start], mask_of(found.digits))
            end = found.end
    return "".join((*parts, text[end:]))
