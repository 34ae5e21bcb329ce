"""Tell the language of an utterance by its everyday words; what tells nothing stays in the conversation's language."""

from __future__ import annotations

import re
from functools import cache

from orchestrator.planner.lexicon import sections, words
from orchestrator.planner.text.normalised_text import Text, Word
from orchestrator.turn import Language

_ACCENT = re.compile(r"(?<!\w)[a-zß-ÿ]*[ãõçáéíóúâêôà][a-zß-ÿ]*")
_PARTICLES = frozenset({"de", "da", "do", "dos", "das", "e"})


def guess_language(text: Text, otherwise: Language) -> Language:
    """Return the language with more of its everyday words in the text; Spanish has become Portuguese.

    `otherwise` is for a tie, and for a yes, a no, a number or a name alone: they go with any language.
    """
    said = [word for word in text.words if not _is_of_a_name(text, word)]
    if all(word.text in words("answers") or word.text.isdigit() for word in said):
        return otherwise
    portuguese = sum(word.text in _telling(Language.PT) for word in said)
    english = sum(word.text in _telling(Language.EN) for word in said)
    if portuguese == english:
        return Language.PT if _ACCENT.search(text.original) else otherwise
    return Language.PT if portuguese > english else Language.EN


@cache
def _telling(language: Language) -> frozenset[str]:
    portuguese, english = _vocabulary(Language.PT), _vocabulary(Language.EN)
    return portuguese - english if language is Language.PT else english - portuguese


@cache
def _vocabulary(language: Language) -> frozenset[str]:
    everyday = words("portuguese" if language is Language.PT else "english")
    calendar = (row for name, rows in sections("calendar").items() if name.startswith(f"{language}.") for row in rows)
    return everyday | {word for row in calendar for word in re.findall(r"[a-z]+", row)}


def _is_of_a_name(text: Text, word: Word) -> bool:
    """Return whether a word is a title or a particle inside a name, which people have in any language."""
    if word.text in words("titles"):
        return True
    start, end = text.original_span(word.start, word.end)
    return word.text in _PARTICLES and re.match(r"\s+[A-ZÀ-Þ]", text.original[end:]) is not None and start > 0
