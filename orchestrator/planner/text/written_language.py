"""Tell whether a text is Portuguese or English, by its everyday words."""

import re
from functools import cache

from orchestrator.planner.lexicon import rows, sections, words
from orchestrator.planner.text.normalised_text import Text, Word
from orchestrator.turn import Language

_ACCENT = re.compile(r"(?<!\w)[a-zß-ÿ]*[ãõçáéíóúâêôà][a-zß-ÿ]*")
NAME_PARTICLES = frozenset({"de", "da", "do", "dos", "das", "e"})
_SHORTEST = 5  # letters of a weekday's name that tell the language


def guess_language(
    text: Text, otherwise: Language, names: frozenset[str] = frozenset(), *, first: bool = False
) -> Language:
    """Return the language with more of its everyday words in the text; Spanish has become Portuguese.

    `otherwise` is for a tie, and for a yes, a no, a number, a name or a borrowed word alone: they go with any language,
    unless it is the `first` that is said: "Dr. Marina please". The accent of one of the `names` tells nothing.
    """
    said = [word for word in text.words if word.text not in names and not _is_of_a_name(text, word)]
    if all(word.text in words("answers") or word.text.isdigit() for word in said):
        return otherwise
    portuguese = sum(word.text in _telling(Language.PT) for word in said)
    plain = _ACCENT.search(text.original) is None  # of all words: "só" is no "so"
    unaccented = [word for word in said if plain or not _ACCENT.search(text.typed(word.start, word.end))]
    english = [word.text for word in unaccented if word.text in _telling(Language.EN)]
    polite = [word for word in unaccented if first and portuguese == 0 and word.text in words("courteous")]
    begins = any(len(said) < len(text.words) or text.typed(one.start, one.end).casefold() == one.text for one in polite)
    if words("borrowed").issuperset(english) and not begins:
        english = []
    if portuguese == len(english):
        return Language.PT if len(unaccented) < len(said) else otherwise
    return Language.PT if portuguese > len(english) else Language.EN


def calendar_language(text: Text, otherwise: Language) -> Language:
    """Return the language of the days that a text names, where all are of one: "need cardio segunda"."""
    said = {word.text for word in text.words}
    naming = [language for language in Language if said & _weekdays(language)]
    return naming[0] if len(naming) == 1 else otherwise


@cache
def _weekdays(language: Language) -> frozenset[str]:
    found = (row for day in range(7) for row in rows("calendar", f"{language}.WD{day}"))
    return frozenset(word for row in found for word in re.findall(r"[a-z]+", row) if len(word) >= _SHORTEST)


@cache
def _telling(language: Language) -> frozenset[str]:
    portuguese, english = _vocabulary(Language.PT), _vocabulary(Language.EN)
    return portuguese - english if language is Language.PT else english - portuguese


@cache
def _vocabulary(language: Language) -> frozenset[str]:
    everyday = words("portuguese" if language is Language.PT else "english")
    calendar = (row for name, rows in sections("calendar").items() if name.startswith(f"{language}.") for row in rows)
    return everyday | {word for row in calendar for word in re.findall(r"[a-z]{2,}", row)}


def _is_of_a_name(text: Text, word: Word) -> bool:
    """Return whether a word is a title or a particle inside a name, which people have in any language."""
    if word.text not in NAME_PARTICLES:
        return word.text in words("titles")
    start, end = text.original_span(word.start, word.end)
    return re.match(r"\s+[A-ZÀ-Þ]", text.original[end:]) is not None and start > 0
