"""What a draft may count: openings, clinics, doctors, days, patients and writes of the data, by what a clause names.

Nothing is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from orchestrator.privacy import Redactor
from orchestrator.verifier.drafts.facts import NOTHING, Fact, Named
from orchestrator.verifier.drafts.numerals import numerals_in
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import folded

_EMERGENCY_NUMBERS = frozenset({192, 188})
_REDACTOR = Redactor()

_VERB = r"(?:tem|ha|sao|estao|possuem|oferecem|have|has|are|is|offer)\b"


def _counted(*nouns: str) -> re.Pattern[str]:
    """Return a pattern for one of these nouns after a number, with up to two words between them."""
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
    """Yield the openings that a clause may count: all and those that fit, or of each only those that it names."""
    admits = review.reply.plan.filters.admits
    offered = [fact for fact in review.offered if fact.date and fact.time]
    for facts in (offered, [fact for fact in offered if fact.date and fact.time and admits(fact.date, fact.time)]):
        yield [fact for fact in facts if named.fits(fact)]


def _counts(named: Named, review: DraftReview) -> Iterator[int]:
    """Yield how many openings there are, and where none is named, how many the filter hid and how many are shown."""
    # "Três horários na segunda pela manhã" does not count the mornings of all days.
    for one in (named, *(alone for alone in named.alone() if named.kinds < 2 or not alone.periods)):
        yield from (len(facts) for facts in _groups(one, review))
    everything, fitting = (len(facts) for facts in _groups(named, review))
    if len(named.dates) > 1 or len(named.weekdays) > 1:  # the ends of a range, and what lies between them
        yield from _counts(replace(named, dates=frozenset(), weekdays=frozenset()), review)
    if review.offered and not named.kinds:
        shown = len(review.reply.session.offers)
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
    yield from range(1, len(review.reply.session.offers) + 1)
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
