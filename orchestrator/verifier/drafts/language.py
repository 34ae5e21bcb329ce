"""R4 for drafts: the answer is in one language, and in letters that people can tell apart."""

from __future__ import annotations

import re
import unicodedata

from orchestrator.turn import Language
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import folded, sentences
from orchestrator.verifier.lexicon import words_of

_ELSEWHERE = frozenset(words_of("drafts/stop_words_other.txt"))
_FOREIGN = {
    Language.PT: _ELSEWHERE.union(words_of("drafts/stop_words_en.txt")),
    Language.EN: _ELSEWHERE.union(words_of("drafts/stop_words_pt.txt")),
}
_FOREIGN_SIGN = re.compile("[¿¡ñÑß]")
_SHOUTED = re.compile(r"(?:\b[A-ZÀ-ÖØ-Þ]{2,}\b[ ,.]*|\b[AEOÉÀI]\b[ ,.]*){4,}")
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 2


def other_language(review: DraftReview) -> str | None:
    """Return a note when a sentence is in another language than the answer; names of the data are in none."""
    foreign = _FOREIGN[review.language] - review.names
    for sentence in sentences(review.words):
        found = {word for word in _WORD.findall(folded(sentence)) if word in foreign}
        if len(found) >= _ENOUGH or _FOREIGN_SIGN.search(sentence):
            return "a sentence in another language"
    return None


def unreadable_letters(review: DraftReview) -> str | None:
    """Return a note when letters are not Latin, or all large, so that names cannot be told from words."""
    letters = set(filter(str.isalpha, unicodedata.normalize("NFKC", review.words)))
    if not all(unicodedata.name(letter, "").startswith("LATIN") for letter in letters):
        return "letters that are not Latin"
    return "words in large letters, among which no name can be told" if _SHOUTED.search(review.words) else None
