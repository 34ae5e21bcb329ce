"""R4: nothing that matches is left out, and the reply says how much the filter hid (blueprint 2.3.3, Rule 9)."""

from __future__ import annotations

import re
from datetime import date, time
from itertools import product

from orchestrator.verifier.evidence import Opening
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import Line, name_words, read_line
from orchestrator.verifier.review import ReplyReview

_NONE_OPEN = re.compile(
    r"\b(?:nao (?:ha|tem|temos|encontrei|existem?)|nenhum|sem) (?:\w+ ){0,2}(?:horarios?|vagas?)\b"
    r"|\bno (?:\w+ ){0,2}(?:openings?|slots?|times?)\b"
)
_OPENING_WORD = re.compile(r"horario|vaga|opcao|opcoes|opening|slot|time|option")


def missing_opening(review: ReplyReview) -> str | None:
    """Return a note when an opening that fits the filter is not shown with its doctor, date and time.

    Doctor and date may stand on the line of the time or above it, as headings of a group.
    """
    wanted = {
        opening for _, opening in review.evidence.listed if review.plan.filters.admits(opening.date, opening.time)
    }
    shown = _shown(review.text, wanted)
    for opening in wanted:
        words = name_words(opening.doctor)
        if not any(named <= words for named in shown.get((opening.date, opening.time), ())):
            return "an opening that fits was left out"
    return None


def _shown(text: str, wanted: set[Opening]) -> dict[tuple[date, time], set[frozenset[str]]]:
    """Return which doctors a text names at which of the wanted moments."""
    known = frozenset(map(name_words, {opening.doctor for opening in wanted}))
    days = {opening.date for opening in wanted}
    shown: dict[tuple[date, time], set[frozenset[str]]] = {}
    above = Line(frozenset(), frozenset(), frozenset())
    for part in text.split("\n") if wanted else ():
        line = read_line(part, known)
        above = Line(line.dates or above.dates, line.times, line.doctors or above.doctors)
        named_days = {day for mention in above.dates for day in days if mention.may_be(day)} if line.times else ()
        for moment in product(named_days, line.times):
            shown.setdefault(moment, set()).update(above.doctors)
    return shown


def untold_filter(review: ReplyReview) -> str | None:
    """Return a note when a filter hid openings and no line says how many."""
    admits = review.plan.filters.admits
    fitting = sum(admits(opening.date, opening.time) for _, opening in review.evidence.listed)
    hidden = len(review.evidence.listed) - fitting
    if not hidden or not fitting:
        return None
    count = re.compile(rf"(?<!\d){hidden}(?![\d:/])")
    told = any(count.search(line) and _OPENING_WORD.search(line) for line in review.lines)
    return None if told else "what the filter hid was not told"


def groundless_denial(review: ReplyReview) -> str | None:
    """Return a note when a reply says that there is no opening though no clinic that was asked answered."""
    denied = review.evidence.unanswered and any(map(_NONE_OPEN.search, review.lines))
    return "a denial of openings that no clinic made" if denied else None


def missing_patient(review: ReplyReview) -> str | None:
    """Return a note when a patient of a list or search is not shown."""
    text = "\n".join(review.lines)
    missing = [patient_id for patient_id in review.evidence.patient_ids if folded(patient_id) not in text]
    return "a patient of the list was left out" if missing else None
