"""R2 and R4 for drafts: clinics, specialties and doctors that a model names are those of the data.

A person without a title is recognised by a capital inside a sentence, or by a common given name.
"""

from __future__ import annotations

import re

from orchestrator.turn import Language
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.facts import clinic_names_in
from orchestrator.verifier.literals import MONTHS, WEEKDAYS, folded, name_words, titled_in, words_of
from orchestrator.verifier.personal import GIVEN_NAMES

_SPECIALTIES = tuple(re.compile(rf"\b(?:{word})") for word in words_of("drafts/specialties.txt"))

_AFTER_OF = re.compile(r"^d[aeo]s? ")  # "clínicas de Cardiologia" names no clinic
_SMALL_DOCTOR = re.compile(r"\b[Dd]ra?\.?\s+(?=[a-zà-öø-ÿ])")
_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’-](?=\w))*")
_ALONE = re.compile(r"(?m)^(\W*\w+\W*?)\n+")  # a word that fills its line begins the next one's sentence
# A large letter after these begins a sentence; so does one after a name that code puts in: "Olá, …, encontrei".
_BEGINNING = re.compile(r"(?:^\W*|(?<!\b[Ss]r)(?<!\b[SDdMm]ra)(?<!\b[DdMm]r)(?<!\b[Mm]rs)[^\w\s,'’&/]\s*|…,\s*)$")
_KNOWN = {*words_of("drafts/no_names.txt")} | MONTHS.keys() | WEEKDAYS.keys()
_CAPITALISED = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?: (?:d[aeo]s? )?[A-ZÀ-ÖØ-Þ][\w'’-]+)+")


def unknown_clinic(review: DraftReview) -> str | None:
    """Return a note when a clinic is named that the turn is not about, or that there is not."""
    named = (name for name in clinic_names_in(review.words) if not _is_specialty(_AFTER_OF.sub("", name)))
    unknown = any(review.reader.clinic(name) not in review.asked for name in named)
    return "a clinic that is not in the data" if unknown else None


def unknown_specialty(review: DraftReview) -> str | None:
    """Return a note when a specialty is named that none of the clinics asked has."""
    codes = (clinic.specialty for clinic in review.clinics if clinic.id in review.asked)
    held = folded("\n".join((*codes, *review.reply.evidence.strings, *review.reply.plan.facts.values())))
    said = "\n".join(review.lines)
    unknown = any(specialty.search(said) and not specialty.search(held) for specialty in _SPECIALTIES)
    return "a specialty that none of the clinics asked has" if unknown else None


def mixed_name(review: DraftReview) -> str | None:
    """Return a note when words of several doctors' names stand as one name, or one in small letters."""
    if _SMALL_DOCTOR.search(review.words):
        return "a doctor's name that is not written as one"
    doctors = review.grounds.doctors | {name_words(name) for one in review.clinics for name in one.doctors}
    of_doctors = frozenset().union(*doctors)
    for match in _CAPITALISED.finditer(review.words):
        words = name_words(match[0]) & of_doctors
        if words and not any(words <= doctor for doctor in doctors):
            return "a doctor's name put together from several"
    return None


def _is_specialty(name: str) -> bool:
    return any(specialty.match(name) for specialty in _SPECIALTIES)


def unknown_name(review: DraftReview) -> str | None:
    """Return a note when a word is a name that neither the data nor the person who speaks has."""
    for line in _ALONE.sub(r"\1 ", review.unjoined).split("\n"):
        for match in _WORD.finditer(line):
            word = folded(match[0]).removesuffix("'s").removesuffix("’s")
            plain = word.removesuffix("-feira")
            if (
                any(map(str.isdigit, word))
                or word in review.names
                or plain in _KNOWN
                or any(specialty.match(word) for specialty in _SPECIALTIES)
            ):
                continue
            stands_out = len(word) > 1 and match[0][0].isupper() and not _BEGINNING.search(line[: match.start()])
            if stands_out or word in GIVEN_NAMES:
                return "a name that is not in the data"
    return None


def wrong_title(review: DraftReview) -> str | None:
    """Return a note when a doctor is given the title of the other sex; in English "Dr." is anybody's."""
    data = {slot.doctor for slot in review.reply.evidence.placed}
    known = {pair for one in review.clinics for name in one.doctors for pair in titled_in(name)}
    known |= {pair for name in data for pair in titled_in(name)}
    for title, words in titled_in(review.words):
        of_woman = {bearer == "dra" for bearer, name in known if words <= name}
        said = title in {"dra", "doutora"}
        if of_woman and said not in of_woman and (said or review.language is Language.PT):
            return "a doctor's title that is not the data's"
    return None
