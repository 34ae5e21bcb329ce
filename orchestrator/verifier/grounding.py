"""R4: every literal date, time and doctor of a reply is in what it rests on, and together they name what is there."""

from __future__ import annotations

from datetime import time

from orchestrator.verifier.known_facts import Grounds
from orchestrator.verifier.literals import Line, read_line
from orchestrator.verifier.review import ReplyReview


def ungrounded(review: ReplyReview) -> str | None:
    """Return a note when a reply names a date, time or doctor that nothing it rests on names, or joins them wrongly."""
    grounds = Grounds.of(review)
    bounds = frozenset(at for span in review.plan.filters.times for at in (span.first, span.last))
    lines = {read_line(text) for text in review.text.split("\n")}
    return next((finding for line in lines if (finding := _judged(line, grounds, bounds))), None)


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
