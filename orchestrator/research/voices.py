"""Which texts the desk speaks with."""

from __future__ import annotations

from collections.abc import Mapping

from orchestrator.language import Language
from orchestrator.research.texts import Texts
from orchestrator.research.texts_en import ENGLISH
from orchestrator.research.texts_pt import PORTUGUESE

_TEXTS: Mapping[Language, Texts] = {Language.PT: PORTUGUESE, Language.EN: ENGLISH}


def texts_in(language: Language) -> Texts:
    """Return the texts of a language."""
    return _TEXTS[language]
