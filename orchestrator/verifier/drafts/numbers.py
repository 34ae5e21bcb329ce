"""R4 for drafts: every number that a model says itself, in digits or words, is a count or a part of what the data hold.

Dates and times that are written out are held against the data by `grounding`; here it is counts of openings, clinics,
doctors, patients and receipts, times of day in words, and whatever number is left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from orchestrator.verifier.drafts.counts import COUNTS, any_number
from orchestrator.verifier.drafts.facts import NOTHING, Fact, Named
from orchestrator.verifier.drafts.numerals import Numeral, numerals_in, spoken_times_in
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import clauses_of, folded, sentences
from orchestrator.verifier.literals import without_moments

_BOTH = frozenset({"ambos", "ambas", "both"})
_DURATION = re.compile(
    r"\s*(?:-\s*)?(?:h\b|horas?|min\b|minut\w+|segundos?|semanas?|mes(?:es)?|anos?|hours?|hrs?|seconds?|weeks?|months?"
    r"|years?|%|por cento|percent|reais|mil\b|thousand)\b"
)
_WEEKS = re.compile(r"\s*(?:semanas?|weeks?)\b")
_AN_HOUR = re.compile(r"\bmeia hora\b|\b(?:half an|an) hour\b")
_EACH = re.compile(
    r"\b(?:por|cada|per|each|every) (?:(?:uma?|one) (?:d[aeo]s?|of the) )?(?:\w+ )?(?P<kind>clini|medic|doctor|dia|day)"
)
_DAY_OF_MONTH = re.compile(r"\b(?:dias?|on the) $")
_ROW = re.compile(
    r"(?:\bop[ct]\w+|\bnumeros?|\bn[.o]*|\bnumbers?|\bitem|\bitens|\bitems|#"
    r"|\bslot|\bhorario|[\d,] ?(?:e|ou|and|or)?) ?$"
)


def ungrounded_number(review: DraftReview) -> str | None:
    """Return a note when a number is neither a count nor a part of the data."""
    for sentence in sentences(review.words):
        if _digits_in_words(without_moments(folded(sentence))):
            return "a number told digit by digit"
        if _AN_HOUR.search(folded(sentence)):
            return "a length of time, which no clinic tells"
        for clause in clauses_of(sentence):
            plain = without_moments(folded(clause))
            numerals = tuple(numerals_in(plain))
            named = review.reader.read(clause) if numerals else NOTHING
            # A clause that names nothing may count all, or what its sentence names: "Clínica A: 2 horários".
            scopes = (named,) if named.kinds or not numerals else (NOTHING, review.reader.read(sentence))
            if not all(any(_grounded(numeral, plain, scope, review) for scope in scopes) for numeral in numerals):
                return "a number that is not in the clinics' data"
    return None


def unheld_time(review: DraftReview) -> str | None:
    """Return a note when a time of day in words is in no data."""
    for line in review.words.split("\n"):
        if any(times.isdisjoint(review.grounds.times) for times in spoken_times_in(line)):
            return "a time that is not in the clinics' data"
    return None


def _grounded(numeral: Numeral, plain: str, named: Named, review: DraftReview) -> bool:
    after, before = plain[numeral.end :], plain[: numeral.start]
    if _WEEKS.match(after):
        return numeral.value == _weeks(review)
    if numeral.value is None or _DURATION.match(after):
        return False
    if _DAY_OF_MONTH.search(before):
        return numeral.value in {day.day for day in review.grounds.dates}
    if _ROW.search(before) and 1 <= numeral.value <= len(review.reply.session.offers):
        return True
    # "Both have openings" tells no number of openings.
    after = "" if plain[numeral.start : numeral.end] in _BOTH else after
    if each := _EACH.search(after):
        return _is_the_same_for_each(numeral.value, each["kind"], review)
    counts = next((counts for noun, counts in COUNTS if noun.match(after)), any_number)
    return numeral.value in set(counts(named, review))


def _weeks(review: DraftReview) -> int | None:
    """Return over how many weeks the openings are spread."""
    days = [fact.date for fact in review.offered if fact.date]
    return (max(days) - min(days)).days // 7 + 1 if days else None


def _is_the_same_for_each(value: int, kind: str, review: DraftReview) -> bool:
    """Return whether there are as many openings for each clinic, doctor or day."""
    of_kind: dict[str, Callable[[Fact], object]] = {
        "clini": lambda fact: fact.clinic,
        "medic": lambda fact: fact.doctor,
        "doctor": lambda fact: fact.doctor,
    }
    found = Counter(map(of_kind.get(kind, lambda fact: fact.date), review.offered))
    return set(found.values()) == {value}


def _digits_in_words(plain: str) -> bool:
    """Return whether four numbers below ten follow one another as in a phone number."""
    numerals = list(numerals_in(plain))
    run = 0
    for earlier, numeral in zip([None, *numerals], numerals, strict=False):
        close = earlier is not None and not re.search(r"\w", plain[earlier.end : numeral.start])
        small = numeral.value is not None and numeral.value < 10
        run = (run + 1 if close else 1) if small else 0
        if run == 4:
            return True
    return False
