"""Which texts the desk speaks with."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.research.texts import DeskTexts
from orchestrator.research.texts_en import ENGLISH
from orchestrator.research.texts_pt import PORTUGUESE
from orchestrator.turn import Language

_TEXTS: Mapping[Language, DeskTexts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}


def texts_in(language: Language) -> DeskTexts:
    """Return the texts of a language."""
    return _TEXTS[language]
