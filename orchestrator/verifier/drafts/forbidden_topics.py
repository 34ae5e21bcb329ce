"""Rules for drafts: language, letters, signs, codes, and subjects on which the clinics give no data."""

from __future__ import annotations

import re
import unicodedata

from orchestrator.turn import Language, Part
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.literals import folded, pattern_of, sentences, words_of

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
    """Return a note when letters are not Latin, or all large, so that names cannot be distinguished from words."""
    letters = set(filter(str.isalpha, unicodedata.normalize("NFKC", review.words)))
    if not all(unicodedata.name(letter, "").startswith("LATIN") for letter in letters):
        return "letters that are not Latin"
    return "words in large letters, among which no name can be told" if _SHOUTED.search(review.words) else None


_SIGN = re.compile(r"[$€£¥%@<>{}\[\]\\|=~^#]|_|&\w+;|https?:|\bwww\b|[a-z0-9]\.[a-z]{2,}|\+\d")
_CODE = re.compile(
    r"\b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)(?!\d{1,2}(?:h(?:\d\d)?|[ap]m|st|nd|rd|th|[ao])\b)[\w-]+", re.IGNORECASE
)
_UNKNOWN_TOPIC = pattern_of("drafts/unknown_topics.txt")
_HEALTH = pattern_of("health.txt", "drafts/habits.txt")
_HEADINGS = re.compile(
    r"\b(?:condic\w+|condition\w*|medicament\w*|medicac\w+|medication\w*|exames?|exams?|endereco|address|telefone|phone"
    r"|cpf|quadro|clinicos?)\b"
)
_OF_PATIENTS = frozenset({Part.RECORD, Part.PATIENTS})


def strange_sign(review: DraftReview) -> str | None:
    """Return a note when a sign of prices, addresses of the web or markup stands in a model's words."""
    return "a sign of a price, an address or markup" if _SIGN.search(review.words) else None


def unknown_code(review: DraftReview) -> str | None:
    """Return a note when a code of letters and digits is in no data."""
    data = folded("\n".join(review.reply.evidence.strings))
    unknown = any(folded(match[0]) not in data for match in _CODE.finditer(review.words))
    return "a code that is not in the clinics' data" if unknown else None


def beyond_the_data(review: DraftReview) -> str | None:
    """Return a note when a reply states a price, contact, paper, message or opening hour, which no clinic gives."""
    return "a matter of which the clinics tell nothing" if _tells(_UNKNOWN_TOPIC, review) else None


def health_topic(review: DraftReview) -> str | None:
    """Return a note when a model speaks of body, illness, remedies or habits other than those that it shows."""
    return "a matter of health" if _tells(_HEALTH, review) else None


def _tells(matter: re.Pattern[str], review: DraftReview) -> bool:
    shown = folded("\n".join(review.reply.evidence.strings)) if review.parts & _OF_PATIENTS else ""
    return any(
        not shown or not (_HEADINGS.fullmatch(match[0]) or match[0] in shown)
        for line in review.lines
        for match in matter.finditer(line)
    )
