"""R4 for drafts: a model speaks in the words of a receptionist and no others.

What a model must never say cannot be listed: diagnoses, prices, promises, names, contacts, other languages. What a
receptionist says about agendas and records can be, so that is the list. A word that it lacks costs a model's
wording, not an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from orchestrator.language import Language
from orchestrator.reply import Part
from orchestrator.verifier.drafts.numerals import NUMBER_WORDS
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.evidence import strings
from orchestrator.verifier.folding import folded
from orchestrator.verifier.lexicon import pattern_of, words_of
from orchestrator.verifier.literals import name_words
from orchestrator.verifier.personal import GIVEN_NAMES


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The words of a language, and the beginnings of those whose every ending is one."""

    words: frozenset[str]
    beginnings: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> _Vocabulary:
        words = words_of(name)
        beginnings = tuple(word[:-1] for word in words if word.endswith("*"))
        return cls(frozenset(words) | NUMBER_WORDS, beginnings)

    def knows(self, word: str) -> bool:
        """Return whether a folded word, or what is left of it without the plural's s, is one of them."""
        return (
            word in self.words
            or word.startswith(self.beginnings)
            or (word.removesuffix("s") in self.words and word not in GIVEN_NAMES)
        )


_VOCABULARIES = {
    Language.PT: _Vocabulary.of("drafts/vocabulary_pt.txt"),
    Language.EN: _Vocabulary.of("drafts/vocabulary_en.txt"),
}
SPECIALTIES = tuple(re.compile(rf"\b(?:{word})") for word in words_of("drafts/specialties.txt"))
"""Each specialty by the beginnings of its names; whether it may be named is another rule's to say."""

_PHRASE = pattern_of("drafts/vocabulary_phrases.txt")
_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['-](?=\w))*")
_SIGN = re.compile(r"[^\w\s.,;:!?()\-–—'\"“”‘…/ºª°]|_|[a-z]\.[a-z]{2}")  # prices, addresses of the web, markup
_OF_PATIENTS = frozenset({Part.RECORD, Part.PATIENTS})


def unheard_word(review: DraftReview) -> str | None:
    """Return a note when a model uses a word or a sign that no receptionist needs, or one of another language."""
    vocabulary = _VOCABULARIES[review.language]
    named = frozenset(
        (
            *(word for doctor in review.grounds.doctors for word in doctor),
            *(word for clinic in review.clinics for word in name_words(clinic.name)),
            *(clinic.id for clinic in review.clinics),
            *_patients_words(review),
        )
    )
    for line in review.lines:
        if _SIGN.search(line):
            return "a sign that no answer needs"
        for match in _WORD.finditer(_PHRASE.sub(" ", line)):
            if not (match[0] in named or _is_known(match[0], vocabulary)):
                return "a word that no answer needs"
    return None


def _is_known(word: str, vocabulary: _Vocabulary) -> bool:
    return (
        len(word) == 1
        or vocabulary.knows(word)
        or any(specialty.match(word) for specialty in SPECIALTIES)
        or ("-" in word and all(_is_known(part, vocabulary) for part in word.split("-")))
    )


def _patients_words(review: DraftReview) -> frozenset[str]:
    """Return the words of what the answer shows of patients, and of what was searched for."""
    if not review.parts & _OF_PATIENTS:
        return frozenset()
    told = (
        *(text for result in review.reply.evidence.results for text in strings(result)),
        *(text for step in review.reply.steps for text in step.parameters.values()),
    )
    return frozenset(match[0] for text in told for match in _WORD.finditer(folded(text)))
