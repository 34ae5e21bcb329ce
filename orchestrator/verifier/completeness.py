"""R4: nothing that matches is left out, and the reply says how much the filter hid (blueprint 2.3.3, Rule 9)."""

from __future__ import annotations

import re

from orchestrator.verifier.evidence import Opening
from orchestrator.verifier.folding import folded
from orchestrator.verifier.literals import Line, name_words, read_line
from orchestrator.verifier.review import ReplyReview

_OPENING_WORD = re.compile(r"horario|vaga|opcao|opcoes|opening|slot|time|option")


def missing_opening(review: ReplyReview) -> str | None:
    """Return a note when an opening that fits the filter is not shown with its doctor, date and time.

    Doctor and date may stand on the line of the time or above it, as headings of a group.
    """
    wanted = {opening for opening in review.evidence.listed if review.plan.filters.admits(opening.date, opening.time)}
    known = frozenset(name_words(opening.doctor) for opening in wanted)
    shown: dict[object, list[Line]] = {}
    heading = Line(frozenset(), frozenset(), frozenset())
    for text in review.text.split("\n") if wanted else ():
        line = read_line(text, known)
        heading = Line(line.dates or heading.dates, line.times, line.doctors or heading.doctors)
        for at in line.times:
            shown.setdefault(at, []).append(heading)
    if all(any(_shows(line, opening) for line in shown.get(opening.time, ())) for opening in wanted):
        return None
    return "an opening that fits was left out"


def _shows(line: Line, opening: Opening) -> bool:
    words = name_words(opening.doctor)
    return any(mention.may_be(opening.date) for mention in line.dates) and any(
        doctor <= words for doctor in line.doctors
    )


def untold_filter(review: ReplyReview) -> str | None:
    """Return a note when a filter hid openings and no line says how many."""
    listed = set(review.evidence.listed)
    fitting = {opening for opening in listed if review.plan.filters.admits(opening.date, opening.time)}
    hidden = len(listed) - len(fitting)
    if not hidden or not fitting:
        return None
    count = re.compile(rf"(?<!\d){hidden}(?![\d:/])")
    lines = folded(review.text).split("\n")
    told = any(count.search(line) and _OPENING_WORD.search(line) for line in lines)
    return None if told else "what the filter hid was not told"


def missing_patient(review: ReplyReview) -> str | None:
    """Return a note when a patient of a list or search is not shown."""
    text = folded(review.text)
    missing = [patient_id for patient_id in review.evidence.patient_ids if folded(patient_id) not in text]
    return "a patient of the list was left out" if missing else None
