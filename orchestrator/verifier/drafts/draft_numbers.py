"""R4 for drafts: every number is a count of the data, part of a date or time, or in the data's texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from orchestrator.privacy import Redactor
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.facts import NOTHING, Fact, Named
from orchestrator.verifier.drafts.numerals import Numeral, numerals_in, spoken_times_in
from orchestrator.verifier.literals import clauses_of, folded, sentences, without_moments

_EMERGENCY_NUMBERS = frozenset({192, 188, 190, 180, 100, 800, 722, 6001})
_REDACTOR = Redactor()

_VERB = r"(?:tem|ha|sao|estao|possuem|oferecem|have|has|are|is|offer)\b"


def _counted(*nouns: str) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:(?!{_VERB})[\w'-]+ ){{0,2}}?(?:{'|'.join(nouns)})\b")


_OPENINGS = _counted(
    "horarios?", "vagas?", r"op[ct]\w+", r"alternativ\w+", "possibilidades?", "openings?", "slots?", "choices?"
)
_TIMES = re.compile(r"\s*(?:[a-z]+ )?times\b(?! (?:a|per|each)\b)")
_CLINICS = _counted("clinicas?", "clinics?", "unidades?")
_DOCTORS = _counted(
    "medic[oa]s?",
    r"profissiona\w+",
    "especialistas?",
    r"\w+logist\w+",
    "ortopedistas?",
    "doctors?",
    r"professionals?",
    r"orthop\w+",
)
_PATIENTS = _counted("pacientes?", "patients?")
_RESULTS = _counted("resultados?", "results?")
_WRITES = _counted("consultas?", "agendamentos?", "appointments?", "bookings?", "visits?")
_DAYS = _counted("dias?", "datas?", "days?", "dates?")


def _groups(named: Named, review: DraftReview) -> Iterator[list[Fact]]:
    offered = [fact for fact in review.offered if fact.date and fact.time]
    for facts in (offered, [fact for fact in offered if fact in review.suiting]):
        yield [fact for fact in facts if named.fits(fact)]


def _counts(named: Named, review: DraftReview) -> Iterator[int]:
    # "Três horários na segunda pela manhã" does not count the mornings of all days.
    for one in (named, *(alone for alone in named.alone() if named.kinds < 2 or not alone.periods)):
        yield from (len(facts) for facts in _groups(one, review))
    everything, fitting = (len(facts) for facts in _groups(named, review))
    if len(named.dates) > 1 or len(named.weekdays) > 1:  # the ends of a range, and what lies between them
        yield from _counts(replace(named, dates=frozenset(), weekdays=frozenset()), review)
    if review.offered and not named.kinds:
        session = review.reply.session
        for shown in (len(session.offers), len(session.printed)):
            yield from (everything - fitting, shown, everything - shown)


def _clinic_counts(_: Named, review: DraftReview) -> Iterator[int]:
    evidence = review.reply.evidence
    yield from (len(evidence.asked), len(evidence.answered), len(evidence.asked - evidence.answered))
    yield len({fact.clinic for fact in review.offered})
    yield len({step.clinic for step in review.reply.steps})


def _doctor_counts(named: Named, review: DraftReview) -> Iterator[int]:
    return (len({fact.doctor for fact in facts}) for facts in _groups(named, review))


def _day_counts(named: Named, review: DraftReview) -> Iterator[int]:
    return (len({fact.date for fact in facts}) for facts in _groups(named, review))


def _patient_counts(named: Named, review: DraftReview) -> Iterator[int]:
    evidence = review.reply.evidence
    if named.clinics:
        counts = [evidence.patients_of.get(clinic, 0) for clinic in named.clinics]
        yield from (sum(counts), *counts)
    else:
        yield from (len(evidence.patient_ids), len(evidence.records))


def _result_counts(named: Named, review: DraftReview) -> Iterator[int]:
    yield from _counts(named, review) if review.offered else _patient_counts(named, review)


def _write_counts(named: Named, review: DraftReview) -> Iterator[int]:
    yield from (len(review.reply.receipts), len(review.reply.session.receipts))
    yield from _counts(named, review)


def any_number(named: Named, review: DraftReview) -> Iterator[int]:
    """Yield the numbers that may stand before no noun of `COUNTS`: all counts, and the parts of dates and times."""
    yield from _EMERGENCY_NUMBERS
    for counts in (_counts, _clinic_counts, _patient_counts):
        yield from counts(named, review)
    yield from (offer.number for offer in review.reply.session.printed)
    yield from _counts(NOTHING, review)
    yield from _moment_numbers(review)
    for text in review.reply.evidence.strings:
        yield from (found.value for found in numerals_in(folded(_REDACTOR.redact(text))) if found.value is not None)


def _moment_numbers(review: DraftReview) -> Iterator[int]:
    for day in review.grounds.dates:
        yield from (day.day, day.month, day.year)
    for at in review.grounds.times:
        yield from (at.hour, at.hour % 12 or 12, at.minute)


COUNTS: tuple[tuple[re.Pattern[str], Callable[[Named, DraftReview], Iterator[int]]], ...] = (
    (_OPENINGS, _counts),
    (_TIMES, _counts),
    (_CLINICS, _clinic_counts),
    (_DOCTORS, _doctor_counts),
    (_PATIENTS, _patient_counts),
    (_RESULTS, _result_counts),
    (_WRITES, _write_counts),
    (_DAYS, _day_counts),
)
"""What a number counts, by the noun that follows it."""


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
    if _ROW.search(before) and any(numeral.value == offer.number for offer in review.reply.session.printed):
        return True
    # "Both have openings" tells no number of openings.
    after = "" if plain[numeral.start : numeral.end] in _BOTH else after
    if each := _EACH.search(after):
        return _is_the_same_for_each(numeral.value, each["kind"], review)
    counts = next((counts for noun, counts in COUNTS if noun.match(after)), any_number)
    return numeral.value in set(counts(named, review))


def _weeks(review: DraftReview) -> int | None:
    days = [fact.date for fact in review.offered if fact.date]
    return (max(days) - min(days)).days // 7 + 1 if days else None


def _is_the_same_for_each(value: int, kind: str, review: DraftReview) -> bool:
    of_kind: dict[str, Callable[[Fact], object]] = {
        "clini": lambda fact: fact.clinic,
        "medic": lambda fact: fact.doctor,
        "doctor": lambda fact: fact.doctor,
    }
    found = Counter(map(of_kind.get(kind, lambda fact: fact.date), review.offered))
    return set(found.values()) == {value}


def _digits_in_words(plain: str) -> bool:
    numerals = list(numerals_in(plain))
    run = 0
    for earlier, numeral in zip([None, *numerals], numerals, strict=False):
        close = earlier is not None and not re.search(r"\w", plain[earlier.end : numeral.start])
        small = numeral.value is not None and numeral.value < 10
        run = (run + 1 if close else 1) if small else 0
        if run == 4:
            return True
    return False
