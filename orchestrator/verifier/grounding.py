"""R4: a reply names what it rests on and nothing else, leaves out nothing that matches, and says what the filter hid.

Blueprint 2.3.3, Rule 9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from datetime import date, time
from itertools import product

from orchestrator.turn import Appointment
from orchestrator.verifier.folding import folded
from orchestrator.verifier.known_facts import Doctor, Grounds
from orchestrator.verifier.literals import DateMention, Line, name_words, untitled_doctors
from orchestrator.verifier.review import ReplyReview

_NONE_OPEN = re.compile(
    r"\b(?:nao (?:ha|tem|temos|encontrei|existem?)|nenhum|sem) (?:\w+ ){0,2}(?:horarios?|vagas?)\b"
    r"|\bno (?:\w+ ){0,2}(?:openings?|slots?|times?)\b"
)
_OPENING_WORD = re.compile(r"horario|vaga|opcao|opcoes|opening|slot|time|option")


def ungrounded(review: ReplyReview) -> str | None:
    """Return a note when a reply names a date, time or doctor that nothing it rests on names, or joins them wrongly."""
    bounds = frozenset(at for span in review.plan.filters.times for at in (span.first, span.last))
    return next((finding for line in set(review.named) if (finding := _judged(line, review.grounds, bounds))), None)


def _judged(line: Line, grounds: Grounds, bounds: frozenset[time]) -> str | None:
    if not all(map(grounds.has_date, line.dates)):
        return "a date that is not in the clinics' data"
    if not all(map(grounds.has_weekday, line.dates)):
        return "a weekday that is not the date's"
    if not line.times <= grounds.times:
        return "a time that is not in the clinics' data"
    if not all(map(grounds.has_doctor, line.doctors)):
        return "a doctor who is not in the clinics' data"
    # A line that tells the filter ("a partir das 15:00") names a time that belongs to no opening.
    if not (line.times & bounds or grounds.has_opening(line)):
        return "a doctor, date and time that do not belong together in the clinics' data"
    return None


def missing_opening(review: ReplyReview) -> str | None:
    """Return a note when an opening that fits the filter is not shown with its doctor, date and time.

    Doctor and date may stand on the line of the time or above it, as headings of a group.
    """
    wanted = _fitting(review)
    shown = _shown(review, wanted) if wanted else {}
    words = {doctor: name_words(doctor) for doctor in {slot.doctor for slot in wanted}}
    for slot in wanted:
        if not any(map(words[slot.doctor].issuperset, shown.get((slot.date, slot.time), ()))):
            return "an opening that fits was left out"
    return None


def _fitting(review: ReplyReview) -> set[Appointment]:
    admits = review.plan.filters.admits
    return {slot for slot in review.evidence.listed if admits(slot.date, slot.time)}


def _shown(review: ReplyReview, wanted: Set[Appointment]) -> Mapping[tuple[date, time], Set[Doctor]]:
    """Return which doctors a text names at which of the wanted moments."""
    known = set(map(name_words, {slot.doctor for slot in wanted}))
    days = {slot.date for slot in wanted}
    shown: dict[tuple[date, time], set[Doctor]] = {}
    dates: Set[DateMention] = frozenset()
    doctors: Set[Doctor] = frozenset()
    for plain, line in zip(review.lines, review.named, strict=True):
        dates = line.dates or dates
        doctors = line.doctors | untitled_doctors(plain, known) or doctors
        for mention in dates if line.times else ():
            for moment in product(mention.among(days), line.times):
                shown.setdefault(moment, set()).update(doctors)
    return shown


def untold_filter(review: ReplyReview) -> str | None:
    """Return a note when a filter hid openings and no line says how many."""
    fitting = len(_fitting(review))
    hidden = len(review.evidence.listed) - fitting
    if not hidden or not fitting:
        return None
    count = re.compile(rf"(?<!\d){hidden}(?![\d:/])")
    told = any(count.search(line) and _OPENING_WORD.search(line) for line in review.lines)
    return None if told else "what the filter hid was not told"


def groundless_denial(review: ReplyReview) -> str | None:
    """Return a note when a reply says that there is no opening though no clinic that was asked answered."""
    denied = review.evidence.unanswered and _NONE_OPEN.search(review.plain)
    return "a denial of openings that no clinic made" if denied else None


def missing_patient(review: ReplyReview) -> str | None:
    """Return a note when a patient of a list or search is not shown."""
    missing = any(folded(patient_id) not in review.plain for patient_id in review.evidence.patient_ids)
    return "a patient of the list was left out" if missing else None
